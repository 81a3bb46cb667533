import assert from "node:assert/strict";
import { Annotation, isCapstanError, rfc3339 } from "@capstan/contract";
import { conditionsOf, machine as machineFields, MachineResource } from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { seededRandom } from "../random.ts";
import { CallGate } from "./call-gate.ts";
import { type ControlPlaneScene, namesOf } from "./control-plane-scene.ts";
import type { RunningManager } from "./environment.ts";
import type { Case } from "./suite.ts";

const allRounds = 2;
/** Fewer seeds are a sample. */
const leastSeeds = 3;
const limitMs = 3_600_000;
const versions = ["v1.34.1", "v1.35.0", "v1.36.0"];

/** Changes a control plane, and makes things fail meanwhile, at moments that a seed decides. */
class Turbulence {
  readonly #scene: ControlPlaneScene;
  readonly #random: ReturnType<typeof seededRandom>;
  /** Every move so far, for the message of a failure. */
  readonly #done: string[] = [];
  /** Each ends one failure. */
  readonly #ends: (() => Promise<void> | void)[] = [];
  #manager: RunningManager | undefined;
  #gate = new CallGate();
  #version = 0;

  constructor(scene: ControlPlaneScene, seed: number) {
    this.#scene = scene;
    this.#random = seededRandom(seed);
  }

  /** Throws what was done before, with what went wrong. */
  async play(rounds: number): Promise<void> {
    const scene = this.#scene;
    try {
      const object = await scene.create({ replicas: 3 });
      this.#manager = await scene.managers.start();
      await scene.settled();
      for (let round = 0; round < rounds; round += 1) {
        for (let moves = 2 + this.#pick(3); moves > 0; moves -= 1) await this.#move();
        await this.#calm();
        await this.#until(() => scene.isSettled());
        await this.#until(async () => this.#membersFollow());
        await scene.assertWhole(object);
      }
      await this.#remove();
    } catch (cause) {
      const after = this.#done.join(", ");
      throw new Error(`${(cause as Error).message}, after ${after}\n${await this.#described()}`, { cause });
    }
  }

  /** Returns the messages of the control plane and its Machines. */
  async #described(): Promise<string> {
    const object = await this.#scene.find();
    const objects = [...(object === undefined ? [] : [object]), ...(await this.#scene.members())];
    const said = objects.flatMap((each) =>
      conditionsOf(each)
        .filter(({ message }) => message !== "")
        .map(({ message, reason, type }) => `${each.kind} ${each.metadata.name} ${type} ${reason}: ${message}`),
    );
    return [...said, ...(this.#manager?.warnings.slice(-5) ?? [])].join("\n");
  }

  /** The object is deleted in the middle of something. */
  async #remove(): Promise<void> {
    const scene = this.#scene;
    await this.#move();
    await scene.environment.client.delete(scene.subject.controlPlaneKind, scene.core.key("cp"));
    await this.#calm();
    await scene.until(async () => (await scene.find()) === undefined, limitMs);
    assert.deepEqual(namesOf(await scene.members()), []);
  }

  get #cluster() {
    const { clusterName, namespace } = this.#scene.core;
    return { namespace, name: clusterName };
  }

  async #membersFollow(): Promise<boolean> {
    const { faults } = this.#scene.subject;
    return faults === undefined || faults.members(this.#cluster) === (await this.#scene.members()).length;
  }

  #pick(count: number): number {
    return Math.floor(this.#random.next() * count);
  }

  async #until(condition: () => Promise<boolean>): Promise<void> {
    await this.#scene.until(async () => {
      const hasMajority = this.#scene.subject.faults?.hasMajority(this.#cluster) !== false;
      assert.ok(hasMajority, "etcd has lost its majority");
      return condition();
    }, limitMs);
  }

  async #move(): Promise<void> {
    const wishes = [
      () => this.#upgrade(),
      () => this.#upgrade(),
      () => this.#scale([1, 3, 3, 5][this.#pick(4)] ?? 3),
      () => this.#delete(),
      () => this.#sicken(),
      () => this.#lose(),
    ];
    const faults = [
      () => this.#kill(),
      () => this.#overlap(),
      () => this.#silence(),
      () => this.#cutOff(),
      () => this.#jump(),
    ];
    for (const moves of [wishes, faults, faults]) {
      await moves[this.#pick(moves.length)]?.();
      const { clock } = this.#scene.environment;
      const end = clock.now() + this.#random.next() ** 2 * 20_000;
      await this.#until(async () => clock.now() >= end);
      if (this.#gate.crashedAt !== undefined) await this.#restart();
      if (this.#pick(2) === 0) await this.#ends.shift()?.();
    }
  }

  /** Nothing fails any more. */
  async #calm(): Promise<void> {
    for (const end of this.#ends.splice(0)) await end();
    await this.#restart();
  }

  async #restart(gate = new CallGate()): Promise<void> {
    await this.#manager?.stop();
    this.#gate = gate;
    this.#manager = await this.#scene.managers.start(gate);
  }

  async #upgrade(): Promise<void> {
    this.#version = Math.min(this.#version + 1, versions.length - 1);
    this.#done.push(versions[this.#version] ?? "");
    await this.#scene.want({ version: versions[this.#version] ?? "" });
  }

  async #scale(replicas: number): Promise<void> {
    this.#done.push(`${replicas} replicas`);
    await this.#scene.want({ replicas });
  }

  /** One Machine, with something; one that is gone meanwhile is left. */
  async #onMachine(what: string, work: (machine: KubeObject) => Promise<unknown>): Promise<void> {
    const members = await this.#scene.members();
    const machine = members[this.#pick(members.length)];
    if (machine === undefined) return;
    this.#done.push(`${what} ${machine.metadata.name}`);
    try {
      await work(machine);
    } catch (error) {
      if (!isCapstanError(error, "kube.not_found")) throw error;
    }
  }

  async #delete(): Promise<void> {
    const { client } = this.#scene.environment;
    await this.#onMachine("delete", ({ metadata: { name = "" } }) =>
      client.delete(MachineResource, this.#scene.core.key(name)),
    );
  }

  async #sicken(): Promise<void> {
    await this.#onMachine("find unhealthy", ({ metadata }) => this.#scene.findUnhealthy(metadata.name ?? ""));
  }

  /** A member of etcd stops, where the others are a majority and none of them goes. */
  async #lose(): Promise<void> {
    const { faults } = this.#scene.subject;
    const members = await this.#scene.members();
    const areThere = members.every(
      (machine) => !isBeingDeleted(machine) && machineFields.nodeName.get(machine) !== undefined,
    );
    if (faults === undefined || !areThere || members.length < 3) return;
    await this.#onMachine("lose", async (machine) => {
      if (!faults.isWhole(this.#cluster) || faults.members(this.#cluster) < 3) return;
      await faults.fail(machine);
      await this.#scene.findUnhealthy(machine.metadata.name ?? "");
    });
  }

  /** The manager dies at one of its next calls, or at once. */
  async #kill(): Promise<void> {
    const crashAt = 1 + this.#pick(12);
    this.#done.push(`kill at call ${crashAt}`);
    await this.#restart(new CallGate({ crashAt }));
  }

  /** Another manager leads before the one that did has ended. */
  async #overlap(): Promise<void> {
    this.#done.push("two managers");
    const before = this.#manager;
    this.#gate = new CallGate();
    this.#manager = await this.#scene.managers.start(this.#gate);
    const { clock } = this.#scene.environment;
    const end = clock.now() + this.#random.next() * 3000;
    await this.#until(async () => clock.now() >= end);
    await before?.stop();
  }

  async #silence(): Promise<void> {
    const { faults } = this.#scene.subject;
    this.#done.push("no API server");
    faults?.answers(this.#cluster, false);
    this.#ends.push(() => {
      this.#done.push("API server");
      faults?.answers(this.#cluster, true);
    });
  }

  async #cutOff(): Promise<void> {
    const { faults } = this.#scene.subject;
    await this.#onMachine("cut off", async (machine) => {
      if (machineFields.nodeName.get(machine) === undefined) return;
      const reach = async (reachable: boolean): Promise<void> => {
        try {
          await faults?.reach(machine, reachable);
        } catch (error) {
          if (!isCapstanError(error, "kube.not_found")) throw error;
        }
      };
      await reach(false);
      this.#ends.push(() => reach(true));
    });
  }

  /** The clock is set, or the computer slept. */
  async #jump(): Promise<void> {
    const ms = Math.round(this.#random.next() * 900_000);
    this.#done.push(`${ms} ms at once`);
    await this.#scene.environment.clock.advance(ms);
  }
}

