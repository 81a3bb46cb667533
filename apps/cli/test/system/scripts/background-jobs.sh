#!/bin/bash
(sleep 0.1; echo bg > /opt/bg) &
pid=$!
wait "$pid"; echo "waited $?"
cat /opt/bg
false & wait $!; echo "status $?"
{ echo in-group; } & wait
[ "$pid" -gt 0 ] && echo number
kill -0 "$pid" 2>/dev/null || echo "no longer"
jobs | wc -l
