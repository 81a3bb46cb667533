import assert from "node:assert/strict";
import { machine as machineFields } from "@capstan/contract/wire";
import type { CallGate } from "./call-gate.ts";
import { type ControlPlaneScene, namesOf } from "./control-plane-scene.ts";
import type { Case } from "./suite.ts";

/** Never more than one Machine without a Node, and never two that begin the cluster. */
export const assertOneByOne = async (scene: ControlPlaneScene): Promise<void> => {
  const joining = (await scene.members()).filter((machine) => machineFields.nodeName.get(machine) === undefined);
  assert.ok(joining.length <= 1, `${namesOf(joining).join(", ")} are made one after another`);
  const inits = ((await scene.roles()) ?? []).filter((role) => role === "init");
  assert.ok(inits.length <= 1, "one Machine begins the cluster");
};

/** Plays something with a crash at one point, and once more by a process that starts after it. */
const withCrash = async (scene: ControlPlaneScene, gate: CallGate, isOver: () => Promise<boolean>): Promise<void> => {
  const first = await scene.managers.start(gate);
  await scene.until(async () => gate.crashedAt !== undefined || (await isOver()), 1_800_000);
  if (gate.crashedAt === undefined) return;
  await first.stop();
  await scene.managers.start();
  await scene.until(isOver, 1_800_000);
};

export const survivesCrashesOfMaking: Case<ControlPlaneScene> = async (_scene, another, withCrashes) => {
  await withCrashes(async (gate) => {
    const scene = await another();
    const object = await scene.create({ replicas: 2 });
    await withCrash(scene, gate, async () => {
      await assertOneByOne(scene);
      return scene.isSettled();
    });
    assert.deepEqual((await scene.roles()) ?? ["init", "join"], ["init", "join"]);
    await scene.assertWhole(object);
    await scene.managers.stopAll();
  });
};

export const survivesCrashesOfRollout: Case<ControlPlaneScene> = async (_scene, another, withCrashes) => {
  await withCrashes(async (gate) => {
    const scene = await another();
    const object = await scene.create();
    const first = await scene.managers.start();
    await scene.settled();
    await first.stop();
    await scene.want({ version: "v1.35.0" });
    scene.count();
    await withCrash(scene, gate, () => scene.isSettled());
    assert.deepEqual(scene.counted, { most: 2, fewest: 1 });
    await scene.assertWhole(object);
    await scene.managers.stopAll();
  });
};

export const survivesCrashesOfRemoval: Case<ControlPlaneScene> = async (_scene, another, withCrashes) => {
  await withCrashes(async (gate) => {
    const scene = await another();
    await scene.create();
    const first = await scene.managers.start();
    await scene.settled();
    await first.stop();
    await scene.environment.client.delete(scene.subject.controlPlaneKind, scene.core.key("cp"));
    await withCrash(scene, gate, async () => (await scene.find()) === undefined);
    assert.deepEqual(namesOf(await scene.members()), []);
    await scene.managers.stopAll();
  });
};

/** A Machine is unhealthy and two are too many at the same time. */
export const survivesCrashesOfRemediation: Case<ControlPlaneScene> = async (_scene, another, withCrashes) => {
  await withCrashes(async (gate) => {
    const scene = await another();
    const object = await scene.create({ replicas: 3 });
    const first = await scene.managers.start();
    await scene.settled();
    await first.stop();
    const [, sick] = namesOf(await scene.members());
    await scene.findUnhealthy(sick ?? "");
    await scene.want({ replicas: 1 });
    await withCrash(scene, gate, async () => {
      await assertOneByOne(scene);
      return (await scene.isSettled()) && !namesOf(await scene.members()).includes(sick ?? "");
    });
    await scene.assertWhole(object);
    await scene.managers.stopAll();
  });
};