/** Every schedule of the seeds; every day the first. */
export const outlivesFaults: Case<ControlPlaneScene> = async (_scene, another, _withCrashes, seeds) => {
  const isSample = seeds.length < leastSeeds;
  for (const seed of isSample ? seeds.slice(0, 1) : seeds) {
    const scene = await another();
    try {
      await new Turbulence(scene, seed).play(isSample ? 1 : allRounds);
    } catch (cause) {
      throw new Error(`with seed ${seed}: ${(cause as Error).message}`, { cause });
    }
    await scene.managers.stopAll();
  }
};

/** A Machine is being replaced when another loses its member of etcd: first the other has to be replaced. */
export const replacesObstacle: Case<ControlPlaneScene> = async (scene) => {
  const { environment, subject } = scene;
  const { faults } = subject;
  if (faults === undefined) return;
  const object = await scene.create({ replicas: 3 });
  const manager = await scene.managers.start();
  await scene.settled();
  await manager.stop();
  const [deleted, lost] = await scene.members();
  assert.ok(deleted !== undefined && lost !== undefined);
  await faults.fail(lost);
  await scene.findUnhealthy(lost.metadata.name ?? "");
  const { name: machine = "" } = deleted.metadata;
  const record = JSON.stringify({ machine, timestamp: rfc3339(environment.clock.now()), retryCount: 0 });
  const body = { metadata: { annotations: { [Annotation.remediationInProgress]: record } } };
  await environment.client.patch(subject.controlPlaneKind, scene.core.key("cp"), { type: "merge", body });
  await environment.client.delete(MachineResource, scene.core.key(machine));
  await scene.managers.start();
  await scene.until(async () => {
    const cluster = { namespace: scene.core.namespace, name: scene.core.clusterName };
    assert.ok(faults.hasMajority(cluster), "etcd has lost its majority");
    const left = namesOf(await scene.members());
    return ![deleted, lost].some(({ metadata }) => left.includes(metadata.name ?? "")) && scene.isSettled();
  }, limitMs);
  await scene.assertWhole(object);
};
