import { ClusterResource, conditionOf, infraMachine, MachineResource } from "@capstan/contract/wire";
import type { Random } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { seededRandom } from "@capstan/testing";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { CorePart, SceneManagers } from "@capstan/testing/environment";
import { expect } from "vitest";
import { AzureCluster, AzureMachine } from "../src/api.ts";
import type { AzureCloud } from "./cloud.ts";
import { location, startCloud } from "./cloud.ts";
import type { RandomFaultsOptions } from "./random-plague.ts";
import { deaths, longestMs, pick, plague } from "./random-plague.ts";
import { startEnvironment } from "./scene.ts";

/** Machines that are to be, and machines with those that go: as many wait no longer than they keep others from being made. */
const [machinesAtOnce, machinesInAll] = [5, 10];
/** Virtual time between two looks while nothing is waited for: requests are given up after five times as long. */
const stepMs = 1000;
/** Faults of one round, in which clusters come up, change, and go. */
const faultsOfRound = 250;

/** A management API with clusters of two kinds, and someone who changes them. */
class World implements AsyncDisposable {
  readonly #environment: ConformanceEnvironment;
  readonly #cloud: AzureCloud;
  readonly #namespace: string;
  readonly #random: Random;
  readonly #managers: SceneManagers;
  /** Virtual machines that Azure has made, by the uid of the AzureMachine. */
  readonly #made = new Map<string, Set<string>>();
  readonly #unsubscribe: () => void;
  #count = 0;

  private constructor(environment: ConformanceEnvironment, cloud: AzureCloud, namespace: string, random: Random) {
    this.#environment = environment;
    this.#cloud = cloud;
    this.#namespace = namespace;
    this.#random = random;
    const world = { provider: () => cloud.provider({ timeoutMs: 5000 }) };
    this.#managers = new SceneManagers(environment, world, namespace);
    this.#unsubscribe = cloud.simulator.requests.subscribe(() => this.#noteMachines());
  }

  static async start(seed: number): Promise<World> {
    const environment = await startEnvironment();
    const cloud = await startCloud(environment);
    const world = new World(environment, cloud, await environment.namespace(), seededRandom(seed));
    await world.#managers.start();
    return world;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    await this.#managers.stopAll();
    await this.#cloud.stop();
    await this.#environment.stop();
  }

