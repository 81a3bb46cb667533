import type { Disk } from "../boot/disk.ts";
import type { NodeFacts } from "../node/kubelet.ts";

/** The kubelet's credentials on a real machine; here also what it registered with, for a restart. */
export const kubeletConfPath = "/etc/kubernetes/kubelet.conf";

export const saveNode = (disk: Disk, facts: NodeFacts): void =>
  disk.write(kubeletConfPath, JSON.stringify(facts), { permissions: "0600" });

export const readNode = (disk: Disk): NodeFacts | undefined => {
  const text = disk.text(kubeletConfPath);
  return text === undefined ? undefined : (JSON.parse(text) as NodeFacts);
};
