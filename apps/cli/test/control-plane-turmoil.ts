import assert from "node:assert/strict";
import { Annotation, isCapstanError } from "@capstan/contract";
import type { SimulationOutsideV1 } from "@capstan/contract/v1";
import {
  ClusterResource,
  conditionsOf,
  isControlPlane,
  MachineResource,
  NodeResource,
  valueAt,
} from "@capstan/contract/wire";
import { KubeadmControlPlane } from "@capstan/controlplane-kubeadm/api";
import type { GuestEtcd, GuestHost } from "@capstan/guest";
import { createSimulation, type LinodeSimulation } from "@capstan/sim-linode";
import type { Machine } from "@capstan/kit/machines";
import { isBeingDeleted } from "@capstan/kube-values";
import { seededRandom } from "@capstan/testing";
import { key, lookEvery, manifestOf, namespace, withLateServers } from "./kubeadm-cluster.ts";
import { startTestSystemOn, type TestSystem } from "./test-system.ts";
import { workloadClient } from "./workload-client.ts";

const hook = `${Annotation.preTerminateHookPrefix}kcp-cleanup`;

/** How late a server comes up that comes up late, in milliseconds: around the time at which it is no longer waited for. */
const lateMs = 600_000;

/** One cluster, of which people edit, scale and delete what they like at any moment. */
export class Turmoil {
  readonly #system: TestSystem;
  readonly #guests: readonly GuestHost[];
  /** How often it is looked while nothing is done: seldom where that takes long. */
  readonly #restStepMs: number;
  readonly #random: ReturnType<typeof seededRandom>;
  /** What was done, for whoever reads a failure. */
  readonly #done: string[] = [];
  #hadLeader = false;
  #replicas = 1;

  private constructor(system: TestSystem, guests: readonly GuestHost[], seed: number, restStepMs: number) {
    this.#system = system;
    this.#guests = guests;
    this.#restStepMs = restStepMs;
    this.#random = seededRandom(seed);
  }

  /**
   * `late`: one server of six comes up ten minutes late, or a little before or after that. `sharesToken`: all servers join with a token of
   * the user's, which is not revoked for one of them.
   */
  static async start(
    seed: number,
    { late = false, sharesToken = false }: { readonly late?: boolean; readonly sharesToken?: boolean } = {},
  ): Promise<Turmoil> {
    const guests: GuestHost[] = [];
    const random = seededRandom(seed + 1000);
    const lateness = (): number => (random.next() < 1 / 6 ? lateMs + (random.next() - 0.5) * 4000 : 0);
    const watched = (outside: SimulationOutsideV1): SimulationOutsideV1 => ({
      ...outside,
      guest: (name) => {
        const host = outside.guest(name) as GuestHost;
        guests.push(host);
        const { clock } = outside;
        return late ? withLateServers(host, (signal) => clock.sleep(lateness(), { signal })) : host;
      },
    });
    const cloud = {
      linode: (outside: SimulationOutsideV1): Promise<LinodeSimulation> => createSimulation(watched(outside)),
    };
    return new Turmoil(
      await startTestSystemOn(cloud, manifestOf(sharesToken), { lenient: true }),
      guests,
      seed,
      late ? 1000 : 100,
    );
  }

  /** Does some things at random moments, then lets the cluster come to rest and looks at what is left. */
  async round(): Promise<void> {
    try {
      for (let moves = 1 + this.#pick(3); moves > 0; moves -= 1) {
        await this.#move();
        await this.#pass(this.#random.next() ** 2 * 8000);
      }
      await this.#settle();
    } catch (cause) {
      throw new Error(`after ${this.#done.join(", ")}\n${await this.#described()}`, { cause });
    }
  }

  /** Deletes the cluster in the middle of something. */
  async end(): Promise<void> {
    const { client } = this.#system.running;
    await this.#move();
    await this.#pass(this.#random.next() * 4000);
    this.#hadLeader = false;
    await client.delete(ClusterResource, key);
    await this.#system.until(async () => (await client.find(ClusterResource, key)) === undefined);
    assert.deepEqual(this.#system.simulator.state.instances, [], "servers");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#system[Symbol.asyncDispose]();
  }

  async #machines(): Promise<readonly Machine[]> {
    const { items } = await this.#system.running.client.list(MachineResource, { namespace });
    return (items as readonly Machine[]).filter(isControlPlane);
  }

