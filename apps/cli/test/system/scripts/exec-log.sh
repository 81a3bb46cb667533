#!/bin/bash
exec >> /var/log/node.log 2>&1
echo "begin"
ls /none
set -x
x=1
echo "x is $x"
[ "$x" = 1 ]
set +x
exec > /opt/second
echo second
