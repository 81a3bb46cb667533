#!/bin/bash
set -e
mkdir -p /opt/v1 /opt/v2
echo one > /opt/v1/f; echo two > /opt/v2/f
ln -s /opt/v1 /opt/current
cat /opt/current/f; readlink /opt/current; readlink -f /opt/current/f
ln -sfn /opt/v2 /opt/current
cat /opt/current/f
[ -L /opt/current ] && [ -d /opt/current ] && echo "a link to a directory"
ln -s v1/f /opt/rel; cat /opt/rel; ls -l /opt/rel | awk '{print $9, $10, $11}'
echo changed > /opt/rel; cat /opt/v1/f
ln -s /nowhere /opt/broken; [ -e /opt/broken ] || echo broken; [ -h /opt/broken ] && echo "still a link"
cat /opt/broken || echo "status $?"
ln -s /opt/v1 /opt/current2 && rm /opt/current2 && ls /opt/v1
ln /opt/v1/f /opt/hard; cat /opt/hard
ln -s x /opt/rel || echo "status $?"
realpath /opt/current/../v1/./f
