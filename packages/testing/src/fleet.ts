import { setTimeout as realPause } from "node:timers/promises";
import type { ProviderV1 } from "@capstan/contract/v1";
import { ClusterResource, MachineResource, conditionOf, valueAt } from "@capstan/contract/wire";
import type { MergePatch } from "@capstan/contract/wire";
import { keyOf, keyText } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import { CallGate } from "./conformance/call-gate.ts";
import { CorePart } from "./conformance/core-part.ts";
import type { ConformanceEnvironment } from "./conformance/environment.ts";

/** A request that a cloud was sent. */
export interface FleetRequest {
  readonly method: string;
  /** Method and path with values as `*`. */
  readonly family: string | undefined;
  readonly status?: number | undefined;
}

/** A simulated cloud with its real limits, and the infrastructure that is made there. */
export interface FleetCloud {
  readonly clusterKind: Resource;
  readonly machineKind: Resource;
  providers(): readonly ProviderV1[];
  clusterSpec(core: CorePart): MergePatch;
  machineSpec(core: CorePart): MergePatch;
  /** Called before the objects of a cluster are made. */
  prepare?(core: CorePart, machines: readonly string[]): Promise<void>;
  /** All that was asked of it so far. */
  requests(): readonly FleetRequest[];
  /** Returns whether something of it is under way that needs no virtual time, which then stands still. Default: `requests` shows that. */
  isBusy?(): boolean;
  /**
   * The shortest time in which anybody could bring a fleet of this size up or down, in milliseconds: what the limits of the cloud and its own
   * durations allow. `startedAt`: when it begins, by the clock.
   */
  leastMs(phase: "up" | "down", size: FleetSize, startedAt: number): number;
}

export interface FleetSize {
  readonly clusters: number;
  /** Number of machines of each cluster; the first is one of the control plane. */
  readonly machines: number;
}

/**
 * Cost of a phase of a fleet's life. Time is virtual: it is that of Azure, Linode and the gates, and none of this
 * computer's.
 */
export interface FleetPhase {
  readonly ms: number;
  readonly requests: readonly FleetRequest[];
}

/** A phase that is not shorter than the cloud allows. */
export interface BoundFleetPhase extends FleetPhase {
  readonly leastMs: number;
}

export interface FleetFigures {
  /** From nothing until every Machine has its Node. */
  readonly up: BoundFleetPhase;
  /** One sync period in which nothing happens. */
  readonly settled: FleetPhase;
  /** Until no machine, and then no cluster is left. */
  readonly down: BoundFleetPhase;
}

/** Virtual time in one step. Between two steps, everything under way finishes. */
const stepMs = 50;
const playMs = 500;
const longestMs = 3_600_000;
const syncPeriodMs = 600_000;

const isProvisioned = (object: KubeObject): boolean =>
  valueAt(object, "status.initialization.provisioned") === true || valueAt(object, "status.ready") === true;

const nodeConditions = [
  { type: "NodeHealthy", status: "True", reason: "NodeHealthy", lastTransitionTime: "2026-01-01T00:00:00Z" },
];

/** A fleet on one cloud: its objects, and core, which is played. */
class Fleet {
  readonly #environment: ConformanceEnvironment;
  readonly #cloud: FleetCloud;
  readonly #cores = new Map<string, CorePart>();
  readonly #reported = new Set<string>();
  readonly gate = new CallGate();

  constructor(environment: ConformanceEnvironment, cloud: FleetCloud) {
    this.#environment = environment;
    this.#cloud = cloud;
  }

