#!/bin/bash
exec 3>/opt/log
echo to-three >&3
{ echo out; echo err >&2; } 3>&1 1>&2 2>&3 3>&- | sed 's/^/piped: /'
exec 3>&-
cat /opt/log
{ echo a; echo b >&2; } > /opt/both 2>&1; cat /opt/both
{ echo c; echo d >&2; } &> /opt/both; cat /opt/both
{ echo e >&2; } 2>> /opt/both; cat /opt/both
echo gone > /dev/null 2>&1
exec 4< /opt/both; read -r x <&4; read -r y <&4; echo "$x$y"; exec 4<&-
ls /none 2>/dev/null || echo quiet
echo "to stderr" 1>&2
: > /opt/both; [ -s /opt/both ] || echo emptied
