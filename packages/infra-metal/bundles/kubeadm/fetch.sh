#!/bin/sh
# Fetches what a kubeadm bundle has, checks it, and puts it into a folder for `capstan bundle build`.
# Usage: fetch.sh VERSION ARCHITECTURE FOLDER, such as fetch.sh v1.36.2 amd64 ./kubeadm-amd64
set -eu

version=$1
arch=$2
folder=$3
containerd=${CONTAINERD_VERSION:-2.1.4}
runc=${RUNC_VERSION:-1.3.0}
plugins=${CNI_PLUGINS_VERSION:-1.7.1}
crictl=${CRICTL_VERSION:-1.33.0}
kubernetes=${KUBERNETES_DOWNLOADS:-https://dl.k8s.io/release}
github=${GITHUB_DOWNLOADS:-https://github.com}

get() {
  curl --fail --silent --show-error --location --retry 3 --output "$2" "$1"
}

# The first 64 hexadecimal digits of a file with a checksum, or those before a name in it.
check() {
  wanted=$(grep -e "$3" "$2" | grep -o -E '[0-9a-f]{64}' | head -n 1)
  found=$(sha256sum "$1" | cut -d ' ' -f 1)
  [ "$wanted" = "$found" ] && return
  echo "fetch.sh: $1 has the SHA-256 $found, and must have $wanted" >&2
  exit 1
}

fetch() {
  get "$1" "$folder/$2"
  get "$3" "$folder/checksum"
  check "$folder/$2" "$folder/checksum" "${4:-.}"
  rm "$folder/checksum"
}

mkdir -p "$folder"
for program in kubeadm kubelet kubectl; do
  url=$kubernetes/$version/bin/linux/$arch/$program
  fetch "$url" "$program" "$url.sha256"
done
url=$github/containerd/containerd/releases/download/v$containerd/containerd-$containerd-linux-$arch.tar.gz
fetch "$url" containerd.tar.gz "$url.sha256sum"
url=$github/opencontainers/runc/releases/download/v$runc
fetch "$url/runc.$arch" runc "$url/runc.sha256sum" "runc.$arch\$"
url=$github/containernetworking/plugins/releases/download/v$plugins/cni-plugins-linux-$arch-v$plugins.tgz
fetch "$url" cni-plugins.tgz "$url.sha256"
url=$github/kubernetes-sigs/cri-tools/releases/download/v$crictl/crictl-v$crictl-linux-$arch.tar.gz
fetch "$url" crictl.tar.gz "$url.sha256"
chmod 755 "$folder/kubeadm" "$folder/kubelet" "$folder/kubectl" "$folder/runc"
install -m 755 "$(dirname "$0")/install.sh" "$folder/install.sh"
