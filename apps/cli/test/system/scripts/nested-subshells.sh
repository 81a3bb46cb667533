#!/bin/bash
( (echo inner; exit 3) ; echo "status $?" )
((echo one; echo two) | wc -l)
x=$( (echo a; echo b) | tr '\n' ,)
echo "$x"
