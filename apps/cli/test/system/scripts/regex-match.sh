#!/bin/bash
v=v1.34.2-rc.1+k3s1
if [[ $v =~ ^v([0-9]+)\.([0-9]+)\.([0-9]+)(-[a-z.0-9]+)?(\+.*)?$ ]]; then
  echo "${BASH_REMATCH[1]} ${BASH_REMATCH[2]} ${BASH_REMATCH[3]} ${BASH_REMATCH[4]} ${BASH_REMATCH[5]} ${#BASH_REMATCH[@]}"
fi
re='^[[:space:]]*(swap|zram)'
[[ "   swap x" =~ $re ]] && echo "${BASH_REMATCH[1]}"
[[ abc == a* && abc != *d ]] && echo glob
[[ "a*" == "a*" ]] && echo literal
[[ 10 -gt 9 && ! 3 -eq 4 ]] && echo numbers
[[ b > a ]] && echo order
[[ -f /etc/passwd && -d /etc && ! -e /none ]] && echo files
[[ $v == @(v1|v2).* ]] && echo extended || echo plain
