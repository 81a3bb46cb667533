import type { MachineContext } from "../node/machine-context.ts";
import { kubeletFolder } from "./kubelet-check.ts";
import { isControlPlane, readServed } from "./control-plane.ts";

const folder = "/etc/kubernetes/";

/**
 * `kubeadm reset`: takes the machine's member out of etcd, ends what it serves and removes what init and join have left on its disk. Its
 * Node stays, as with kubeadm.
 */
export const kubeadmReset = async (machine: MachineContext): Promise<void> => {
  const { console: output, disk, etcd } = machine;
  if (etcd !== undefined) output.print("kubeadm", `[reset] ${etcd.leave()}`);
  delete machine.etcd;
  machine.stopKubelet?.();
  delete machine.stopKubelet;
  await machine.workloads.leave(machine.request.id, { destroy: true });
  output.print("kubeadm", `[reset] Deleting contents of directories: [${folder}manifests ${folder}pki]`);
  const { etcdDirectory } = isControlPlane(machine) ? readServed(machine) : {};
  if (etcdDirectory !== undefined) {
    output.print("kubeadm", `[reset] Deleted contents of the etcd data directory: ${etcdDirectory}`);
  }
  output.print("kubeadm", `[reset] Deleting contents of stateful directories: [${kubeletFolder.slice(0, -1)}]`);
  const folders = [folder, kubeletFolder, ...(etcdDirectory === undefined ? [] : [`${etcdDirectory}/`])];
  for (const path of disk.paths()) if (folders.some((start) => path.startsWith(start))) disk.remove(path);
};
