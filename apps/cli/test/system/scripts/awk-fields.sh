#!/bin/bash
printf 'a:1:x\nb:20:y\nc:3:z\n' > /opt/t
awk -F: '{print $2}' /opt/t
awk -F: '$2 > 2 {print $1 "=" $2}' /opt/t
awk -F: 'NR == 2 {print NR, NF, $NF; exit}' /opt/t
awk -F: '{ sum += $2 } END { print sum, NR, sum / NR }' /opt/t
awk -F: -v want=c '$1 == want { printf "%s-%03d\n", $1, $2 }' /opt/t
awk 'BEGIN { OFS="-"; print "a", "b"; x["k"] = 1; if ("k" in x) print "in"; n = split("p,q,r", parts, ","); for (i = 1; i <= n; i++) printf "%s ", parts[i]; print "" }'
awk '/b/,/c/' /opt/t
awk -F: '!seen[$1]++ { n++ } END { print n }' /opt/t /opt/t
awk '{ gsub(/:/, " "); print toupper($0), length($1), substr($0, 3, 2), index($0, "2") }' /opt/t
echo "Mem:  7982  123" | awk '/^Mem:/ {print int($2 / 1024) "G"}'
awk -F'[:,]' 'END { print $3 }' /opt/t
awk '$0 ~ /^a/ || /^c/ { next } { print "kept " $0 }' /opt/t
awk '{ $1 = "new"; print; print tolower("ABC") match($0, /w/) RSTART }' FS=: /opt/t | head -n 2