  #members(): readonly GuestEtcd[] {
    const ids = this.#system.simulator.state.instances.map(({ id }) => String(id));
    return this.#guests.flatMap((host) => ids.flatMap((id) => host.etcd(id) ?? []));
  }

  /** Once the control plane is initialized, there is always a leader; before, there is no cluster that could be lost. */
  async #assertQuorum(): Promise<void> {
    const members = this.#members();
    const hasLeader = members.some(({ isLeader }) => isLeader);
    const list = members[0]?.members.map(({ isLearner, name }) => `${name}${isLearner === true ? " (learner)" : ""}`);
    if (this.#hadLeader) assert.ok(hasLeader, `etcd has no leader: ${list?.join(", ")}`);
    else if (hasLeader) this.#hadLeader = await this.#isInitialized();
  }

  async #isInitialized(): Promise<boolean> {
    const object = await this.#system.running.client.find<KubeadmControlPlane>(KubeadmControlPlane, key);
    return object?.status?.initialization?.controlPlaneInitialized === true;
  }

  async #until(condition: () => Promise<boolean>, everyMs = this.#restStepMs): Promise<void> {
    const look = async (): Promise<boolean> => {
      await this.#assertQuorum();
      return condition();
    };
    await lookEvery(this.#system.clock, look, { everyMs, maxMs: 12_000 * everyMs });
  }

  async #pass(ms: number): Promise<void> {
    const end = this.#system.clock.now() + ms;
    await this.#until(async () => this.#system.clock.now() >= end, 100);
    this.#done.push(`${Math.round(ms)} ms`);
  }

  #pick(count: number): number {
    return Math.floor(this.#random.next() * count);
  }

  async #move(): Promise<void> {
    const moves = [
      () => this.#edit(3),
      () => this.#edit(undefined),
      () => this.#edit(4),
      () => this.#scale(1),
      () => this.#scale(3),
      () => this.#delete(),
      () => this.#delete(),
      () => this.#remediate(),
      () => this.#take(),
    ];
    await moves[this.#pick(moves.length)]?.();
  }

  async #patch(spec: object): Promise<void> {
    const { client } = this.#system.running;
    await client.patch(KubeadmControlPlane, key, { type: "merge", body: { spec } });
  }

  async #edit(verbosity: number | undefined): Promise<void> {
    this.#done.push(`verbosity ${verbosity ?? "taken back"}`);
    await this.#patch({ kubeadmConfigSpec: { verbosity: verbosity ?? null } });
  }

  async #scale(replicas: number): Promise<void> {
    this.#replicas = replicas;
    this.#done.push(`${replicas} replicas`);
    await this.#patch({ replicas });
  }

  /** One Machine, with something; one that is gone meanwhile is left. */
  async #onMachine(what: string, work: (machine: Machine) => Promise<unknown>): Promise<void> {
    const machines = await this.#machines();
    const machine = machines[this.#pick(machines.length)];
    if (machine === undefined) return;
    this.#done.push(`${what} ${machine.metadata.name}`);
    try {
      await work(machine);
    } catch (error) {
      if (!isCapstanError(error, "kube.not_found")) throw error;
    }
  }

  async #delete(): Promise<void> {
    const { client } = this.#system.running;
    await this.#onMachine("delete", ({ metadata }) =>
      client.delete(MachineResource, { namespace, name: metadata.name ?? "" }),
    );
  }

  async #remediate(): Promise<void> {
    const { client } = this.#system.running;
    const body = { metadata: { annotations: { [Annotation.remediateMachine]: "" } } };
    await this.#onMachine("remediate", ({ metadata }) =>
      client.patch(MachineResource, { namespace, name: metadata.name ?? "" }, { type: "merge", body }),
    );
  }

  /**
   * One Machine of three is removed by hand, with its server and no one asked; never while another goes or one that was taken before is
   * still known, for no control plane outlives the loss of two servers of three.
   */
  async #take(): Promise<void> {
    const machines = await this.#machines();
    const members = this.#members();
    const known = members[0]?.members ?? [];
    const nodes = machines.flatMap(({ status }) => status?.nodeRef?.name ?? []);
    const isWhole =
      machines.length >= 3 &&
      !machines.some(isBeingDeleted) &&
      members.filter(({ isRunning }) => isRunning).length === known.length &&
      same(
        known.flatMap(({ isLearner, name }) => (isLearner === true ? [] : [name])),
        nodes,
      );
    if (!isWhole) return;
    const { client } = this.#system.running;
    await this.#onMachine("take away", async ({ metadata: { name = "" } }) => {
      const at = { namespace, name };
      const body = { metadata: { finalizers: null, annotations: { [hook]: null } } };
      await client.patch(MachineResource, at, { type: "merge", body });
      await client.delete(MachineResource, at);
      await client.patch(MachineResource, at, { type: "merge", body });
    });
  }

  /** What the control plane and its Machines say, and etcd. */
  async #described(): Promise<string> {
    const object = await this.#system.running.client.get(KubeadmControlPlane, key);
    const said = [object, ...(await this.#machines())].flatMap(({ kind, metadata, ...all }) =>
      conditionsOf({ kind, metadata, ...all })
        .filter(({ message }) => message !== "")
        .map(({ message, reason, status, type }) => `${kind} ${metadata.name} ${type} ${status}/${reason}: ${message}`),
    );
    const members = this.#members().flatMap((member) => member.members.map((each) => JSON.stringify(each)));
    return [...said, ...new Set(members)].join("\n");
  }

  async #isSettled(): Promise<boolean> {
    const machines = await this.#machines();
    const object = await this.#system.running.client.get<KubeadmControlPlane>(KubeadmControlPlane, key);
    const { status } = object;
    return (
      machines.length === this.#replicas &&
      machines.every((machine) => !isBeingDeleted(machine) && valueAt(machine, "status.phase") === "Running") &&
      status?.observedGeneration === object.metadata.generation &&
      [status?.replicas, status?.upToDateReplicas, status?.readyReplicas].every((count) => count === this.#replicas)
    );
  }

  /** The cluster comes to rest, with as many members of etcd and Nodes as Machines. */
  async #settle(): Promise<void> {
    // The only Machine of a cluster cannot be replaced by a health check: a user takes that back.
    await this.#until(async () => (await this.#forgive()) && (await this.#isSettled()));
    const nodes = (await this.#machines()).map(({ status }) => status?.nodeRef?.name ?? "").toSorted();
    await this.#until(async () => {
      const members = this.#members()[0]?.members ?? [];
      return (
        members.every(({ isLearner }) => isLearner !== true) &&
        same(
          members.map(({ name }) => name),
          nodes,
        )
      );
    });
    const { client, close } = await workloadClient(this.#system.running.client, key.name);
    try {
      await this.#until(async () =>
        same(
          (await client.list(NodeResource)).items.map(({ metadata }) => metadata.name ?? ""),
          nodes,
        ),
      );
    } finally {
      await close();
    }
  }

  async #forgive(): Promise<boolean> {
    const machines = await this.#machines();
    const [only] = machines;
    const isRefused = machines.length === 1 && only?.metadata.annotations?.[Annotation.remediateMachine] !== undefined;
    if (!isRefused || this.#replicas !== 1) return true;
    const body = { metadata: { annotations: { [Annotation.remediateMachine]: null } } };
    const { client } = this.#system.running;
    await client.patch(MachineResource, { namespace, name: only.metadata.name ?? "" }, { type: "merge", body });
    return true;
  }
}

const same = (left: readonly string[], right: readonly string[]): boolean =>
  left.toSorted().join() === right.toSorted().join();

/** `count` seeds, one after another. */
export const seeds = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index + from);
