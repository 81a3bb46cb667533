#!/bin/bash
set -e
cat <<EOF | tee /opt/modules.conf
overlay
br_netfilter
EOF
tee /opt/sysctl.conf >/dev/null <<EOF
net.bridge.bridge-nf-call-iptables  = 1
net.ipv4.ip_forward                 = 1
EOF
awk -F' *= *' '{print $1 ":" $2}' /opt/sysctl.conf
while read -r m; do echo "module $m"; done < /opt/modules.conf
