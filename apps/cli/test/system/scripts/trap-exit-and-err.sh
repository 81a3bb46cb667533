#!/bin/bash
set -Eeuo pipefail
tmp=$(mktemp -d)
cleanup() { code=$?; rm -rf "$tmp"; echo "cleanup $code"; [ -d "$tmp" ] || echo gone; }
trap cleanup EXIT
trap 'echo "error on line $LINENO: $BASH_COMMAND"' ERR
step() {
  echo "step $1"
  test "$1" != 2
}
step 1
step 2
echo never
