import { workloadAccount } from "@capstan/kit/flavors";
import { nodeDaemon } from "./node-daemon.ts";

/** Returns the manifest that installs Cilium without Helm. */
export const cilium = (version: string): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: cilium-config
  namespace: kube-system
data:
  ipam: cluster-pool
  enable-ipv4: "true"
---
${workloadAccount(
  "cilium",
  `- apiGroups: [""]
  resources: [nodes, namespaces, pods, services, endpoints]
  verbs: [get, list, watch]
- apiGroups: [""]
  resources: [nodes, nodes/status]
  verbs: [patch]
`,
)}---
${nodeDaemon({
  namespace: "kube-system",
  name: "cilium",
  app: "cilium",
  account: "cilium",
  image: `quay.io/cilium/cilium:${version}`,
  command: ["cilium-agent", "--config-dir=/tmp/cilium/config-map"],
})}`;
