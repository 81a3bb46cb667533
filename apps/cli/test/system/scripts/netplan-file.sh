#!/bin/bash
set -eu
mkdir -p /etc/netplan
cat > /etc/netplan/60-vlan.yaml <<EOF
network:
  version: 2
  ethernets:
    eth1: {addresses: [10.0.0.${NODE:-5}/24]}
EOF
chmod 600 /etc/netplan/60-vlan.yaml
stat -c '%a %n' /etc/netplan/*
grep -oE '10(\.[0-9]+){3}' /etc/netplan/60-vlan.yaml
