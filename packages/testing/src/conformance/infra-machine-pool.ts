import assert from "node:assert/strict";
import { Annotation, Label } from "@capstan/contract";
import {
  conditionOf,
  infraMachinePool,
  machinePool as poolFields,
  MachinePoolResource,
  MachineResource,
  SecretResource,
  valueAt,
} from "@capstan/contract/wire";
import { isBeingDeleted, keyOf } from "@capstan/kube-values";
import { allAtOnceCases } from "./all-at-once.ts";
import { InfraMachinePoolScene } from "./infra-machine-pool-scene.ts";
import type { InfraMachinePoolSubject, PoolCloudMachine } from "./infra-machine-pool-subject.ts";
import { assertObserved } from "./observed.ts";
import type { SuiteTools } from "./suite-tools.ts";
import type { Case } from "./suite.ts";
import { defineSuite } from "./suite.ts";

const fields = infraMachinePool.for("v1beta2");

type Scene = InfraMachinePoolScene;

const cloudMachines = async (scene: Scene): Promise<readonly PoolCloudMachine[]> =>
  (await scene.cloud.machines(scene.uid)) ?? [];

/** That many machines, each with its objects, and the pool says so. */
const isSettled = async (scene: Scene, count: number): Promise<boolean> => {
  const pool = await scene.pool();
  if (pool === undefined || fields.provisioned.get(pool) !== true) return false;
  const ids = fields.providerIDList.get(pool) ?? [];
  const present = await cloudMachines(scene);
  const [machines, infra] = [await scene.machines(), await scene.infraMachines()];
  return (
    conditionOf(pool, "Ready")?.status === "True" &&
    [ids, present, machines, infra].every(({ length }) => length === count) &&
    fields.replicas.get(pool) === count &&
    present.every(({ providerID, upToDate }) => upToDate && ids.includes(providerID)) &&
    machines.every((machine) => !isBeingDeleted(machine) && conditionOf(machine, "Available")?.status === "True")
  );
};

const makes: Case<Scene> = async (scene) => {
  await scene.create(2);
  await scene.managers.start();
  await scene.until(() => isSettled(scene, 2));
  const pool = await scene.pool();
  assert.ok(pool);
  assert.equal(fields.machineKind.get(pool), scene.subject.machineKind.kind);
  const ids = fields.providerIDList.get(pool) ?? [];
  for (const infra of await scene.infraMachines()) {
    assert.equal(infra.metadata.labels?.[Label.poolName], "p");
    assert.equal(infra.metadata.labels?.[Label.clusterName], scene.core.clusterName);
    assert.ok(ids.includes(String(valueAt(infra, "spec.providerID"))));
    const owners = infra.metadata.ownerReferences ?? [];
    assert.ok(
      owners.some(({ kind, controller }) => kind === pool.kind && controller !== true),
      "its pool owns it",
    );
  }
};

const scales: Case<Scene> = async (scene) => {
  await scene.create(1);
  await scene.managers.start();
  await scene.until(() => isSettled(scene, 1));
  const [kept] = await cloudMachines(scene);
  await scene.scale(3);
  await scene.until(() => isSettled(scene, 3));
  const [, marked] = await scene.machines();
  assert.ok(marked);
  const annotations = { [Annotation.deleteMachine]: "" };
  await scene.core.patch(MachineResource, marked.metadata.name ?? "", { metadata: { annotations } });
  await scene.scale(2);
  await scene.until(() => isSettled(scene, 2));
  const left = (await scene.machines()).map(({ metadata }) => metadata.name);
  assert.ok(!left.includes(marked.metadata.name), "the marked one goes first");
  assert.ok(kept !== undefined, "there was one from the start");
};

const rollsOut: Case<Scene> = async (scene) => {
  await scene.create(3);
  await scene.managers.start();
  await scene.until(() => isSettled(scene, 3));
  const before = (await cloudMachines(scene)).map(({ providerID }) => providerID);
  const { maxSurge = 1, change } = scene.subject;
  await scene.core.patch(scene.subject.poolKind, "p", { spec: change });
  await scene.until(async () => {
    const live = (await scene.machines()).filter((machine) => !isBeingDeleted(machine));
    const available = live.filter((machine) => conditionOf(machine, "Available")?.status === "True");
    assert.ok(available.length >= 3, `${available.length} of three are available`);
    assert.ok(live.length <= 3 + maxSurge, `there are ${live.length} of three`);
    const present = await cloudMachines(scene);
    return present.every(({ providerID }) => !before.includes(providerID)) && (await isSettled(scene, 3));
  });
};

