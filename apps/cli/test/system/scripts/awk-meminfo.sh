#!/bin/bash
cat > /opt/meminfo <<'EOF'
MemTotal:        8153660 kB
MemFree:          234788 kB
SwapTotal:             0 kB
EOF
total=$(awk '/MemTotal/ {print $2}' /opt/meminfo)
awk -v t="$total" '/MemFree/ { printf "%.1f%%\n", $2 * 100 / t }' /opt/meminfo
awk '$1=="SwapTotal:" && $2==0 { print "no swap" }' /opt/meminfo
awk '{ a[NR] = $1 } END { for (i = NR; i > 0; i--) print a[i] }' /opt/meminfo
awk 'BEGIN { while ((getline line < "/opt/meminfo") > 0) n++; print n }'
awk 'function f(x) { return x * 2 } BEGIN { print f(21); print 7 % 4, 2 ^ 10, 1e3, 0.1 + 0.2 }'
