#!/bin/bash
set -euo pipefail
target=/etc/app/config.json
mkdir -p "$(dirname "$target")"
tmp=$(mktemp "${target}.XXXXXX")
trap 'rm -f "$tmp"' EXIT
printf '{"a": 1}\n' > "$tmp"
chmod 0640 "$tmp"
mv "$tmp" "$target"
ls /etc/app; stat -c %a "$target"; basename "$target" .json
