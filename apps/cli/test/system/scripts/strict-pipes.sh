#!/bin/bash
set -euo pipefail
echo begin
false | cat || echo "caught $?"
out=$(printf 'a\nb\n' | grep b)
echo "$out"
if ! printf 'x\n' | grep -q y; then echo "no y"; fi
echo "${PIPESTATUS[@]}"
printf '1\n2\n3\n' | head -n 1
grep no-such-user /etc/passwd | cat
echo "never"
