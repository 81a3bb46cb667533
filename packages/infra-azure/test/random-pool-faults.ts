import { conditionOf, MachinePoolResource, MachineResource } from "@capstan/contract/wire";
import type { Random } from "@capstan/contract";
import { isBeingDeleted, keyOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { seededRandom } from "@capstan/testing";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { InfraMachinePoolScene } from "@capstan/testing/environment";
import { expect } from "vitest";
import type { StoredResource } from "@capstan/sim-azure";
import type { AzureCloud } from "./cloud.ts";
import { startCloud } from "./cloud.ts";
import { existingNetwork } from "./existing-network.ts";
import { poolSubject } from "./pool-subject.ts";
import type { RandomFaultsOptions } from "./random-plague.ts";
import { deaths, longestMs, pick, plague } from "./random-plague.ts";
import { startEnvironment } from "./scene.ts";

const mostMachines = 4;
/** Faults of one round, in which a pool comes up, changes, and goes. */
const faultsOfRound = 80;

const sizes = ["Standard_D2s_v3", "Standard_D4s_v3"];

const typeOf = ({ type }: StoredResource): string => type.split("/").at(-1)!.toLowerCase();

/** One pool, and someone who scales and changes it, and deletes its machines. */
class PoolRound {
  readonly scene: InfraMachinePoolScene;
  readonly #environment: ConformanceEnvironment;
  readonly #cloud: AzureCloud;
  readonly #random: Random;
  #replicas: number;

  constructor(
    { cloud, environment, random }: Surroundings,
    { mode, namespace }: { readonly mode: "Uniform" | "Flexible"; readonly namespace: string },
  ) {
    this.#environment = environment;
    this.#cloud = cloud;
    this.#random = random;
    this.#replicas = 1 + Math.floor(random.next() * mostMachines);
    const world = {
      ...noQuestions,
      provider: () => cloud.provider({ timeoutMs: 5000 }),
      clusterSpec: () => existingNetwork(cloud, namespace),
    };
    this.scene = new InfraMachinePoolScene(environment, { subject: poolSubject(mode), cloud: world }, namespace);
  }

  async start(): Promise<void> {
    await this.scene.create(this.#replicas);
    await this.scene.managers.start();
  }

  async dieAndStart(): Promise<void> {
    await this.scene.managers.stopAll();
    await this.scene.managers.start();
  }

  async act(): Promise<void> {
    const { scene } = this;
    const random = this.#random;
    const what = random.next();
    if (what < 0.3) {
      this.#replicas = Math.floor(random.next() * (mostMachines + 1));
      await scene.scale(this.#replicas);
    } else if (what < 0.4) await this.#change({ vmSize: pick(random, sizes) });
    else if (what < 0.5) await scene.changeData(`#cloud-config\nruncmd: [v${Math.floor(random.next() * 1000)}]\n`);
    else if (what < 0.6) await this.#deleteMachine();
    else if (what < 0.7) {
      const additionalTags = { turn: String(Math.floor(random.next() * 1000)) };
      await scene.core.patch(scene.subject.poolKind, "p", { spec: { additionalTags } });
    }
    await this.#environment.pass(pick(random, [250, 500, 1000, 5000]));
    await scene.playCore();
  }

  /** The scale set is there with as many machines as are asked for, each with its objects and of the present template, and nothing else. */
  async settles(): Promise<void> {
    await this.#until(() => this.#isSettled(), "the pool does not settle");
    const own = this.#own();
    const count = (type: string): number => own.filter((each) => typeOf(each) === type.toLowerCase()).length;
    expect(count("virtualMachineScaleSets"), "scale sets").toBe(1);
    expect(count("virtualMachines"), "machines").toBe(this.#replicas);
    expect(count("networkInterfaces"), "cards").toBe(this.#replicas);
    expect(count("disks"), "disks").toBe(this.#replicas);
  }

  /** Deletes the pool, and lets time pass until nothing of it is left. */
  async remove(): Promise<void> {
    const { scene } = this;
    await this.#environment.client.delete(scene.subject.poolKind, scene.core.key("p"));
    await this.#until(async () => {
      const objects = [await scene.pool(), ...(await scene.infraMachines())];
      return objects.every((object) => object === undefined);
    }, "the pool does not go");
    await scene.managers.stopAll();
  }

  /** Nothing of the pool is left at Azure. */
  nothingIsLeft(when: string): void {
    expect(
      this.#own().map(({ id }) => id),
      `left at Azure ${when}`,
    ).toEqual([]);
    expect(this.#cloud.simulator.requests.violations, `requests that Azure does not know ${when}`).toEqual([]);
  }

  /** What is in the pool's resource group beside its network, which another user made. */
  #own(): readonly StoredResource[] {
    const { namespace } = this.scene.core;
    const kinds = ["virtualmachinescalesets", "virtualmachines", "networkinterfaces", "disks"];
    return this.#cloud.simulator.state.resources.filter(
      (each) => each.group === namespace && kinds.includes(typeOf(each)),
    );
  }

  async #change(template: Readonly<Record<string, unknown>>): Promise<void> {
    await this.scene.core.patch(this.scene.subject.poolKind, "p", { spec: { template } });
  }

  async #deleteMachine(): Promise<void> {
    const machines = (await this.scene.machines()).filter((machine) => !isBeingDeleted(machine));
    if (machines.length === 0) return;
    await this.#environment.client.delete(MachineResource, keyOf(pick(this.#random, machines)));
  }

  async #isSettled(): Promise<boolean> {
    await this.#replaceFailed();
    const [pool, machines, infra] = [
      await this.scene.pool(),
      await this.scene.machines(),
      await this.scene.infraMachines(),
    ];
    return (
      pool !== undefined &&
      conditionOf(pool, "Ready", "v1beta1")?.status === "True" &&
      conditionOf(pool, "ScaleSetModelUpdated", "v1beta1")?.status === "True" &&
      [machines, infra].every(({ length }) => length === this.#replicas) &&
      [...machines, ...infra].every((object) => !isBeingDeleted(object)) &&
      infra.every((object) => conditionOf(object, "Ready", "v1beta1")?.status === "True")
    );
  }

  /** What a MachineHealthCheck does: machines that Azure could not make are deleted. */
  async #replaceFailed(): Promise<void> {
    const failed = (await this.scene.infraMachines()).filter(
      (object) => conditionOf(object, "Ready", "v1beta1")?.reason === "Failed" && !isBeingDeleted(object),
    );
    const machines = await this.scene.machines();
    for (const { metadata } of failed) {
      const machine = machines.find((each) => each.metadata.name === metadata.name && !isBeingDeleted(each));
      if (machine !== undefined) await this.#environment.client.delete(MachineResource, keyOf(machine));
    }
  }

  async #until(condition: () => Promise<boolean>, otherwise: string): Promise<void> {
    const { scene } = this;
    const played = async (): Promise<boolean> => {
      await scene.playCore();
      return condition();
    };
    try {
      await this.#environment.clock.advanceUntil(played, { stepMs: 1000, maxMs: longestMs });
    } catch (error) {
      const core = await this.#environment.client.find<KubeObject>(MachinePoolResource, scene.core.key("p"));
      const known = [core?.["spec"], await scene.pool(), ...(await scene.infraMachines())];
      const own = this.#own().map(({ id, state }) => [id, state]);
      throw new Error(`${otherwise}: ${JSON.stringify([known, own])}`, { cause: error });
    }
  }
}

