#!/bin/sh
set -eu
x=1
y=$((x + 2)); echo "$y"
f() { local z="$1"; echo "f $z"; }
f a
echo "a\tb"
printf '%s\n' "c\td"
[ "$x" = 1 ] && echo equal
for i in 1 2; do echo "$i"; done
case $x in 1) echo one;; esac
cat <<EOF
heredoc $x
EOF
echo ${x:-d} ${#x} ${z:-none}
command -v sh
