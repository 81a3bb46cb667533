#!/bin/sh
echo {a,b}
[ a == a ] && echo eq
[[ a = a ]] && echo dbl
echo "status $?"
source /etc/os-release
echo "status $?"
x=(1 2)
echo never
