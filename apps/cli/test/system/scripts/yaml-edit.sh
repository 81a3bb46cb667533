#!/bin/bash
set -euo pipefail
cat > /opt/kubeadm.yaml <<'EOF'
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint:
  advertiseAddress: ADVERTISE
nodeRegistration:
  name: '{{ name }}'
EOF
IP=10.9.8.7
sed -i "s/ADVERTISE/${IP}/g" /opt/kubeadm.yaml
sed -i "/name:/s/'.*'/node-1/" /opt/kubeadm.yaml
cat >> /opt/kubeadm.yaml <<EOF
---
kind: KubeletConfiguration
clusterDNS: ["$(echo 10.96.0.0 | awk -F. '{print $1"."$2"."$3".10"}')"]
EOF
cat /opt/kubeadm.yaml
grep -n -- '---' /opt/kubeadm.yaml
