#!/bin/bash
printf '%-10s|%5s|%05d|%x|%X|%o\n' ab cd 42 255 255 8
printf '%s=%s\n' a 1 b 2
printf '%.2f %5.1f %e\n' 3.14159 2.5 1000
printf '%b' 'x\ty\n'
printf '%%literal\n'
printf '%c%c\n' abc def
printf 'no newline'; echo
printf '%s\n' "$(date -u -d @0 +%Y-%m-%dT%H:%M:%SZ)"
printf -v padded '%03d' 7; echo "$padded"
printf '%d\n' abc; echo "status $?"
printf '%*s|\n' 6 x
echo -e 'a\nb\x41'; echo -n no; echo -E ' \n'
echo -- -n