const keepsMachinesForData: Case<Scene> = async (scene) => {
  await scene.create(2);
  await scene.managers.start();
  await scene.until(() => isSettled(scene, 2));
  const before = (await cloudMachines(scene)).map(({ providerID }) => providerID);
  await scene.changeData("#cloud-config\nruncmd: [two]\n");
  await scene.until(async () => (await scene.cloud.userData(scene.uid)).includes("two"));
  await scene.environment.pass(60_000);
  await scene.until(() => isSettled(scene, 2));
  assert.deepEqual(
    (await cloudMachines(scene)).map(({ providerID }) => providerID),
    before,
  );
};

const waitsForData: Case<Scene> = async (scene) => {
  await scene.create(1);
  await scene.environment.client.delete(SecretResource, scene.core.key("data"));
  const { warnings } = await scene.managers.start();
  const reason = async () => {
    const pool = await scene.pool();
    return pool === undefined ? undefined : conditionOf(pool, "Ready")?.reason;
  };
  await scene.until(async () => (await reason()) === "BootstrapSecretMissing");
  await scene.environment.pass(600_000);
  const told = warnings.filter((line) => line.includes("BootstrapSecretMissing"));
  assert.ok(told.length <= 6, `it is told of ${told.length} times in ten minutes`);
  const before = scene.environment.clock.now();
  await scene.core.createBootstrapSecret("data", "#cloud-config\n");
  await scene.until(async () => (await cloudMachines(scene)).length === 1);
  assert.ok(scene.environment.clock.now() - before < 120_000, "the pool is made at once");
  await scene.until(() => isSettled(scene, 1));
};

const replacesLost: Case<Scene> = async (scene) => {
  await scene.create(2);
  await scene.managers.start();
  await scene.until(() => isSettled(scene, 2));
  const [lost] = await cloudMachines(scene);
  assert.ok(lost);
  await scene.cloud.destroy(scene.uid, lost.providerID);
  await scene.environment.pass(600_000);
  await scene.until(() => isSettled(scene, 2));
  const ids = (await cloudMachines(scene)).map(({ providerID }) => providerID);
  assert.ok(!ids.includes(lost.providerID));
};

const replacesDeleted: Case<Scene> = async (scene) => {
  await scene.create(2);
  await scene.managers.start();
  await scene.until(() => isSettled(scene, 2));
  const [machine] = await scene.machines();
  assert.ok(machine);
  await scene.environment.client.delete(MachineResource, keyOf(machine));
  await scene.until(async () => {
    const names = (await scene.machines()).map(({ metadata }) => metadata.name);
    return !names.includes(machine.metadata.name) && (await isSettled(scene, 2));
  });
};

const followsOthers: Case<Scene> = async (scene) => {
  await scene.create(1);
  const annotations = { [Annotation.replicasManagedBy]: "autoscaler" };
  await scene.core.patch(MachinePoolResource, "p", { metadata: { annotations } });
  await scene.managers.start();
  await scene.until(() => isSettled(scene, 1));
  await scene.cloud.resize(scene.uid, 3);
  await scene.environment.pass(600_000);
  await scene.until(() => isSettled(scene, 3));
  const pool = await scene.environment.client.get(MachinePoolResource, scene.core.key("p"));
  assert.equal(poolFields.replicas.get(pool), 3);
};

const shrinksAtOnce: Case<Scene> = async (scene) => {
  await scene.create(1);
  await scene.managers.start();
  await scene.until(() => isSettled(scene, 1));
  await scene.cloud.resize(scene.uid, 2);
  // Core has not looked yet: the new machine has no Machine, and its object no finalizer.
  await scene.environment.until(async () => (await scene.infraMachines()).length === 2);
  const uids = async () => (await scene.infraMachines()).map(({ metadata }) => metadata.uid);
  const before = await uids();
  await scene.environment.pass(10_000);
  assert.deepEqual(await uids(), before, "an object is not taken from a machine that stays");
  await scene.until(() => isSettled(scene, 1));
};

const removes: Case<Scene> = async (scene) => {
  await scene.create(2);
  await scene.managers.start();
  await scene.until(() => isSettled(scene, 2));
  await scene.environment.client.delete(scene.subject.poolKind, scene.core.key("p"));
  await scene.until(async () => (await scene.pool()) === undefined);
  assert.equal(await scene.cloud.machines(scene.uid), undefined, "the group is gone");
  assert.deepEqual(await scene.infraMachines(), []);
};

