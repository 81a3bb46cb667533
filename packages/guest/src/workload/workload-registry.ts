import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { forwardTcp, type TcpForward } from "@capstan/simulation/network";
import { Kubelets } from "../controllers/kubelets.ts";
import type { ControlPlaneMaterial } from "./control-plane-material.ts";
import { WorkloadCluster, type WorkloadEnvironment } from "./workload-cluster.ts";

type RegistryEnvironment = Omit<WorkloadEnvironment, "kubelets">;

interface Entry {
  readonly cluster: WorkloadCluster;
  /** Machines that serve it or are about to. */
  readonly members: Map<string, Promise<TcpForward>>;
  readonly file: string | undefined;
  /** Set when the cluster was stopped, as nobody serves it any more. */
  stopped?: Promise<void>;
}

/**
 * The workload clusters of one guest host, by certificate authority. A cluster runs while a control-plane machine of it does;
 * every such machine answers on its own address.
 */
export class WorkloadRegistry {
  readonly #environment: RegistryEnvironment;
  readonly #directory: string | undefined;
  readonly #entries = new Map<string, Promise<Entry>>();
  readonly #kubelets = new Map<string, Kubelets>();

  /** Without a directory the clusters' state is lost with the process. */
  constructor(environment: RegistryEnvironment, directory: string | undefined) {
    this.#environment = environment;
    this.#directory = directory;
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
    const running = this.#entries.get(id) ?? this.#start(id, material, options);
    this.#entries.set(id, running);
    const entry = await running;
    // From here on it is one of the members: the last of the others may leave.
    const forward =
      entry.members.get(machineId) ?? forwardTcp(listen, () => [{ host: "127.0.0.1", port: entry.cluster.port }]);
    entry.members.set(machineId, forward);
    try {
      await forward;
    } catch (error) {
      entry.members.delete(machineId);
      await this.#stopUnused(id, entry);
      throw error;
    }
    return entry.cluster;
  }

  /** The running cluster of an authority. */
  async find(authority: string): Promise<WorkloadCluster | undefined> {
    return (await this.#entries.get(idOf(authority)))?.cluster;
  }

  /** The running cluster that shows a certificate. */
  async findServing(certificate: string): Promise<WorkloadCluster | undefined> {
    const entries = await this.#running();
    return entries.find(([, { cluster }]) => cluster.servingCertificate.trim() === certificate.trim())?.[1].cluster;
  }

  /** The kubelets of the cluster of an authority, whether it runs or not. */
  kubelets(authority: string): Kubelets {
    const id = idOf(authority);
    const known = this.#kubelets.get(id) ?? new Kubelets(this.#environment.clock);
    this.#kubelets.set(id, known);
    return known;
  }

  /** Takes a machine away; the last one stops its cluster, and `destroy` then removes the state too. */
  async leave(machineId: string, options: { readonly destroy: boolean }): Promise<void> {
    for (const [id, entry] of await this.#running()) {
      const forward = entry.members.get(machineId);
      if (forward === undefined) continue;
      entry.members.delete(machineId);
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
    const machines = entries.flatMap(([, { members }]) => [...members.keys()]);
    for (const id of machines) await this.leave(id, { destroy: false });
  }

  /** Clusters that could not be started are nobody's any more. */
  async #running(): Promise<readonly (readonly [string, Entry])[]> {
    const started = await Promise.allSettled(
      [...this.#entries].map(async ([id, pending]) => [id, await pending] as const),
    );
    return started.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  }

  /** Machines that leave together find it unused together. */
  async #stopUnused(id: string, entry: Entry): Promise<void> {
    if (entry.members.size > 0) return;
    if (entry.stopped === undefined) this.#entries.delete(id);
    await (entry.stopped ??= entry.cluster.stop());
  }

  async #start(
    id: string,
    material: Omit<ControlPlaneMaterial, "file">,
    { fresh, signal }: { readonly fresh: boolean; readonly signal: AbortSignal },
  ): Promise<Entry> {
    const file = this.#directory === undefined ? undefined : join(this.#directory, `${id}.sqlite`);
    if (fresh && file !== undefined) removeState(file);
    const kubelets = this.kubelets(material.authority.certificate);
    const cluster = new WorkloadCluster({ ...material, file }, { ...this.#environment, kubelets });
    try {
      await cluster.start({ signal });
    } catch (error) {
      this.#entries.delete(id);
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
