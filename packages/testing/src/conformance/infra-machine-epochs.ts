import assert from "node:assert/strict";
import { installationAnnotation } from "@capstan/kit/engine";
import type { InstallationFacts } from "@capstan/kit/engine";
import type { KubeObject } from "@capstan/schema";
import type { RunningManager } from "./environment.ts";
import { type MachineScene, uidOf } from "./infra-machine-scene.ts";
import type { Case } from "./suite.ts";

const reason = "InstallationSuperseded";

const startAs = (scene: MachineScene, installation: InstallationFacts): Promise<RunningManager> =>
  scene.managers.start(undefined, { installation: () => installation });

const current = (scene: MachineScene, object: KubeObject | undefined) => scene.condition(object, "InstallationCurrent");

/** A machine that an installation made, of which nothing runs now. */
const madeBy = async (scene: MachineScene, installation: InstallationFacts): Promise<KubeObject> => {
  await scene.cluster();
  await scene.machine();
  const first = await startAs(scene, installation);
  const object = await scene.ready();
  await scene.environment.pass(60_000);
  await first.stop();
  return object;
};

/** Looks after the machine long enough to mark what is there, then ends. */
const lookedAfterBy = async (scene: MachineScene, installation: InstallationFacts): Promise<void> => {
  const manager = await startAs(scene, installation);
  await scene.environment.pass(900_000);
  await manager.stop();
};

/** Until the condition says that another one manages it; the machine is said to be as it was. */
const superseded = async (scene: MachineScene): Promise<void> => {
  const object = await scene.eventually((found) => current(scene, found)?.status === "False", 1_200_000);
  assert.equal(current(scene, object)?.reason, reason);
  assert.equal(scene.condition(object, "Ready")?.status, "True", "what was ready is not said to be broken");
  const events = (await scene.events()).filter((event) => event["reason"] === reason);
  assert.equal(events.length, 1, "one Event says so");
};

const olderStops: Case<MachineScene> = async (scene) => {
  const object = await madeBy(scene, { id: "one", epoch: 1 });
  await lookedAfterBy(scene, { id: "one", epoch: 2 });
  let epoch = 1;
  const older = await scene.managers.start(undefined, { installation: () => ({ id: "one", epoch }) });
  await superseded(scene);
  assert.match(await older.manager.metrics.text(), /^capstan_installation_superseded\{cloud="[^"]+"\} 1$/m);
  const writes = await scene.get();
  await scene.remove();
  await scene.environment.pass(300_000);
  await scene.assertServers(uidOf(object), 1, "which a newer copy manages");
  const kept = await scene.get();
  assert.deepEqual(kept.metadata.finalizers, writes.metadata.finalizers, "it is not let go");
  // Someone decides for this one.
  epoch = 3;
  await scene.gone();
  await scene.assertNothingLeft(uidOf(object), "after the epoch was raised");
  assert.match(await older.manager.metrics.text(), /^capstan_installation_superseded\{cloud="[^"]+"\} 0$/m);
};

const olderMakesNothing: Case<MachineScene> = async (scene) => {
  const object = await madeBy(scene, { id: "one", epoch: 1 });
  await lookedAfterBy(scene, { id: "one", epoch: 2 });
  await startAs(scene, { id: "one", epoch: 1 });
  await superseded(scene);
  const before = (await scene.get()).metadata.resourceVersion;
  await scene.environment.pass(900_000);
  assert.equal((await scene.get()).metadata.resourceVersion, before, "it is written once");
  await scene.assertServers(uidOf(object), 1, "which a newer copy manages");
};

const movesOn: Case<MachineScene> = async (scene) => {
  const object = await madeBy(scene, { id: "one", epoch: 5 });
  const second = await startAs(scene, { id: "two", epoch: 1 });
  await scene.eventually(
    (found) =>
      found?.metadata.annotations?.[installationAnnotation] !== object.metadata.annotations?.[installationAnnotation],
    1_200_000,
  );
  assert.equal(current(scene, await scene.ready()), undefined, "nothing is said of what was moved");
  await second.stop();
  // What stayed where it was moved from says that it is the first one's.
  const annotations = { [installationAnnotation]: object.metadata.annotations?.[installationAnnotation] ?? null };
  await scene.core.patch(scene.subject.machineKind, "m", { metadata: { annotations } });
  const first = await startAs(scene, { id: "one", epoch: 5 });
  await superseded(scene);
  await first.stop();
  const back = { [installationAnnotation]: null };
  await scene.core.patch(scene.subject.machineKind, "m", { metadata: { annotations: back } });
  await startAs(scene, { id: "one", epoch: 5 });
  await scene.eventually((found) => current(scene, found)?.status === "True", 1_200_000);
  await scene.remove();
  await scene.gone();
  await scene.assertNothingLeft(uidOf(object), "after it was taken back");
};

const marksOlder: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  const older = await scene.managers.start();
  const object = await scene.ready();
  await older.stop();
  await lookedAfterBy(scene, { id: "one", epoch: 2 });
  await startAs(scene, { id: "one", epoch: 1 });
  await superseded(scene);
  await scene.assertServers(uidOf(object), 1);
};

/** Where two installations can see the same servers. */
export const epochCases: Readonly<Record<string, Case<MachineScene>>> = {
  "leaves its server to a newer copy of the installation, says so, and goes on once its own epoch is newer": olderStops,
  "writes nothing more once it has said that a newer copy has its server": olderMakesNothing,
  "goes on with a server that was moved to another installation, and leaves one that was moved away": movesOn,
  "marks a server that was made by an installation without an epoch": marksOlder,
};
