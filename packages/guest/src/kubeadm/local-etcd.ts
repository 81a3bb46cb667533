import { issueCertificate } from "@capstan/pki";
import { untilAgreed } from "../etcd/until-agreed.ts";
import type { MachineContext } from "../node/machine-context.ts";
import { reportCrash, reportRunning, staticPodOf } from "../node/static-pods.ts";
import type { WorkloadCluster } from "../workload/workload-cluster.ts";
import { kubeadmError } from "./configuration.ts";
import { authorityOn, type PkiPlace } from "./pki-directory.ts";

/** Left on the disk of a machine with a member of etcd, so that a restart finds out which one it is. */
const manifestPath = "/etc/kubernetes/manifests/etcd.yaml";

/** Time that a joining member takes to start, and again to catch up with the leader. */
const stepMs = 100;

/** The certificates that kubeadm signs with the authority of etcd, under the certificates directory. */
const certificates = [
  { file: "etcd/server", isServer: true },
  { file: "etcd/peer", isServer: true },
  { file: "etcd/healthcheck-client", isServer: false },
  { file: "apiserver-etcd-client", isServer: false },
] as const;

const issueCertificates = async (machine: MachineContext, place: PkiPlace, name: string): Promise<void> => {
  const { clock, disk, request } = machine;
  const authority = authorityOn(disk, place, "etcd/ca");
  for (const { file, isServer } of certificates) {
    const { certificate, key } = await issueCertificate(authority, {
      now: clock.now(),
      commonName: isServer ? name : `kube-${file.replace("/", "-")}`,
      hosts: isServer ? [...new Set([name, "localhost", "127.0.0.1", "::1", request.address])] : [],
      usages: isServer ? ["server", "client"] : ["client"],
      algorithm: "ECDSA-P256",
    });
    disk.write(`${place.certificatesDir}/${file}.crt`, certificate, { permissions: "0644" });
    disk.write(`${place.certificatesDir}/${file}.key`, key, { permissions: "0600" });
  }
};

/** As kubeadm repeats a call. Throws `guest.kubeadm_failed` when etcd refuses too long. */
const untilDone = <T>(machine: MachineContext, work: () => T): Promise<T> =>
  untilAgreed(machine, work, ({ message }) =>
    kubeadmError(`error creating local etcd static pod manifest file: ${message}`),
  );

/**
 * Adds the machine to the etcd of its cluster, or begins that, and starts the member: a further one as a learner, which votes once it runs.
 * Throws `guest.kubeadm_failed`.
 */
export const joinEtcd = async (
  machine: MachineContext,
  place: PkiPlace,
  workload: WorkloadCluster,
  name: string,
): Promise<void> => {
  await issueCertificates(machine, place, name);
  const { certificate } = authorityOn(machine.disk, place, "etcd/ca");
  if (workload.etcdAuthority !== undefined && workload.etcdAuthority.trim() !== certificate.trim()) {
    throw kubeadmError(
      "error syncing endpoints with etcd: tls: failed to verify certificate: signed by unknown authority",
    );
  }
  workload.etcdAuthority = certificate;
  const { address } = machine.request;
  const { etcd } = workload;
  const isFirst = etcd.members.length === 0;
  const { id } = await untilDone(machine, () => (isFirst ? etcd.add(name, address) : etcd.addLearner(address)));
  machine.disk.write(manifestPath, JSON.stringify({ id }), { permissions: "0600" });
  if (!isFirst) await machine.clock.sleep(stepMs, { signal: machine.signal });
  await startEtcd(machine, place, workload, name);
  if (!isFirst) {
    await machine.clock.sleep(stepMs, { signal: machine.signal });
    await untilDone(machine, () => etcd.promote(id));
  }
  machine.console.print("kubeadm", `[etcd] Announced new etcd member joining to the existing etcd cluster: ${name}`);
};

/** Starts the member that the machine has by its disk, until the machine is switched off. Without one nothing is done. */
export const startEtcd = async (
  machine: MachineContext,
  place: PkiPlace,
  workload: WorkloadCluster,
  name: string,
): Promise<void> => {
  const manifest = machine.disk.text(manifestPath);
  if (manifest === undefined) return;
  workload.etcdAuthority ??= machine.disk.text(`${place.certificatesDir}/etcd/ca.crt`);
  const { id } = JSON.parse(manifest) as { readonly id: string };
  const at = (file: string): string => machine.disk.text(`${place.certificatesDir}/${file}`) ?? "";
  const report = (isRunning: boolean): void => {
    const { admin: client } = workload;
    const pod = staticPodOf("etcd", name);
    const reported = isRunning ? reportRunning(client, pod, machine) : reportCrash(client, pod, machine);
    reported.catch((error: unknown) => {
      if (!machine.signal.aborted) machine.log.warn("a Pod could not be reported", { pod, error: String(error) });
    });
  };
  // gRPC is large, and most machines have no member.
  const { EtcdProcess } = await import("../etcd/etcd-process.ts");
  machine.signal.throwIfAborted();
  machine.etcd = new EtcdProcess(workload.etcd, id, {
    name,
    certificates: { authority: at("etcd/ca.crt"), certificate: at("etcd/server.crt"), key: at("etcd/server.key") },
    listen: (port, accept) => workload.ports.listen(name, port, accept),
    report,
    print: (line) => machine.console.print("etcd", line),
  });
  machine.etcd.start();
  machine.signal.addEventListener("abort", () => machine.etcd?.powerOff(), { once: true });
};
