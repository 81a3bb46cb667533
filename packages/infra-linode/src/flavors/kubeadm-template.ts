import { Group, Label } from "@capstan/contract";
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

const cluster = `apiVersion: ${Group.core}/v1beta2
kind: Cluster
metadata:
  name: \${CLUSTER_NAME}
spec:
  clusterNetwork:
    pods:
      cidrBlocks: ["\${K8S_CLUSTER_CIDR:=10.244.0.0/16}"]
    services:
      cidrBlocks: ["\${K8S_SERVICE_CIDR:=10.96.0.0/16}"]
  infrastructureRef:
    apiGroup: ${Group.infrastructure}
    kind: LinodeCluster
    name: \${CLUSTER_NAME}
`;

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

const indented = (text: string, by: number): string => text.replaceAll(/^(?=.)/gm, " ".repeat(by));

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
${more}  nodeRegistration:
    name: "{{ ds.meta_data.label }}"
    kubeletExtraArgs:
      - name: provider-id
        value: "linode://{{ ds.meta_data.id }}"
`;

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
  return `apiVersion: ${Group.bootstrap}/v1beta2
kind: KubeadmConfig
metadata:
  name: ${name}
spec:
${indented(setup + (isFirst ? network : "") + init + join, 2)}`;
};

/** A Machine of the control plane with its own bootstrap configuration and server. */
const controlPlaneMachine = (index: number): readonly string[] => {
  const name = `\${CLUSTER_NAME}-control-plane-${index}`;
  return [
    `apiVersion: ${Group.core}/v1beta2
kind: Machine
metadata:
  name: ${name}
  labels:
    ${Label.clusterName}: \${CLUSTER_NAME}
    ${Label.controlPlane}: ""
spec:
  clusterName: \${CLUSTER_NAME}
  version: \${KUBERNETES_VERSION}
  bootstrap:
    configRef:
      apiGroup: ${Group.bootstrap}
      kind: KubeadmConfig
      name: ${name}
  infrastructureRef:
    apiGroup: ${Group.infrastructure}
    kind: LinodeMachine
    name: ${name}
`,
    kubeadmConfig(name, index === 0),
    `apiVersion: ${apiVersionOf(LinodeCluster)}
kind: LinodeMachine
metadata:
  name: ${name}
spec:
${indented(server("${LINODE_CONTROL_PLANE_MACHINE_TYPE:=g6-standard-2}"), 2)}`,
  ];
};

const workers: readonly string[] = [
  `apiVersion: ${Group.core}/v1beta2
kind: MachineDeployment
metadata:
  name: \${CLUSTER_NAME}-workers
spec:
  clusterName: \${CLUSTER_NAME}
  replicas: \${WORKER_MACHINE_COUNT:=1}
  selector:
    matchLabels: {}
  template:
    spec:
      clusterName: \${CLUSTER_NAME}
      version: \${KUBERNETES_VERSION}
      bootstrap:
        configRef:
          apiGroup: ${Group.bootstrap}
          kind: KubeadmConfigTemplate
          name: \${CLUSTER_NAME}-workers
      infrastructureRef:
        apiGroup: ${Group.infrastructure}
        kind: LinodeMachineTemplate
        name: \${CLUSTER_NAME}-workers
`,
  `apiVersion: ${Group.bootstrap}/v1beta2
kind: KubeadmConfigTemplate
metadata:
  name: \${CLUSTER_NAME}-workers
spec:
  template:
    spec:
${indented(setup + registration("joinConfiguration"), 6)}`,
  `apiVersion: ${apiVersionOf(LinodeCluster)}
kind: LinodeMachineTemplate
metadata:
  name: \${CLUSTER_NAME}-workers
spec:
  template:
    spec:
${indented(server("${LINODE_MACHINE_TYPE:=g6-standard-1}"), 6)}`,
];

/** A cluster of standalone control-plane Machines and a MachineDeployment, with kubeadm. */
export const kubeadmTemplate = (options: {
  readonly controlPlaneMachines: number;
  /** Bootstrap data that is too large for user-data goes to an object store. */
  readonly hasObjectStore: boolean;
}): string =>
  [
    credentials,
    ...(options.hasObjectStore ? [objectStore] : []),
    cluster,
    options.hasObjectStore ? infrastructure + storedBootstrapData : infrastructure,
    ...Array.from({ length: options.controlPlaneMachines }, (_, index) => controlPlaneMachine(index)).flat(),
    ...workers,
  ].join("---\n");
