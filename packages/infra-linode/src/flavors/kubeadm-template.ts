import { Label } from "@capstan/contract";
import {
  clusterManifest,
  controlPlaneMachineManifest,
  indented,
  kubeadmConfigManifest,
  kubeadmConfigTemplateManifest,
  manifest,
  manifests,
  nodeRegistration,
  templateSpec,
  workersManifest,
} from "@capstan/kit/flavors";
import { apiVersionOf } from "@capstan/schema";
import { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";

const credentials = `apiVersion: v1
kind: Secret
metadata:
  name: \${CLUSTER_NAME}-credentials
  labels:
    ${Label.move}: "true"
stringData:
  apiToken: $\${LINODE_TOKEN}
  LINODE_URL: $\${LINODE_URL:=https://api.linode.com}
`;

const objectStore = `apiVersion: v1
kind: Secret
metadata:
  name: \${CLUSTER_NAME}-object-store
  labels:
    ${Label.move}: "true"
stringData:
  bucket: $\${OBJECT_STORE_BUCKET}
  endpoint: $\${OBJECT_STORE_ENDPOINT}
  access: $\${OBJECT_STORE_ACCESS_KEY}
  secret: $\${OBJECT_STORE_SECRET_KEY}
`;

const cluster = clusterManifest({
  infrastructure: "LinodeCluster",
  pods: "${K8S_CLUSTER_CIDR:=10.244.0.0/16}",
  services: "${K8S_SERVICE_CIDR:=10.96.0.0/16}",
});

const infrastructure = `apiVersion: ${apiVersionOf(LinodeCluster)}
kind: LinodeCluster
metadata:
  name: \${CLUSTER_NAME}
spec:
  region: \${LINODE_REGION:=us-ord}
  credentialsRef:
    name: \${CLUSTER_NAME}-credentials
`;

const storedBootstrapData = `  objectStore:
    presignedURLDuration: 24h
    credentialsRef:
      name: \${CLUSTER_NAME}-object-store
`;

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

const server = (type: string): string => `region: \${LINODE_REGION:=us-ord}
type: ${type}
image: \${LINODE_OS:=linode/ubuntu22.04}
`;

/** Nodes become ready when Pods can talk: the first machine brings the network. */
const network = `postKubeadmCommands:
  - kubectl --kubeconfig /etc/kubernetes/admin.conf apply -f \${CNI_MANIFEST:=https://github.com/flannel-io/flannel/releases/download/v0.27.4/kube-flannel.yml}
`;

const kubeadmConfig = (name: string, isFirst: boolean): string => {
  const init = registration("initConfiguration");
  const join = registration("joinConfiguration", "  controlPlane: {}\n");
  return kubeadmConfigManifest(name, setup + (isFirst ? network : "") + init + join);
};

const apiVersion = apiVersionOf(LinodeCluster);

/** A Machine of the control plane with its own bootstrap configuration and server. */
const controlPlaneMachine = (index: number): readonly string[] => {
  const name = `\${CLUSTER_NAME}-control-plane-${index}`;
  return [
    controlPlaneMachineManifest(name, { bootstrap: "KubeadmConfig", infrastructure: "LinodeMachine" }),
    kubeadmConfig(name, index === 0),
    manifest(
      { apiVersion, kind: "LinodeMachine", name },
      server("${LINODE_CONTROL_PLANE_MACHINE_TYPE:=g6-standard-2}"),
    ),
  ];
};

const workersName = "${CLUSTER_NAME}-workers";

const workers: readonly string[] = [
  workersManifest({ bootstrap: "KubeadmConfigTemplate", infrastructure: "LinodeMachineTemplate" }),
  kubeadmConfigTemplateManifest(workersName, setup + registration("joinConfiguration")),
  manifest(
    { apiVersion, kind: "LinodeMachineTemplate", name: workersName },
    templateSpec(server("${LINODE_MACHINE_TYPE:=g6-standard-1}")),
  ),
];

/** A cluster of standalone control-plane Machines and a MachineDeployment, with kubeadm. */
export const kubeadmTemplate = (options: {
  readonly controlPlaneMachines: number;
  /** Bootstrap data that is too large for user-data goes to an object store. */
  readonly hasObjectStore: boolean;
}): string =>
  manifests([
    credentials,
    ...(options.hasObjectStore ? [objectStore] : []),
    cluster,
    options.hasObjectStore ? infrastructure + storedBootstrapData : infrastructure,
    ...Array.from({ length: options.controlPlaneMachines }, (_, index) => controlPlaneMachine(index)).flat(),
    ...workers,
  ]);
