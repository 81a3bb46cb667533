import {
  controlPlaneMachineManifest,
  indented,
  kubeadmConfigManifest,
  kubeadmConfigTemplateManifest,
  manifests,
  nodeRegistration,
  workersManifest,
} from "@capstan/kit/flavors";
import { clusterParts, controlPlaneServer, workersTemplate } from "./linode-parts.ts";
import type { LinodeParts } from "./linode-parts.ts";

/** Installs containerd and the programs of Kubernetes of its first argument on Ubuntu or Debian. */
const installScript = `#!/bin/bash
set -euo pipefail
version="$1"
release="$(echo "$version" | cut -d. -f1,2)"
package="$(echo "$version" | tr -d v)-*"
export DEBIAN_FRONTEND=noninteractive
printf 'overlay\\nbr_netfilter\\n' > /etc/modules-load.d/kubernetes.conf
modprobe overlay
modprobe br_netfilter
printf 'net.bridge.bridge-nf-call-iptables = 1\\nnet.ipv4.ip_forward = 1\\n' > /etc/sysctl.d/kubernetes.conf
sysctl --system
swapoff -a
sed -i '/ swap / s/^/#/' /etc/fstab
mkdir -p -m 755 /etc/apt/keyrings /etc/containerd
source="https://pkgs.k8s.io/core:/stable:/$release/deb/"
curl -fsSL "$source"Release.key | gpg --dearmor -o /etc/apt/keyrings/kubernetes.gpg
echo "deb [signed-by=/etc/apt/keyrings/kubernetes.gpg] $source /" > /etc/apt/sources.list.d/kubernetes.list
apt-get update
apt-get install -y containerd "kubelet=$package" "kubeadm=$package" "kubectl=$package"
apt-mark hold kubelet kubeadm kubectl
containerd config default | sed 's/SystemdCgroup = false/SystemdCgroup = true/' > /etc/containerd/config.toml
systemctl restart containerd
`;

/** What is in the spec of every bootstrap configuration. */
const setup = `files:
  - path: /usr/local/sbin/install-kubernetes
    owner: root:root
    permissions: "0755"
    content: |
${indented(installScript, 6)}preKubeadmCommands:
  - /usr/local/sbin/install-kubernetes \${KUBERNETES_VERSION}
`;

const registration = (part: "initConfiguration" | "joinConfiguration", more = ""): string => `${part}:
${more}${indented(nodeRegistration('"{{ ds.meta_data.label }}"', { "provider-id": '"linode://{{ ds.meta_data.id }}"' }), 2)}`;

/** Nodes become ready when Pods can talk: the first machine brings the network. */
const network = `postKubeadmCommands:
  - kubectl --kubeconfig /etc/kubernetes/admin.conf apply -f \${CNI_MANIFEST:=https://github.com/flannel-io/flannel/releases/download/v0.27.4/kube-flannel.yml}
`;

const kubeadmConfig = (name: string, isFirst: boolean): string => {
  const init = registration("initConfiguration");
  const join = registration("joinConfiguration", "  controlPlane: {}\n");
  return kubeadmConfigManifest(name, setup + (isFirst ? network : "") + init + join);
};

/** A Machine of the control plane with its own bootstrap configuration and server. */
const controlPlaneMachine = (index: number, parts: LinodeParts): readonly string[] => {
  const name = `\${CLUSTER_NAME}-control-plane-${index}`;
  return [
    controlPlaneMachineManifest(name, { bootstrap: "KubeadmConfig", infrastructure: "LinodeMachine" }),
    kubeadmConfig(name, index === 0),
    controlPlaneServer(name, parts),
  ];
};

const workersName = "${CLUSTER_NAME}-workers";

const workers = (parts: LinodeParts): readonly string[] => [
  workersManifest({ bootstrap: "KubeadmConfigTemplate", infrastructure: "LinodeMachineTemplate" }),
  kubeadmConfigTemplateManifest(workersName, setup + registration("joinConfiguration")),
  workersTemplate(workersName, parts),
];

/** A cluster of standalone control-plane Machines and a MachineDeployment, with kubeadm. */
export const kubeadmTemplate = (options: LinodeParts & { readonly controlPlaneMachines: number }): string =>
  manifests([
    ...clusterParts(options),
    ...Array.from({ length: options.controlPlaneMachines }, (_, index) => controlPlaneMachine(index, options)).flat(),
    ...workers(options),
  ]);
