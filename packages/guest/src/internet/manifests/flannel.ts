import { workloadAccount } from "@capstan/kit/flavors";
import { nodeDaemon } from "./node-daemon.ts";

const beside = `apiVersion: v1
kind: Namespace
metadata:
  name: kube-flannel
  labels:
    k8s-app: flannel
    pod-security.kubernetes.io/enforce: privileged
---
${workloadAccount(
  "flannel",
  `- apiGroups: [""]
  resources: [pods]
  verbs: [get]
- apiGroups: [""]
  resources: [nodes]
  verbs: [get, list, watch]
- apiGroups: [""]
  resources: [nodes/status]
  verbs: [patch]
`,
  { namespace: "kube-flannel" },
)}---
apiVersion: v1
kind: ConfigMap
metadata:
  name: kube-flannel-cfg
  namespace: kube-flannel
  labels:
    app: flannel
data:
  net-conf.json: |
    {
      "Network": "10.244.0.0/16",
      "EnableNFTables": false,
      "Backend": {
        "Type": "vxlan"
      }
    }
---
`;

/** Returns the manifest that installs flannel, with the Pod range of flannel's own manifest. */
export const flannel = (version: string): string =>
  `${beside}${nodeDaemon({
    namespace: "kube-flannel",
    name: "kube-flannel-ds",
    app: "flannel",
    account: "flannel",
    image: `ghcr.io/flannel-io/flannel:${version}`,
    command: ["/opt/bin/flanneld", "--ip-masq", "--kube-subnet-mgr"],
  })}`;
