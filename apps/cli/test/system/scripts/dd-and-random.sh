#!/bin/bash
set -e
dd if=/dev/zero of=/opt/z bs=1024 count=4 status=none
stat -c %s /opt/z
head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n' | wc -c
tr -dc a-z0-9 </dev/urandom | head -c 6 | wc -c
cat /proc/sys/kernel/random/uuid | wc -c
openssl rand -hex 8 2>/dev/null | wc -c
