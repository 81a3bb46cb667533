import type { Disk } from "../boot/disk.ts";
import type { NodeFacts } from "./kubelet.ts";

/** The kubelet's credentials on a real machine; here also what it registered with, for a restart. */
export const kubeletConfPath = "/etc/kubernetes/kubelet.conf";

/** The same where k3s or RKE2 runs the kubelet. */
export const agentKubeletConfPath = "/var/lib/rancher/agent/kubelet.kubeconfig";

export interface SavedNode extends NodeFacts {
  /** PEM of the authority of its cluster. */
  readonly authority: string;
}

export const saveNode = (disk: Disk, node: SavedNode, path = kubeletConfPath): void =>
  disk.write(path, JSON.stringify(node), { permissions: "0600" });

export const readNode = (disk: Disk): SavedNode | undefined => {
  const text = disk.text(kubeletConfPath) ?? disk.text(agentKubeletConfPath);
  return text === undefined ? undefined : (JSON.parse(text) as SavedNode);
};
