import assert from "node:assert/strict";
import { operationsAnnotation } from "@capstan/kit/engine";
import type { KubeObject } from "@capstan/schema";
import { dropStatus } from "./declared.ts";
import type { MachineScene } from "./infra-machine-scene.ts";
import { uidOf } from "./infra-machine-scene.ts";
import type { Case } from "./suite.ts";

const isUnderWay = (object: KubeObject | undefined): boolean =>
  object?.metadata.annotations?.[operationsAnnotation] !== undefined;

const savesOperations: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  await scene.managers.start();
  await scene.eventually(isUnderWay);
  const object = await scene.ready();
  assert.ok(!isUnderWay(object), "nothing is under way any more");
  await scene.remove();
  await scene.eventually(isUnderWay);
  await scene.gone();
  await scene.assertNothingLeft(uidOf(object));
};

const lose = ({ cloud }: MachineScene): void => {
  assert.ok("loseOperations" in cloud, "a cloud with operations has loseOperations");
  cloud.loseOperations?.();
};

const survivesLostOperations: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  await scene.managers.start();
  await scene.eventually(isUnderWay);
  lose(scene);
  const object = await scene.ready();
  await scene.assertServers(uidOf(object), 1);
  await scene.remove();
  await scene.eventually(isUnderWay);
  lose(scene);
  await scene.gone();
  await scene.assertNothingLeft(uidOf(object));
};

const findsWhatEndedMeanwhile: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  const first = await scene.managers.start();
  await scene.eventually(isUnderWay);
  await first.stop();
  await scene.environment.pass(300_000);
  const second = await scene.managers.start();
  const object = await scene.ready();
  await scene.assertServers(uidOf(object), 1);
  await scene.remove();
  await scene.eventually(isUnderWay);
  await second.stop();
  await scene.environment.pass(300_000);
  await scene.managers.start();
  await scene.gone();
  await scene.assertNothingLeft(uidOf(object));
};

/** Reduces an object to what a move or a restore leaves, without the status or the engine's records. */
const dropRecords = async (scene: MachineScene): Promise<void> => {
  const { client } = scene.environment;
  const { machineKind } = scene.subject;
  const annotations = { [operationsAnnotation]: null };
  await client.patch(machineKind, scene.core.key("m"), { type: "merge", body: { metadata: { annotations } } });
  if ((await scene.get())["status"] !== undefined) await dropStatus(client, machineKind, scene.core.key("m"));
};

const survivesLostRecords: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  const first = await scene.managers.start();
  await scene.eventually(isUnderWay);
  await first.stop();
  await dropRecords(scene);
  const second = await scene.managers.start();
  const object = await scene.ready();
  await scene.assertServers(uidOf(object), 1);
  await scene.remove();
  await scene.eventually(isUnderWay);
  await second.stop();
  await dropRecords(scene);
  await scene.managers.start();
  await scene.gone();
  await scene.assertNothingLeft(uidOf(object));
};

const retriesFailedOperations: Case<MachineScene> = async (scene, another) => {
  const whole = await another();
  await whole.cluster();
  await whole.machine();
  await whole.managers.start();
  const partsOfOne = await whole.partsOf(uidOf(await whole.ready()));
  await whole.managers.stopAll();
  await scene.cluster();
  await scene.machine();
  const words = scene.cloud.failOperation?.() ?? assert.fail("a cloud with operations has failOperation");
  const before = scene.creations().length;
  await scene.managers.start();
  await scene.notReady({ words });
  const object = await scene.ready();
  assert.equal(scene.creations().length - before, 2, "creations: the one that failed, and another");
  await scene.assertServers(uidOf(object), 1);
  assert.equal(await scene.partsOf(uidOf(object)), partsOfOne, "what there is of it in all");
  await scene.remove();
  await scene.gone();
  await scene.assertNothingLeft(uidOf(object));
};

/** Cases for servers that are made and removed by operations that continue after their answer. */
export const operationCases: Readonly<Record<string, Case<MachineScene>>> = {
  "keeps on the object what is under way": savesOperations,
  "goes on where the cloud lost an operation": survivesLostOperations,
  "finds again what was under way when all records of it are lost": survivesLostRecords,
  "says why an operation failed, and tries again": retriesFailedOperations,
  "finds operations that ended while nobody asked": findsWhatEndedMeanwhile,
};