interface Surroundings {
  readonly environment: ConformanceEnvironment;
  readonly cloud: AzureCloud;
  readonly random: Random;
}

/** The scene plays core alone; what the suite asks of a cloud is looked at in its state. */
const noQuestions = {
  machines: () => [],
  userData: () => "",
  destroy: () => undefined,
  resize: () => undefined,
};

/**
 * As `survivesRandomFaults`, with pools of machines: scale sets of both modes are made, scaled, changed and deleted. Returns what has
 * happened.
 */
export const poolsSurviveRandomFaults = async ({ faults, seed }: RandomFaultsOptions): Promise<string> => {
  const environment = await startEnvironment();
  const cloud = await startCloud(environment);
  const random = seededRandom(seed);
  let [happened, rounds, deathCount] = [0, 0, 0];
  let dies = false;
  const count = (): void => {
    happened += 1;
    dies ||= random.next() < 1 / deaths;
  };
  const disturb = () =>
    plague({ simulator: cloud.simulator, random, methods: ["PUT", "PATCH", "PATCH", "DELETE"] }, count);
  try {
    while (happened < faults) {
      rounds += 1;
      const until = Math.min(faults, happened + faultsOfRound);
      const mode = rounds % 2 === 0 ? "Flexible" : "Uniform";
      const round = new PoolRound({ environment, cloud, random }, { mode, namespace: await environment.namespace() });
      await round.start();
      const stop = disturb();
      while (happened < until) {
        await round.act();
        if (!dies) continue;
        dies = false;
        deathCount += 1;
        await round.dieAndStart();
      }
      stop();
      await round.settles();
      // Half of the rounds of each mode end in calm, half amid faults.
      const stopAgain = rounds % 4 < 2 ? disturb() : () => undefined;
      await round.remove();
      stopAgain();
      round.nothingIsLeft(`after ${happened} faults, seed ${seed}`);
    }
  } finally {
    await cloud.stop();
    await environment.stop();
  }
  return `${happened} faults, ${deathCount} deaths, ${rounds} rounds`;
};