  async create(index: number, machines: number): Promise<void> {
    const { client } = this.#environment;
    const { clusterKind, machineKind } = this.#cloud;
    const namespace = await this.#environment.namespace();
    const core = new CorePart(client, namespace, `fleet-${index}`);
    this.#cores.set(namespace, core);
    const names = Array.from({ length: machines }, (_, each) => `fleet-${index}-${each}`);
    await this.#cloud.prepare?.(core, names);
    const ref = ({ group, kind }: Resource, name: string) => ({ infrastructureRef: { apiGroup: group, kind, name } });
    const cluster = await core.createCluster(ref(clusterKind, core.clusterName));
    const owner = { kind: ClusterResource, object: cluster, controller: true };
    await core.createOwned(clusterKind, core.clusterName, this.#cloud.clusterSpec(core), owner);
    for (const name of names) {
      await core.createBootstrapSecret(name, "#cloud-config\n");
      const spec = { ...ref(machineKind, name), bootstrap: { dataSecretName: name }, version: "v1.34.0" };
      const object = await core.createMachine(name, spec, { controlPlane: name === names[0] });
      const own = { kind: MachineResource, object, controller: true };
      await core.createOwned(machineKind, name, this.#cloud.machineSpec(core), own);
    }
  }

  /** Does what core and the Nodes would have done by now. Returns the number of machines that have their Node. */
  async play(): Promise<number> {
    const { clusterKind, machineKind } = this.#cloud;
    for (const object of await this.#all(clusterKind)) {
      if (!isProvisioned(object) || !this.#isNews(object)) continue;
      await this.#coreOf(object).infrastructureProvisioned();
    }
    const machines = await this.#all(machineKind);
    for (const object of machines) {
      if (!isProvisioned(object) || !this.#isNews(object)) continue;
      const name = object.metadata.name ?? "";
      await this.#coreOf(object).setStatus(MachineResource, name, "status", {
        nodeRef: { name },
        conditions: nodeConditions,
      });
    }
    return machines.filter(({ metadata }) => this.#reported.has(metadata.uid ?? "")).length;
  }

  async delete(kind: Resource): Promise<void> {
    for (const object of await this.#all(kind)) await this.#environment.client.delete(kind, keyOf(object));
  }

  async areGone(kind: Resource): Promise<boolean> {
    return (await this.#all(kind)).length === 0;
  }

  /** Returns the first five objects that are not Ready, with their messages, for the report of a timeout. */
  async state(kind: Resource): Promise<string> {
    const all = await this.#all(kind);
    const waiting = all.filter((object) => conditionOf(object, "Ready")?.status !== "True");
    return waiting
      .slice(0, 5)
      .map((object) => `${keyText(keyOf(object))}: ${conditionOf(object, "Ready")?.message ?? "nothing"}`)
      .join("; ");
  }

  /** Lets virtual time pass until something holds; work that needs no time is done before each step. */
  async until(condition: () => Promise<boolean>, waitingFor: Resource): Promise<number> {
    const { clock } = this.#environment;
    const start = clock.now();
    for (let playAt = start; ;) {
      await this.#quiet();
      if (clock.now() >= playAt) {
        if (await condition()) return clock.now() - start;
        playAt = clock.now() + playMs;
        await this.#quiet();
      }
      if (clock.now() - start > longestMs) throw new Error(`still waiting: ${await this.state(waitingFor)}`);
      await clock.advance(stepMs);
    }
  }

  /** Until nothing has been asked of anybody for some turns. */
  async #quiet(): Promise<void> {
    const count = (): number => this.gate.passed.length + this.#cloud.requests().length;
    for (let turns = 0, before = count(); turns < 3;) {
      await realPause(1);
      turns = count() === before && this.#cloud.isBusy?.() !== true ? turns + 1 : 0;
      before = count();
    }
  }

  async #all(kind: Resource): Promise<readonly KubeObject[]> {
    const { items } = await this.#environment.client.list<KubeObject>(kind);
    return items.filter(({ metadata }) => this.#cores.has(metadata.namespace ?? ""));
  }

  #isNews({ metadata: { uid = "" } }: KubeObject): boolean {
    const isNews = !this.#reported.has(uid);
    this.#reported.add(uid);
    return isNews;
  }

  #coreOf({ metadata }: KubeObject): CorePart {
    return this.#cores.get(metadata.namespace ?? "")!;
  }
}

/** Brings a fleet up, leaves it alone for a sync period, and takes it down; all of it at once each time. */
export const fleetFigures = async (
  environment: ConformanceEnvironment,
  cloud: FleetCloud,
  size: FleetSize,
): Promise<FleetFigures> => {
  const { clusters, machines } = size;
  const fleet = new Fleet(environment, cloud);
  for (let index = 0; index < clusters; index += 1) await fleet.create(index, machines);
  const running = await environment.runManager({ providers: cloud.providers(), gate: fleet.gate });
  const phase = async (work: () => Promise<number>): Promise<FleetPhase> => {
    const before = cloud.requests().length;
    const ms = await work();
    return { ms, requests: cloud.requests().slice(before) };
  };
  const bound = async (way: "up" | "down", work: () => Promise<number>): Promise<BoundFleetPhase> => {
    const leastMs = cloud.leastMs(way, size, environment.clock.now());
    return { ...(await phase(work)), leastMs };
  };
  const { clusterKind, machineKind } = cloud;
  try {
    const up = await bound("up", () =>
      fleet.until(async () => (await fleet.play()) === clusters * machines, machineKind),
    );
    // What is read once more after the first list belongs to the beginning.
    await environment.pass(2 * syncPeriodMs);
    const settled = await phase(async () => {
      await environment.pass(syncPeriodMs);
      return syncPeriodMs;
    });
    const down = await bound("down", async () => {
      await fleet.delete(machineKind);
      const ofMachines = await fleet.until(() => fleet.areGone(machineKind), machineKind);
      await fleet.delete(clusterKind);
      return ofMachines + (await fleet.until(() => fleet.areGone(clusterKind), clusterKind));
    });
    return { up, settled, down };
  } finally {
    await running.stop();
  }
};
