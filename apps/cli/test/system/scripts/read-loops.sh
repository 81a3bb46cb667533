#!/bin/bash
printf 'a 1 x y\nb 2\n\nlast' > /opt/l
while read -r name number rest; do echo "$name|$number|$rest"; done < /opt/l
while IFS= read -r line || [ -n "$line" ]; do echo "[$line]"; done < /opt/l
while IFS=: read -r user _ uid _; do [ "$uid" = 0 ] && echo "$user"; done < /etc/passwd
IFS=. read -r major minor patch <<< "1.34.2"; echo "$major-$minor-$patch"
read -ra words <<< "p q r"; echo "${#words[@]} ${words[2]}"
mapfile -t lines < /opt/l; echo "${#lines[@]} ${lines[1]}"
readarray -t some < <(printf 'x\ny\n'); echo "${some[1]}"
IFS=',' read -r -a list <<< "a,b,,c"; echo "${#list[@]}:${list[2]}:${list[3]}"
printf 'k v\0j w\0' | while IFS= read -r -d '' e; do echo "e=$e"; done
n=0; printf '1\n2\n' | while read -r _; do n=$((n + 1)); done; echo "n=$n"
read -r one </opt/l; echo "$one"
