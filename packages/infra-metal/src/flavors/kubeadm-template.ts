import { Group } from "@capstan/contract";
import { apiVersionOf } from "@capstan/schema";
import { TinkerbellCluster } from "../api/tinkerbell-cluster.v1beta1.ts";

const indented = (text: string, by: number): string => text.replaceAll(/^(?=.)/gm, " ".repeat(by));

const infrastructure = apiVersionOf(TinkerbellCluster);

const cluster = `apiVersion: ${Group.core}/v1beta2
kind: Cluster
metadata:
  name: \${CLUSTER_NAME}
spec:
  clusterNetwork:
    pods:
      cidrBlocks: ["\${POD_CIDR:=192.168.0.0/16}"]
    services:
      cidrBlocks: ["\${SERVICE_CIDR:=172.26.0.0/16}"]
  controlPlaneRef:
    apiGroup: ${Group.controlPlane}
    kind: KubeadmControlPlane
    name: \${CLUSTER_NAME}-control-plane
  infrastructureRef:
    apiGroup: ${Group.infrastructure}
    kind: TinkerbellCluster
    name: \${CLUSTER_NAME}
---
apiVersion: ${infrastructure}
kind: TinkerbellCluster
metadata:
  name: \${CLUSTER_NAME}
spec:
  controlPlaneEndpoint:
    host: \${CONTROL_PLANE_VIP}
    port: 6443
  imageLookupBaseRegistry: \${BASE_REGISTRY_URL:=ghcr.io/tinkerbell/cluster-api-provider-tinkerbell}
  imageLookupOSDistro: \${OS_DISTRO:=ubuntu}
  imageLookupOSVersion: "\${OS_VERSION:=22.04}"
`;

/** Announces the endpoint's address from the machines of the control plane. */
const virtualAddress = `apiVersion: v1
kind: Pod
metadata:
  name: kube-vip
  namespace: kube-system
spec:
  hostNetwork: true
  hostAliases:
    - hostnames: [kubernetes]
      ip: 127.0.0.1
  containers:
    - name: kube-vip
      image: \${KUBE_VIP_IMAGE:=ghcr.io/kube-vip/kube-vip:v0.9.2}
      args: [manager]
      env:
        - {name: vip_arp, value: "true"}
        - {name: port, value: "6443"}
        - {name: address, value: "\${CONTROL_PLANE_VIP}"}
        - {name: cp_enable, value: "true"}
        - {name: cp_namespace, value: kube-system}
        - {name: vip_leaderelection, value: "true"}
      securityContext:
        capabilities:
          add: [NET_ADMIN, NET_RAW]
      volumeMounts:
        - {name: kubeconfig, mountPath: /etc/kubernetes/admin.conf}
  volumes:
    - name: kubeconfig
      hostPath:
        path: /etc/kubernetes/admin.conf
`;

/** `PROVIDER_ID` becomes the id of the Hardware that the machine gets. */
const registration = `nodeRegistration:
  name: "{{ ds.meta_data.hostname }}"
  kubeletExtraArgs:
    - name: provider-id
      value: PROVIDER_ID
`;

const manifest = "/etc/kubernetes/manifests/kube-vip.yaml";
const swapped = (from: string, to: string): string =>
  `test ! -f /run/kubeadm/kubeadm.yaml || sed -i 's#path: /etc/kubernetes/${from}#path: /etc/kubernetes/${to}#' ${manifest}`;

const controlPlane = `apiVersion: ${Group.controlPlane}/v1beta2
kind: KubeadmControlPlane
metadata:
  name: \${CLUSTER_NAME}-control-plane
spec:
  replicas: \${CONTROL_PLANE_MACHINE_COUNT:=1}
  version: \${KUBERNETES_VERSION}
  machineTemplate:
    spec:
      infrastructureRef:
        apiGroup: ${Group.infrastructure}
        kind: TinkerbellMachineTemplate
        name: \${CLUSTER_NAME}-control-plane
  kubeadmConfigSpec:
    files:
      - path: ${manifest}
        owner: root:root
        permissions: "0600"
        content: |
${indented(virtualAddress, 10)}    preKubeadmCommands:
      # Before the first machine has authorized its administrator, nobody but the other one may do anything.
      - >-
        ${swapped("admin.conf", "super-admin.conf")}
    postKubeadmCommands:
      - >-
        ${swapped("super-admin.conf", "admin.conf")}
    initConfiguration:
${indented(registration, 6)}    joinConfiguration:
${indented(registration, 6)}        ignorePreflightErrors: [DirAvailable--etc-kubernetes-manifests]
`;

const workers = `apiVersion: ${Group.core}/v1beta2
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
        kind: TinkerbellMachineTemplate
        name: \${CLUSTER_NAME}-workers
---
apiVersion: ${Group.bootstrap}/v1beta2
kind: KubeadmConfigTemplate
metadata:
  name: \${CLUSTER_NAME}-workers
spec:
  template:
    spec:
      joinConfiguration:
${indented(registration, 8)}`;

const machines = (name: string): string => `apiVersion: ${infrastructure}
kind: TinkerbellMachineTemplate
metadata:
  name: \${CLUSTER_NAME}-${name}
spec:
  template:
    spec:
      bootOptions:
        bootMode: \${BOOT_MODE:=netboot}
`;

/** A control plane and a MachineDeployment, with kubeadm, on whatever Hardware there is. */
export const kubeadmTemplate: string = [
  cluster,
  controlPlane,
  machines("control-plane"),
  workers,
  machines("workers"),
].join("---\n");
