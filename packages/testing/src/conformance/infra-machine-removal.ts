import assert from "node:assert/strict";
import { CallGate } from "./call-gate.ts";
import { type MachineScene, uidOf } from "./infra-machine-scene.ts";
import type { Case } from "./suite.ts";

const removes: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  await scene.managers.start();
  const object = await scene.ready();
  await scene.remove();
  await scene.gone();
  await scene.assertNothingLeft(uidOf(object));
};

const removesWithoutInfraCluster: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  await scene.managers.start();
  const object = await scene.ready();
  const { core, environment, subject } = scene;
  await environment.removeByForce(subject.clusterKind, core.key(core.clusterName));
  await scene.remove();
  await scene.gone();
  await scene.assertNothingLeft(uidOf(object));
};

const removesUntouched: Case<MachineScene> = async (scene) => {
  await scene.cluster({ provisioned: false });
  await scene.machine();
  await scene.managers.start();
  await scene.notReady({ reason: "WaitingForClusterInfrastructure" });
  await scene.remove();
  await scene.gone();
};

const makesNothingForTheGone: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  const object = await scene.machine();
  let asked: Promise<void> | undefined;
  const onPoint = (name: string): void => {
    if (name === `before patch ${scene.subject.machineKind.kind}`) asked ??= scene.remove();
  };
  await scene.managers.start(new CallGate({ onPoint }));
  await scene.environment.until(() => asked !== undefined);
  await asked;
  await scene.gone();
  await scene.environment.pass(60_000);
  await scene.assertNothingLeft(uidOf(object));
};

const removesDuringCreation: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  const object = await scene.machine();
  let asked: Promise<void> | undefined;
  const onPoint = (name: string): void => {
    if (name === `before ${scene.creating}`) asked ??= scene.remove();
  };
  const gate = new CallGate({ onPoint });
  await scene.managers.start(gate);
  await scene.environment.until(async () => asked !== undefined || (await scene.isReady()));
  const heard = gate.passed.filter((name) => name.endsWith("at the cloud")).join(", ") || "none";
  assert.ok(
    asked,
    `the machine was made, and no call named "create" came to the hook of onCall, only: ${heard}; give the call that makes the server this name`,
  );
  await asked;
  await scene.gone();
  await scene.environment.pass(60_000);
  await scene.assertNothingLeft(uidOf(object));
};

export const removalCases: Readonly<Record<string, Case<MachineScene>>> = {
  "removes the server before the object goes": removes,
  "removes the server although its infrastructure cluster was removed by force": removesWithoutInfraCluster,
  "lets an object go for which nothing was made": removesUntouched,
  "makes nothing for an object that went away meanwhile": makesNothingForTheGone,
  "removes what a creation made while the object was deleted": removesDuringCreation,
};
