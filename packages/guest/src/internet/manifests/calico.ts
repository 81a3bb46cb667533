import { workloadAccount } from "@capstan/kit/flavors";
import { nodeDaemon } from "./node-daemon.ts";

const account = (name: string): string => `${workloadAccount(
  name,
  `- apiGroups: [""]
  resources: [nodes, namespaces, pods, services, configmaps]
  verbs: [get, list, watch]
- apiGroups: [""]
  resources: [nodes/status, pods/status]
  verbs: [patch, update]
`,
)}---
`;

/** Returns the manifest that installs Calico without its operator. */
export const calico = (version: string): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: calico-config
  namespace: kube-system
data:
  calico_backend: bird
  veth_mtu: "0"
---
${account("calico-node")}${account("calico-kube-controllers")}${nodeDaemon({
  namespace: "kube-system",
  name: "calico-node",
  app: "calico-node",
  account: "calico-node",
  image: `docker.io/calico/node:${version}`,
  command: ["calico-node", "-felix"],
})}---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: calico-kube-controllers
  namespace: kube-system
  labels:
    k8s-app: calico-kube-controllers
spec:
  replicas: 1
  selector:
    matchLabels:
      k8s-app: calico-kube-controllers
  strategy:
    type: Recreate
  template:
    metadata:
      labels:
        k8s-app: calico-kube-controllers
    spec:
      serviceAccountName: calico-kube-controllers
      priorityClassName: system-cluster-critical
      nodeSelector:
        kubernetes.io/os: linux
      tolerations:
        - key: CriticalAddonsOnly
          operator: Exists
        - key: node-role.kubernetes.io/control-plane
          effect: NoSchedule
      containers:
        - name: calico-kube-controllers
          image: docker.io/calico/kube-controllers:${version}
`;
