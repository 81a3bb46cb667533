import type { InternetPlace } from "./internet.ts";

/** Makes a node of a bare system for the version of Kubernetes in its first argument, from the releases of each part. */
const nodeScript = `#!/bin/bash
set -euo pipefail
version="$1"
minor="\${version%.*}"
containerd="\${CONTAINERD_VERSION:-2.1.4}"
plugins="\${CNI_PLUGIN_VERSIONS:-1.6.2}"
export DEBIAN_FRONTEND=noninteractive

mkdir -p /etc/containerd /opt/cni/bin /usr/lib/systemd/system/kubelet.service.d
printf 'overlay\\nbr_netfilter\\n' > /etc/modules-load.d/k8s.conf
cat > /etc/sysctl.d/k8s.conf << EOF
net.bridge.bridge-nf-call-iptables = 1
net.bridge.bridge-nf-call-ip6tables = 1
net.ipv4.ip_forward = 1
net.ipv6.conf.all.forwarding = 1
EOF
for module in overlay br_netfilter; do modprobe "$module"; done
sysctl --system

for service in containerd kubelet; do
cat > /usr/lib/systemd/system/$service.service << EOF
[Service]
ExecStart=/usr/local/bin/$service
Restart=always
[Install]
WantedBy=multi-user.target
EOF
done
printf '[Service]\\nEnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env\\n' > /usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf

sed -i '/swap/d' /etc/fstab
swapoff -a

missing=()
for tool in runc socat conntrack ethtool iptables; do
  if [ ! -x "$(command -v $tool)" ]; then missing+=($tool); fi
done
apt-get update -y
apt-get install -y \${missing[*]}

curl -fsSL "https://github.com/containerd/containerd/releases/download/v$containerd/containerd-$containerd-linux-amd64.tar.gz" | tar -C /usr/local -xz
curl -fsSL "https://github.com/containernetworking/plugins/releases/download/v$plugins/cni-plugins-linux-amd64-v$plugins.tgz" | tar -C /opt/cni/bin -xz
curl -fsSL "https://github.com/kubernetes-sigs/cri-tools/releases/download/$minor.0/crictl-$minor.0-linux-amd64.tar.gz" | tar -C /usr/local/bin -xz
cd /usr/local/bin
curl -fsSL --remote-name-all https://dl.k8s.io/release/$version/bin/linux/amd64/{kubeadm,kubelet,kubectl}
chmod +x kubeadm kubelet kubectl
systemctl daemon-reload
systemctl enable --now containerd kubelet
`;

/** Lets the API server reach nodes through a proxy. */
const konnectivityScript = `#!/bin/bash
set -e
mkdir -p /etc/kubernetes/konnectivity
cp /etc/kubernetes/admin.conf /etc/kubernetes/konnectivity/konnectivity-server.conf
`;

const konnectivityConfiguration = `apiVersion: apiserver.k8s.io/v1beta1
kind: EgressSelectorConfiguration
egressSelections: []
`;

const repositories = (path: string): readonly string[] =>
  ["https://raw.githubusercontent.com/", "https://github.com/"].map((host) =>
    host.includes("raw.") ? `${host}linode/${path}` : `${host}linode/${path.replace("/*/", "/raw/*/")}`,
  );

/** Scripts that the published templates of providers fetch. */
export const installScripts: readonly InternetPlace[] = [
  { urls: repositories("cluster-api-provider-linode/*/scripts/pre-kubeadminit.sh"), answer: () => nodeScript },
  { urls: repositories("konnectivity/*/scripts/gen-konnectivity-kubeconfig.sh"), answer: () => konnectivityScript },
  {
    urls: repositories("konnectivity/*/config/egress-selector-configuration.yaml"),
    answer: () => konnectivityConfiguration,
  },
];
