#!/bin/bash
set -e
mkdir -p /etc/kubernetes && echo 'server: https://10.0.0.2:6443' > /etc/kubernetes/admin.conf
mkdir -p "$HOME/.kube"
cp -i /etc/kubernetes/admin.conf "$HOME/.kube/config" < /dev/null
chown "$(id -u):$(id -g)" "$HOME/.kube/config"
chmod 0600 ~/.kube/config
stat -c '%a %U' ~/.kube/config
echo 'export KUBECONFIG=/etc/kubernetes/admin.conf' >> ~/.bashrc-extra
cat ~/.bashrc-extra
