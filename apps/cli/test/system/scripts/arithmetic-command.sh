#!/bin/bash
set -euo pipefail
mem=7982
if (( mem > 4096 && mem % 2 == 0 )); then echo big; fi
(( (mem - 1000) / 2 > 3000 )) && echo "half is $(( (mem - 1000) / 2 ))"
i=0
(( i += 2 )); (( ++i )); echo "i=$i $((i++)) $i $((i ** 2)) $((1 << 10)) $((0x1f)) $((010)) $((16#ff)) $((~5)) $((i > 3 ? 7 : 9))"
a=(4 5 6)
echo $(( a[1] * ${a[2]} )) $(( ${#a[@]} - 1 ))
for ((n = 0; n < 3; n++)); do printf '%s ' "$n"; done; echo
let "x = 3 * (2 + 1)" "y = x / 2"; echo "$x $y"
((0)) || echo "zero is false"
