#!/bin/bash
set -euo pipefail
retry() {
  local tries=$1 delay=$2 n=1; shift 2
  until "$@"; do
    if [ "$n" -ge "$tries" ]; then echo "gave up after $n: $*" >&2; return 1; fi
    n=$((n + 1)); sleep "$delay"
  done
}
count=0
flaky() { count=$((count + 1)); [ "$count" -ge 3 ]; }
retry 5 0 flaky && echo "ok at $count"
retry 2 0 false || echo "failed with $?"
