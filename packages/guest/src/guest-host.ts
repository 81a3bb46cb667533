import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { silentLogger, type CapstanError, type Clock, type Logger, type Random } from "@capstan/contract";
import type { GuestCloudV1, GuestRunOptionsV1, GuestRunV1 } from "@capstan/contract/v1";
import { Disk } from "./boot/disk.ts";
import type { GuestEtcd } from "./etcd/etcd-process.ts";
import { holdDirectory } from "./hold-directory.ts";
import { Images } from "./images/images.ts";
import type { GuestImage } from "./images/guest-image.ts";
import type { InternetPlace } from "./internet/internet.ts";
import { replaceFile } from "./replace-file.ts";
import type { BootRequest, MachineState } from "./boot/boot-request.ts";
import { GuestMachine, type GuestEnvironment } from "./machine/guest-machine.ts";
import type { Program } from "./unix/program.ts";
import { GuestNetwork } from "./workload/guest-network.ts";
import { WorkloadRegistry } from "./workload/workload-registry.ts";

export interface GuestHostOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Logger;
  /** Where disks and the state of workload clusters are kept, so that machines survive a restart of this process. Default: memory. */
  readonly directory?: string;
  /** Network of its machines, for sharing clusters with the machines of other hosts. Default: a network of its own. */
  readonly network?: GuestNetwork;
  /** Milliseconds from power-on to cloud-init. Default 200. */
  readonly bootMs?: number;
  /** Milliseconds that kubeadm takes, and the services of k3s and RKE2. Default 200. */
  readonly kubeadmMs?: number;
  /** The version of Kubernetes that a machine's image has; `undefined`: that of its cluster. Default: no image has one. */
  readonly versionOf?: (machine: Pick<BootRequest, "name" | "providerID">) => Promise<string | undefined>;
  /** Called when the state of a workload cluster could not be written: it takes no changes any more. */
  readonly onStorageFailed?: (failure: CapstanError) => void;
  /**
   * For unit tests that are not about the machine itself: it has every program, counts commands that it does not know as success, needs
   * neither a network plugin nor a cloud controller, and kubeadm checks nothing beforehand. Otherwise what a machine has is what its image has
   * and its documents install. Default: only machines whose cloud names no image are so.
   */
  readonly lenient?: boolean;
  /** Further images, looked at before those that the model knows. */
  readonly images?: readonly GuestImage[];
  /** Addresses of the internet that its machines see, asked before those that the model knows; no others are resolved. */
  readonly internet?: readonly InternetPlace[];
  /** Further programs for bootstrap commands, by name. */
  readonly programs?: Readonly<Record<string, Program>>;
}

/** Runs the machines of one simulated cloud. */
export interface GuestHost {
  /** Lets the cloud's controllers that run in clusters work, of every host with the same network. Called before any machine boots. */
  connect(cloud: GuestCloudV1): void;
  /** Powers a machine on; a machine whose disk is known boots from it instead of running its user-data again. Resolves when the boot is over. */
  boot(request: BootRequest): Promise<void>;
  /** Powers a machine off; its disk is destroyed unless `keepDisk`. An unknown id is success. */
  shutdown(id: string, options?: { readonly keepDisk?: boolean }): Promise<void>;
  /**
   * Runs a script inside a machine as an agent of its cloud does, and waits for its end; `undefined`: nothing runs there, or not any more.
   * Beside what boots may use, it knows `until`, `sleep`, `timeout` and `sh -c`.
   */
  run(id: string, script: string, options?: GuestRunOptionsV1): Promise<GuestRunV1 | undefined>;
  state(id: string): MachineState;
  /** Returns the console output of a machine; empty for an unknown one. */
  console(id: string): string;
  /** The disk of a machine, for tests and diagnosis. */
  disk(id: string): Disk | undefined;
  /** The member of etcd on a control-plane machine, unless its cluster has an external etcd. */
  etcd(id: string): GuestEtcd | undefined;
  /** Powers everything off, keeping the disks. */
  stop(): Promise<void>;
}

export const createGuestHost = (options: GuestHostOptions): GuestHost => {
  const log = options.log ?? silentLogger;
  const { clock, random, directory } = options;
  const release = directory === undefined ? undefined : holdDirectory(directory);
  const network = options.network ?? new GuestNetwork();
  const workloads = new WorkloadRegistry(
    { clock, random, log, onStorageFailed: options.onStorageFailed },
    directory === undefined ? undefined : join(directory, "clusters"),
    network,
  );
  const environment: GuestEnvironment = {
    clock,
    random,
    log,
    workloads,
    delays: { bootMs: options.bootMs ?? 200, kubeadmMs: options.kubeadmMs ?? 200 },
    versionOf: options.versionOf ?? (() => Promise.resolve(undefined)),
    programs: options.programs ?? {},
    lenient: options.lenient,
    images: new Images(options.images ?? []),
    places: options.internet ?? [],
  };
  const disks = diskStore(directory);
  const machines = new Map<string, GuestMachine>();
  const shutdown: GuestHost["shutdown"] = async (id, { keepDisk = false } = {}) => {
    const machine = machines.get(id);
    machines.delete(id);
    const hasBooted = machine?.state === "running" || machine?.state === "failed";
    await machine?.powerOff({ destroy: !keepDisk });
    if (!keepDisk) disks.remove(id);
    else if (machine !== undefined && hasBooted) disks.save(id, machine.disk);
  };
  return {
    connect: (cloud) => network.clouds.connect(cloud),
    boot: async (request) => {
      await machines.get(request.id)?.powerOff({ destroy: false });
      const machine = new GuestMachine(request, disks.load(request.id), environment);
      machines.set(request.id, machine);
      await machine.powerOn();
      // Only a finished boot is kept: a machine killed half-way begins again with an empty disk.
      if (machine.state === "running" || machine.state === "failed") disks.save(request.id, machine.disk);
    },
    shutdown,
    run: async (id, script, seen) => machines.get(id)?.run(script, seen),
    state: (id) => machines.get(id)?.state ?? "off",
    console: (id) => machines.get(id)?.console.text() ?? "",
    disk: (id) => machines.get(id)?.disk,
    etcd: (id) => machines.get(id)?.etcd,
    stop: async () => {
      await Promise.all([...machines.keys()].map((id) => shutdown(id, { keepDisk: true })));
      await workloads.stop();
      release?.();
    },
  };
};

interface DiskStore {
  load(id: string): Disk;
  save(id: string, disk: Disk): void;
  remove(id: string): void;
}

const diskStore = (directory: string | undefined): DiskStore => {
  if (directory === undefined) {
    const kept = new Map<string, Disk>();
    return {
      load: (id) => kept.get(id) ?? new Disk(),
      save: (id, disk) => void kept.set(id, disk),
      remove: (id) => void kept.delete(id),
    };
  }
  const folder = join(directory, "disks");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pathOf = (id: string): string => join(folder, `${encodeURIComponent(id)}.json`);
  return {
    load: (id) =>
      existsSync(pathOf(id))
        ? Disk.fromJSON(JSON.parse(readFileSync(pathOf(id), "utf8")) as ReturnType<Disk["toJSON"]>)
        : new Disk(),
    save: (id, disk) => replaceFile(pathOf(id), JSON.stringify(disk)),
    remove: (id) => rmSync(pathOf(id), { force: true }),
  };
};
