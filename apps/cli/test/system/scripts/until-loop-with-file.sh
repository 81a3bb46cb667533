#!/bin/bash
n=0
until [ -f /run/ready ]; do
  n=$((n + 1))
  [ "$n" -ge 3 ] && touch /run/ready
  sleep 0.01
done
echo "tries $n"
for i in {1..5}; do
  [ "$i" = 3 ] && break
  echo "try $i"
done
while :; do n=$((n-1)); ((n > 0)) || break; continue; echo never; done; echo "n $n"
