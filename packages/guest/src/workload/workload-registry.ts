import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { GuestWayV1 } from "@capstan/contract/v1";
import { forwardTcp } from "@capstan/simulation/network";
import { Kubelets } from "../controllers/kubelets.ts";
import type { ControlPlaneMaterial } from "./control-plane-material.ts";
import { GuestNetwork, type ServedCluster } from "./guest-network.ts";
import { WorkloadCluster, type WorkloadEnvironment } from "./workload-cluster.ts";

type RegistryEnvironment = Omit<WorkloadEnvironment, "clouds" | "kubelets">;

/**
 * The workload clusters that machines of one guest host serve and join, by certificate authority. A cluster runs while a control-plane machine
 * of it does; every such machine answers on its own address.
 */
export class WorkloadRegistry {
  readonly #environment: RegistryEnvironment;
  readonly #directory: string | undefined;
  readonly #network: GuestNetwork;
  readonly #host: string;

  /** Without a directory the clusters' state is lost with the process. */
  constructor(environment: RegistryEnvironment, directory: string | undefined, network = new GuestNetwork()) {
    this.#environment = environment;
    this.#directory = directory;
    this.#network = network;
    this.#host = network.nextHost();
    if (directory !== undefined) mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  /** Starts the cluster or joins a machine to it. `fresh` begins with empty state. Rejects when the signal is aborted meanwhile. */
  async serve(
    machineId: string,
    listen: { readonly host: string; readonly port: number },
    material: Omit<ControlPlaneMaterial, "file">,
    options: { readonly fresh: boolean; readonly signal: AbortSignal },
  ): Promise<WorkloadCluster> {
    const id = idOf(material.authority.certificate);
    const { clusters } = this.#network;
    const running = clusters.get(id) ?? this.#start(id, material, options);
    clusters.set(id, running);
    const member = this.#memberOf(machineId);
    const entry = await running;
    // From here on it is one of the members: the last of the others may leave.
    const forward =
      entry.members.get(member) ?? forwardTcp(listen, () => [{ host: "127.0.0.1", port: entry.cluster.port }]);
    entry.members.set(member, forward);
    entry.cluster.servedAt.set(member, listen.host);
    try {
      await forward;
    } catch (error) {
      entry.members.delete(member);
      entry.cluster.servedAt.delete(member);
      await this.#stopUnused(id, entry);
      throw error;
    }
    return entry.cluster;
  }

  /** Returns whether the clouds let a connection of a machine through. */
  pass(way: GuestWayV1): boolean {
    return this.#network.clouds.pass(way);
  }

  /** The running cluster of an authority. */
  async find(authority: string): Promise<WorkloadCluster | undefined> {
    return (await this.#network.clusters.get(idOf(authority)))?.cluster;
  }

  /** The running cluster that shows a certificate. */
  async findServing(certificate: string): Promise<WorkloadCluster | undefined> {
    const entries = await this.#running();
    return entries.find(([, { cluster }]) => cluster.servingCertificate.trim() === certificate.trim())?.[1].cluster;
  }

  /** The kubelets of the cluster of an authority, whether it runs or not. */
  kubelets(authority: string): Kubelets {
    const id = idOf(authority);
    const known = this.#network.kubelets.get(id) ?? new Kubelets(this.#environment.clock);
    this.#network.kubelets.set(id, known);
    return known;
  }

  /** Takes a machine away; the last one stops its cluster, and `destroy` then removes the state too. */
  leave(machineId: string, options: { readonly destroy: boolean }): Promise<void> {
    return this.#leave(this.#memberOf(machineId), options);
  }

  async #leave(member: string, options: { readonly destroy: boolean }): Promise<void> {
    for (const [id, entry] of await this.#running()) {
      const forward = entry.members.get(member);
      if (forward === undefined) continue;
      entry.members.delete(member);
      entry.cluster.servedAt.delete(member);
      await forward.then(
        (open) => open.close(),
        () => undefined,
      );
      await this.#stopUnused(id, entry);
      if (entry.members.size === 0 && options.destroy && entry.file !== undefined) removeState(entry.file);
    }
  }

  async stop(): Promise<void> {
    const entries = await this.#running();
    const members = entries.flatMap(([, entry]) => [...entry.members.keys()]);
    const own = members.filter((member) => member.startsWith(this.#memberOf("")));
    for (const member of own) await this.#leave(member, { destroy: false });
  }

  #memberOf(machineId: string): string {
    return `${this.#host}/${machineId}`;
  }

  /** Clusters that could not be started are no one's any more. */
  async #running(): Promise<readonly (readonly [string, ServedCluster])[]> {
    const started = await Promise.allSettled(
      [...this.#network.clusters].map(async ([id, pending]) => [id, await pending] as const),
    );
    return started.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  }

  /** Machines that leave together find it unused together. */
  async #stopUnused(id: string, entry: ServedCluster): Promise<void> {
    if (entry.members.size > 0) return;
    if (entry.stopped === undefined) this.#network.clusters.delete(id);
    await (entry.stopped ??= entry.cluster.stop());
  }

  async #start(
    id: string,
    material: Omit<ControlPlaneMaterial, "file">,
    { fresh, signal }: { readonly fresh: boolean; readonly signal: AbortSignal },
  ): Promise<ServedCluster> {
    const file = this.#directory === undefined ? undefined : join(this.#directory, `${id}.sqlite`);
    if (fresh && file !== undefined) removeState(file);
    const { clouds } = this.#network;
    const kubelets = this.kubelets(material.authority.certificate);
    const cluster = new WorkloadCluster({ ...material, file }, { ...this.#environment, kubelets, clouds });
    try {
      await cluster.start({ signal });
    } catch (error) {
      this.#network.clusters.delete(id);
      await cluster.stop();
      throw error;
    }
    return { cluster, members: new Map(), file };
  }
}

const idOf = (authority: string): string => createHash("sha256").update(authority).digest("hex").slice(0, 24);

/** SQLite keeps its write-ahead log and shared memory beside the file, the API server its identity, etcd its members. */
const removeState = (file: string): void => {
  for (const suffix of ["", "-wal", "-shm", ".identity.json", ".etcd.json"]) {
    rmSync(`${file}${suffix}`, { force: true });
  }
};