const removesWithoutInfraCluster: Case<Scene> = async (scene) => {
  await scene.create(2);
  await scene.managers.start();
  await scene.until(() => isSettled(scene, 2));
  await scene.environment.removeByForce(scene.subject.clusterKind, scene.core.key("c"));
  await scene.environment.client.delete(scene.subject.poolKind, scene.core.key("p"));
  await scene.until(async () => (await scene.pool()) === undefined);
  assert.equal(await scene.cloud.machines(scene.uid), undefined, "the group is gone");
  assert.deepEqual(await scene.infraMachines(), []);
};

const settles: Case<Scene> = async (scene) => {
  await scene.create(2);
  await scene.managers.start();
  await scene.until(() => isSettled(scene, 2));
  await scene.environment.pass(30_000);
  const versions = async () =>
    [await scene.pool(), ...(await scene.infraMachines())].map((object) => object?.metadata.resourceVersion);
  const before = await versions();
  await scene.environment.pass(900_000);
  assert.deepEqual(await versions(), before, "nothing is written when nothing changed");
  const pool = await scene.pool();
  assert.ok(pool);
  assertObserved(scene.subject.kinds, pool);
};

const pauses: Case<Scene> = async (scene) => {
  await scene.create(1);
  await scene.core.pause(true);
  await scene.managers.start();
  await scene.environment.pass(60_000);
  assert.equal(await scene.cloud.machines(scene.uid), undefined, "nothing is made while the Cluster is paused");
  await scene.core.pause(false);
  await scene.until(() => isSettled(scene, 1));
};

const survivesCrashes: Case<Scene> = async (_scene, another, withCrashes) => {
  await withCrashes(async (gate) => {
    const scene = await another();
    await scene.create(1);
    const first = await scene.managers.start(gate);
    let restarted = false;
    const until = async (condition: () => Promise<boolean>): Promise<void> => {
      await scene.until(async () => (gate.crashedAt !== undefined && !restarted) || (await condition()));
      if (gate.crashedAt === undefined || restarted) return;
      restarted = true;
      await first.stop();
      await scene.managers.start();
      await scene.until(condition);
    };
    await until(() => isSettled(scene, 1));
    await scene.scale(2);
    await until(() => isSettled(scene, 2));
    await scene.scale(1);
    await until(() => isSettled(scene, 1));
    await scene.environment.client.delete(scene.subject.poolKind, scene.core.key("p"));
    await until(async () => (await scene.pool()) === undefined);
    assert.equal(await scene.cloud.machines(scene.uid), undefined, "the group is gone");
    await scene.managers.stopAll();
  });
};

const cases: Readonly<Record<string, Case<Scene>>> = {
  "makes the pool, and an object for each of its machines": makes,
  "waits for bootstrap data that is missing, and goes on as soon as it is there": waitsForData,
  "grows, and shrinks by the deletion of Machines": scales,
  "replaces machines of an old template within its bounds": rollsOut,
  "hands over changed bootstrap data and replaces nobody for it": keepsMachinesForData,
  "replaces a machine that was lost": replacesLost,
  "replaces a machine whose Machine was deleted": replacesDeleted,
  "follows who scales it instead": followsOthers,
  "takes away a machine too many that has no Machine yet": shrinksAtOnce,
  "leaves nothing behind": removes,
  "leaves nothing behind although its infrastructure cluster was removed by force": removesWithoutInfraCluster,
  "leaves paused objects alone": pauses,
  "writes nothing once everything is as it should be": settles,
  "makes, scales and deletes although it crashes between any two calls": survivesCrashes,
  ...allAtOnceCases<Scene>({
    make: (scene) => scene.create(2),
    ready: (scene) => scene.until(() => isSettled(scene, 2)),
    beforeMachine: ({ subject }) => [subject.machineKind],
    beforeCluster: ({ subject }) => [subject.poolKind, subject.clusterKind],
    play: (scene) => scene.playCore(),
    assertNothingLeft: async (scene, { metadata }, when) =>
      assert.equal(await scene.cloud.machines(metadata.uid ?? ""), undefined, `the group ${when}`),
  }),
};

/** The suite every infrastructure machine pool has to pass. Pass Vitest's functions. */
export const infraMachinePoolConformance = (tools: SuiteTools, subject: InfraMachinePoolSubject): void =>
  defineSuite(tools, {
    title: "infrastructure machine pool conformance",
    kinds: subject.kinds,
    cases,
    skip: subject.skip,
    open: async (environment) => {
      const cloud = await subject.start({ clock: environment.clock });
      return {
        scene: (namespace) => new InfraMachinePoolScene(environment, { subject, cloud }, namespace),
        close: async () => cloud.stop?.(),
      };
    },
  });
