#!/bin/bash
column -t <<< "a bb
ccc d" 2>/dev/null || echo "no column"
printf '%s\n' {1..3} | nl -ba | tr -s ' '
printf 'x=%s;' "a b" c; echo
printf '%s ' "${@:-none}"; echo
printf '\u00e9\n'; printf 'é' | wc -c; printf 'é' | wc -m
