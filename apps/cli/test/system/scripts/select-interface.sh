#!/bin/bash
cat > /opt/route <<'EOF'
default via 192.0.2.1 dev eth0 proto dhcp src 192.0.2.7 metric 100
10.0.0.0/24 dev eth1 proto kernel scope link src 10.0.0.4
EOF
IFACE=$(awk '/^default/ {for (i = 1; i <= NF; i++) if ($i == "dev") {print $(i + 1); exit}}' /opt/route)
ADDR=$(grep "dev $IFACE" /opt/route | sed -n 's/.*src \([0-9.]*\).*/\1/p')
echo "$IFACE $ADDR"
grep -oP 'via \K[0-9.]+' /opt/route
cut -d' ' -f3 /opt/route | head -1
