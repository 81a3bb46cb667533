#!/bin/bash
exec 9>/run/bootstrap.lock
flock -n 9 || { echo locked; exit 1; }
echo "have the lock"
flock /run/other.lock echo inside
timeout 1 sleep 5; echo "status $?"
timeout 5 true; echo "status $?"
seq 3 | paste -sd+ | sed 's/$//' ; seq 1 2 5; seq -w 8 10
yes | head -n 2; echo abc | od -An -c | tr -s ' '
truncate -s 5 /opt/t; stat -c %s /opt/t
printf 'a\tb\n' | expand | cat -A; echo "a b" | fold -w 1 | head -1
