import { type CertificateAndKey, issueCertificate } from "@capstan/pki";
import type { EtcdCluster } from "../etcd/etcd-cluster.ts";
import { untilAgreed } from "../etcd/until-agreed.ts";
import { etcdPrefix } from "../etcd/node-annotations.ts";
import type { MachineContext } from "../node/machine-context.ts";
import type { WorkloadCluster } from "../workload/workload-cluster.ts";
import { type Distribution, serviceError } from "./distribution.ts";

/** Time that a joining member takes to catch up with the leader. */
const stepMs = 100;
/** Left on the disk of a server, so that a restart finds out which member it is. */
const nameFile = "server/db/etcd/name";

const untilDone = <T>(machine: MachineContext, work: () => T): Promise<T> =>
  untilAgreed(machine, work, ({ message }) => serviceError(`ETCD join failed: ${message}`));

const certificatesFrom = async (machine: MachineContext, authority: CertificateAndKey, name: string) => {
  const { certificate, key } = await issueCertificate(authority, {
    now: machine.clock.now(),
    commonName: "etcd-server",
    hosts: [...new Set([name, "localhost", "127.0.0.1", "::1", machine.request.address])],
    usages: ["server", "client"],
    algorithm: "ECDSA-P256",
  });
  return { authority: authority.certificate, certificate, key };
};

/** Runs the member in the server until the machine is switched off, and serves its clients on the Node. */
const run = async (
  machine: MachineContext,
  { etcd, ports, registration }: WorkloadCluster,
  member: { readonly id: string; readonly name: string; readonly node: string },
): Promise<void> => {
  const authority = registration?.etcdAuthority;
  if (authority === undefined) throw serviceError("the cluster is gone");
  const certificates = await certificatesFrom(machine, authority, member.node);
  // gRPC is large, and most machines have no member.
  const { EtcdProcess } = await import("../etcd/etcd-process.ts");
  machine.signal.throwIfAborted();
  machine.etcd = new EtcdProcess(etcd, member.id, {
    name: member.name,
    certificates,
    listen: (port, accept) => ports.listen(member.node, port, accept),
    report: () => undefined,
    print: (line) => machine.console.print("etcd", line),
  });
  machine.etcd.start();
  machine.signal.addEventListener("abort", () => machine.etcd?.powerOff(), { once: true });
};

const suffixBytes = 4;
/** A member is named after its Node. */
const nameOfMember = (node: string, { random }: MachineContext): string =>
  `${node}-${Buffer.from(random.bytes(suffixBytes)).toString("hex")}`;
const nodeOfMember = (name: string): string => name.slice(0, -(1 + 2 * suffixBytes));

/** Starts the member that the server has by its disk. */
export const startManagedEtcd = async (
  machine: MachineContext,
  folder: string,
  cluster: WorkloadCluster,
): Promise<void> => {
  const name = machine.disk.text(`${folder}/${nameFile}`);
  const member = cluster.etcd.members.find((each) => each.name === name);
  if (member === undefined) return;
  await run(machine, cluster, { id: member.id, name: member.name, node: nodeOfMember(member.name) });
};

const addLearner = (machine: MachineContext, etcd: EtcdCluster, address: string): Promise<string> =>
  untilDone(machine, () => etcd.addLearner(address).id);

/**
 * Adds the server to the etcd inside the servers of its cluster, or begins that: a further member learns before it votes. Returns what its
 * Node says of it. Throws `guest.service_failed`.
 */
export const joinManagedEtcd = async (
  machine: MachineContext,
  {
    distribution,
    folder,
    node,
  }: { readonly distribution: Distribution; readonly folder: string; readonly node: string },
  cluster: WorkloadCluster,
): Promise<Readonly<Record<string, string>>> => {
  const { address } = machine.request;
  const { etcd } = cluster;
  const name = nameOfMember(node, machine);
  machine.disk.write(`${folder}/${nameFile}`, name, { permissions: "0600" });
  if (etcd.members.length === 0) {
    await run(machine, cluster, { id: etcd.add(name, address).id, name, node });
  } else {
    const id = await addLearner(machine, etcd, address);
    await run(machine, cluster, { id, name, node });
    await machine.clock.sleep(stepMs, { signal: machine.signal });
    await untilDone(machine, () => etcd.promote(id));
  }
  const prefix = etcdPrefix(distribution.name);
  return { [`${prefix}/node-name`]: name, [`${prefix}/node-address`]: address };
};
