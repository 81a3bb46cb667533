import type { MachineFile } from "./machine-files.ts";

/**
 * Prepares a machine with a stock image of Ubuntu or Debian for kubeadm: containerd, and the programs of Kubernetes in the version of the
 * Machine. Providers that know nothing of the Machine's version give that of the control plane. Run by `installCommand`.
 */
export const installKubernetes: MachineFile = {
  path: "/usr/local/sbin/install-kubernetes",
  permissions: "0755",
  isTemplate: true,
  content: `#!/bin/bash
# Installs containerd and the programs of Kubernetes, in the version of the Machine, on Ubuntu or Debian.
set -euo pipefail
version="{{ with .machine }}{{ .version }}{{ else }}{{ .controlPlane.version }}{{ end }}"
minor="$(echo "$version" | cut -d. -f1,2)"
package="$(echo "$version" | tr -d v)-*"
export DEBIAN_FRONTEND=noninteractive
. /etc/os-release

printf 'overlay\\nbr_netfilter\\n' > /etc/modules-load.d/kubernetes.conf
modprobe overlay
modprobe br_netfilter
printf '%s = 1\\n' net.bridge.bridge-nf-call-iptables net.bridge.bridge-nf-call-ip6tables net.ipv4.ip_forward > /etc/sysctl.d/kubernetes.conf
sysctl --system
swapoff -a
sed -i '/\\sswap\\s/s/^/#/' /etc/fstab

printf 'Acquire::Retries "5";\\nDPkg::Lock::Timeout "300";\\n' > /etc/apt/apt.conf.d/90kubernetes
apt-get update
apt-get install -y ca-certificates curl gpg
mkdir -p -m 755 /etc/apt/keyrings /etc/containerd
repository="https://pkgs.k8s.io/core:/stable:/$minor/deb/"
curl -fsSL --retry 5 "$repository"Release.key | gpg --batch --yes --dearmor -o /etc/apt/keyrings/kubernetes.gpg
echo "deb [signed-by=/etc/apt/keyrings/kubernetes.gpg] $repository /" > /etc/apt/sources.list.d/kubernetes.list
# Kubernetes 1.36 and later need containerd 2, which the distributions do not have yet.
curl -fsSL --retry 5 "https://download.docker.com/linux/$ID/gpg" -o /etc/apt/keyrings/docker.asc
echo "deb [signed-by=/etc/apt/keyrings/docker.asc] https://download.docker.com/linux/$ID $VERSION_CODENAME stable" > /etc/apt/sources.list.d/docker.list
apt-get update
apt-get install -y containerd.io conntrack ethtool socat "kubelet=$package" "kubeadm=$package" "kubectl=$package"
apt-mark hold kubelet kubeadm kubectl
containerd config default | sed 's/SystemdCgroup = false/SystemdCgroup = true/' > /etc/containerd/config.toml
systemctl restart containerd
systemctl enable kubelet
`,
};

/** The preKubeadmCommand that runs it. cloud-init makes one script of all commands, which ends here where the installation fails. */
export const installCommand = `${installKubernetes.path} || exit 1`;