  /** Faults of everything that is called, until it is stopped. */
  plague(happened: () => void): () => void {
    return plague({ simulator: this.#cloud.simulator, random: this.#random }, happened);
  }

  get chance(): number {
    return this.#random.next();
  }

  async dieAndStart(): Promise<void> {
    await this.#managers.stopAll();
    await this.#managers.start();
  }

  /** One cluster with a group of its own, one in a group that another user made. */
  async createClusters(): Promise<void> {
    const { subscriptionId } = this.#cloud.simulator;
    await this.#cloud.call("PUT", `/subscriptions/${subscriptionId}/resourceGroups/shared`, { location });
    for (const [name, resourceGroup] of [
      ["red", "red"],
      ["blue", "shared"],
    ] as const) {
      const core = this.#core(name);
      const infrastructureRef = { apiGroup: AzureCluster.group, kind: AzureCluster.kind, name };
      const object = await core.createCluster({ infrastructureRef });
      const owner = { kind: ClusterResource, object, controller: true };
      await core.createOwned(AzureCluster, name, { location, resourceGroup }, owner);
      await core.infrastructureProvisioned();
    }
  }

  /** Someone makes and deletes machines, tags them, and has Nodes appear, at random. */
  async act(): Promise<void> {
    const random = this.#random;
    const machines = await this.machines();
    const alive = machines.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const { name = "" } = alive.length === 0 ? {} : pick(random, alive).metadata;
    const core = this.#core("red");
    const isRoom = alive.length < machinesAtOnce && machines.length < machinesInAll;
    if (isRoom && random.next() < 0.6) await this.#createMachine();
    else if (name !== "" && random.next() < 0.4) await this.#environment.client.delete(AzureMachine, core.key(name));
    else if (name !== "" && random.next() < 0.5) {
      await core.patch(AzureMachine, name, { spec: { additionalTags: { turn: String(this.#count) } } });
    } else if (name !== "") await core.setStatus(MachineResource, name, "status.nodeRef", { name });
    await this.#pass(pick(random, [500, 1000, 5000, 20_000]));
  }

  machines(): Promise<readonly AzureMachine[]> {
    return this.#all<AzureMachine>(AzureMachine);
  }

  /** Every machine that is to be is there, once and whole, and what failed for good says so. */
  async settles(): Promise<void> {
    await this.#until(async () => {
      const open = (await this.machines()).filter((each) => !isSettled(each));
      return open.length === 0;
    }, "machines do not settle");
    for (const object of await this.machines()) {
      const { uid = "", name = "" } = object.metadata;
      const own = this.#cloud.simulator.state.resources.filter(({ tags }) => tags?.["capstan-uid"] === uid);
      const vms = own.filter(({ type }) => type.endsWith("/virtualMachines"));
      expect(vms, `virtual machines of ${name}`).toHaveLength(1);
      expect(
        own.filter(({ type }) => type.endsWith("/networkInterfaces")),
        `interfaces of ${name}`,
      ).toHaveLength(1);
      expect(infraMachine.for("v1beta2").providerID.get(object)?.toLowerCase()).toBe(
        `azure://${vms[0]?.id}`.toLowerCase(),
      );
    }
    await this.#nothingOfOthers();
  }

  /** Deletes everything, and lets time pass until it is gone. */
  async deleteEverything(): Promise<void> {
    const { client } = this.#environment;
    for (const { metadata } of await this.machines()) {
      await client.delete(AzureMachine, { namespace: this.#namespace, name: metadata.name ?? "" });
    }
    await this.#until(async () => (await this.machines()).length === 0, "machines do not go");
    for (const kind of [MachineResource, AzureCluster, ClusterResource]) {
      for (const { metadata } of await this.#all(kind)) {
        await client.delete(kind, { namespace: this.#namespace, name: metadata.name ?? "" });
      }
      await this.#until(async () => (await this.#all(kind)).length === 0, `${kind.kind}s do not go`);
    }
  }

  /** Nothing is left at Azure but what another user made, and nothing was ever made twice. */
  nothingIsLeft(when: string): void {
    const { groups, resources } = this.#cloud.simulator.state;
    expect([groups.map(({ name }) => name), resources.map(({ id }) => id)], `left at Azure ${when}`).toEqual([
      ["shared"],
      [],
    ]);
    const twice = [...this.#made].filter(([, guids]) => guids.size > 1).map(([uid]) => uid);
    expect(twice, `made more than once ${when}`).toEqual([]);
    expect(this.#cloud.simulator.requests.violations, `requests that Azure does not know ${when}`).toEqual([]);
  }

  /** Virtual machines that were made. */
  get machinesMade(): number {
    return this.#made.size;
  }

  /** Every part of a machine at Azure belongs to one that there is. */
  async #nothingOfOthers(): Promise<void> {
    const objects = [...(await this.machines()), ...(await this.#all(AzureCluster))];
    const known = new Set(objects.map(({ metadata }) => metadata.uid));
    const names = new Set(objects.map(({ metadata }) => metadata.name ?? ""));
    const { resources } = this.#cloud.simulator.state;
    const foreign = resources.filter(
      ({ tags }) => tags?.["capstan-uid"] !== undefined && !known.has(tags["capstan-uid"]),
    );
    expect(
      foreign.map(({ id }) => id),
      "parts of machines that are gone",
    ).toEqual([]);
    const rules = resources.flatMap(({ properties }) => (properties as Balancer).inboundNatRules ?? []);
    expect(rules.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
  }

  async #createMachine(): Promise<void> {
    const random = this.#random;
    this.#count += 1;
    const name = `machine-${this.#count}`;
    const core = this.#core(pick(random, ["red", "blue"]));
    const infrastructureRef = { apiGroup: AzureMachine.group, kind: AzureMachine.kind, name };
    await core.createBootstrapSecret(name, "#cloud-config\n");
    const spec = { infrastructureRef, bootstrap: { dataSecretName: name }, version: "v1.34.0" };
    const object = await core.createMachine(name, spec, { controlPlane: random.next() < 0.3 });
    const script = { publisher: "Microsoft.Azure.Extensions", version: "2.1", settings: { commandToExecute: "true" } };
    const machine = {
      vmSize: "Standard_D2s_v3",
      osDisk: { osType: "Linux" },
      sshPublicKey: Buffer.from("ssh-rsa AAAA").toString("base64"),
      disableVMBootstrapExtension: random.next() < 0.3,
      ...(random.next() < 0.3 && { dataDisks: [{ nameSuffix: "data", diskSizeGB: 8 }] }),
      ...(random.next() < 0.3 && { allocatePublicIP: true }),
      ...(random.next() < 0.3 && { vmExtensions: [{ name: "CustomScript", ...script }] }),
    };
    await core.createOwned(AzureMachine, name, machine, { kind: MachineResource, object, controller: true });
  }

  #core(cluster: string): CorePart {
    return new CorePart(this.#environment.client, this.#namespace, cluster);
  }

  async #all<T extends KubeObject>(
    kind: Parameters<ConformanceEnvironment["client"]["list"]>[0],
  ): Promise<readonly T[]> {
    return (await this.#environment.client.list<T>(kind as never, { namespace: this.#namespace })).items;
  }

  #pass(ms: number): Promise<void> {
    const { clock } = this.#environment;
    const end = clock.now() + ms;
    return clock.advanceUntil(() => clock.now() >= end, { stepMs: Math.min(ms, stepMs), maxMs: ms + stepMs });
  }

  async #until(condition: () => Promise<boolean>, otherwise: string): Promise<void> {
    try {
      await this.#environment.clock.advanceUntil(condition, { stepMs, maxMs: longestMs });
    } catch (error) {
      throw new Error(`${otherwise}: ${await this.#unsettled()}`, { cause: error });
    }
  }

  /** What is known of everything that is not as it should be. */
  async #unsettled(): Promise<string> {
    const objects = [...(await this.machines()).filter((each) => !isSettled(each)), ...(await this.#all(AzureCluster))];
    const { operations, resources } = this.#cloud.simulator.state;
    return objects
      .map(({ metadata, status }) => {
        const parts = resources.filter(({ tags }) => tags?.["capstan-uid"] === metadata.uid);
        const open = operations.filter(({ target }) => parts.some(({ id }) => id === target));
        return JSON.stringify({
          metadata,
          ready: conditionOf({ metadata, status } as unknown as KubeObject, "Ready", "v1beta1"),
          parts: parts.map(({ id, state, properties }) => [id, state, properties]),
          open,
        });
      })
      .join("\n");
  }

  #noteMachines(): void {
    for (const { guid, tags, type } of this.#cloud.simulator.state.resources) {
      const uid = tags?.["capstan-uid"];
      if (uid === undefined || !type.endsWith("/virtualMachines")) continue;
      this.#made.set(uid, (this.#made.get(uid) ?? new Set()).add(guid));
    }
  }
}

interface Balancer {
  readonly inboundNatRules?: readonly { readonly name: string }[];
}

const neverJoins: readonly string[] = ["BootstrapFailed", "BootstrapTimedOut"];

/** It runs, its bootstrapping has failed, or Azure has failed to make it: a MachineHealthCheck replaces such machines, no one makes them again. */
const isSettled = (object: AzureMachine): boolean => {
  const ready = conditionOf(object, "Ready", "v1beta1");
  const hasFailed = ready?.reason === "Failed" && object.status?.vmState === "Failed";
  return ready?.status === "True" || neverJoins.includes(ready?.reason ?? "") || hasFailed;
};

/**
 * Clusters and machines are made, changed and deleted while calls to Azure fail in every way, operations fail or are forgotten, and the
 * controllers die in between. After each round it is calm for a moment: everything is there once, and later nothing is left. The same seed
 * plays the same faults. Returns what has happened.
 */
export const survivesRandomFaults = async ({ faults, seed }: RandomFaultsOptions): Promise<string> => {
  await using world = await World.start(seed);
  let happened = 0;
  let dies = false;
  let rounds = 0;
  let deathCount = 0;
  const count = (): void => {
    happened += 1;
    dies ||= world.chance < 1 / deaths;
  };
  while (happened < faults) {
    rounds += 1;
    const until = Math.min(faults, happened + faultsOfRound);
    await world.createClusters();
    const stop = world.plague(count);
    while (happened < until) {
      await world.act();
      if (!dies) continue;
      dies = false;
      deathCount += 1;
      await world.dieAndStart();
    }
    stop();
    await world.settles();
    // Half of the rounds end in calm, half amid faults.
    const stopAgain = rounds % 2 === 0 ? world.plague(count) : () => undefined;
    await world.deleteEverything();
    stopAgain();
    world.nothingIsLeft(`after ${happened} faults, seed ${seed}`);
  }
  return `${happened} faults, ${deathCount} deaths, ${rounds} rounds, ${world.machinesMade} virtual machines`;
};
