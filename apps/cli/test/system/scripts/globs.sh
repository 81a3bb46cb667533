#!/bin/bash
mkdir -p /opt/g; cd /opt/g; touch a1 a2 b1 .hidden "c d"
echo *; echo a?; echo [ab]1; echo [!a]*; echo {a,b}{1,2} x{1..3} y{01..03} z{c..a} {1..9..4}
ls *.none 2>/dev/null; echo "status $?"
shopt -s nullglob; set -- *.none; echo $#; shopt -u nullglob
shopt -s extglob
echo !(a*) +(a|b)?
shopt -u extglob
shopt -s dotglob; echo *; shopt -u dotglob
set -f; echo *; set +f
for f in /etc/apt/sources.list.d/*.none; do [ -e "$f" ] || echo "none"; done
