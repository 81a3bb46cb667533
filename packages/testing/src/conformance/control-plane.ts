import assert from "node:assert/strict";
import { Annotation, Label, SecretPurpose } from "@capstan/contract";
import {
  clusterSecretName,
  conditionOf,
  controllerOf,
  machine as machineFields,
  MachineResource,
  SecretResource,
  valueAt,
} from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import { mayHaveField } from "@capstan/schema";
import { MemoryMachine, MemoryMachineTemplate } from "../infra-memory/memory-kinds.ts";
import { allAtOnceCases } from "./all-at-once.ts";
import { CallGate } from "./call-gate.ts";
import {
  assertOneByOne,
  survivesCrashesOfMaking,
  survivesCrashesOfRemediation,
  survivesCrashesOfRemoval,
  survivesCrashesOfRollout,
} from "./control-plane-crashes.ts";
import { outlivesFaults, replacesObstacle } from "./control-plane-faults.ts";
import { ControlPlaneScene, namesOf } from "./control-plane-scene.ts";
import type { ControlPlaneSubject } from "./control-plane-subject.ts";
import { dropStatus } from "./declared.ts";
import { assertObserved } from "./observed.ts";
import type { SuiteTools } from "./suite-tools.ts";
import type { Case } from "./suite.ts";
import { defineSuite } from "./suite.ts";

/** Asserts that states that pass soon are not written: the status of a Machine without a Node, in its first ten seconds. */
const assertPatient = async (scene: ControlPlaneScene): Promise<void> => {
  for (const { metadata } of await scene.members()) {
    const machine = await scene.environment.client.find(MachineResource, scene.core.key(metadata.name ?? ""));
    const age = scene.environment.clock.now() - Date.parse(machine?.metadata.creationTimestamp ?? "");
    if (machine === undefined || machineFields.nodeName.get(machine) !== undefined || !(age < 10_000)) continue;
    assert.equal(conditionOf(machine, "UpToDate"), undefined, "UpToDate of a new Machine without a Node");
  }
};

const grows: Case<ControlPlaneScene> = async (scene) => {
  const object = await scene.create({ replicas: 3 }, { failureDomains: ["a", "b", "c"] });
  await scene.managers.start();
  await scene.until(async () => {
    await assertOneByOne(scene);
    await assertPatient(scene);
    return (await scene.members()).length === 3;
  });
  const settled = await scene.settled();
  assert.deepEqual((await scene.roles()) ?? ["init", "join", "join"], ["init", "join", "join"]);
  const members = await scene.members();
  assert.deepEqual(await scene.failureDomains(), ["a", "b", "c"]);
  for (const { metadata } of members) {
    assert.equal(metadata.labels?.[Label.controlPlane], "");
    assert.equal(metadata.labels?.[Label.clusterName], scene.core.clusterName);
    assert.equal(metadata.labels?.[Label.controlPlaneName], "cp");
  }
  const clones = await scene.environment.client.list(MemoryMachine, { namespace: scene.core.namespace });
  for (const { metadata } of clones.items) {
    assert.equal(metadata.annotations?.[Annotation.clonedFromName], "template");
  }
  assert.equal(scene.fields.initialized.get(settled), true);
  assert.equal(scene.fields.statusVersion.get(settled) ?? scene.fields.version.get(settled), scene.version("v1.34.1"));
  if (mayHaveField(scene.subject.controlPlaneKind, scene.fields.selector.path)) {
    assert.ok((scene.fields.selector.get(settled) ?? "").includes(scene.core.clusterName), "the scale selector");
  }
  for (const [type, said] of [
    ["Initialized", "True/Initialized"],
    ["Available", "True/Available"],
    ["MachinesReady", "True/Ready"],
    ["MachinesUpToDate", "True/UpToDate"],
    ["RollingOut", "False/NotRollingOut"],
    ["ScalingUp", "False/NotScalingUp"],
    ["ScalingDown", "False/NotScalingDown"],
    ["Deleting", "False/NotDeleting"],
    ["Paused", "False/NotPaused"],
  ] as const) {
    assert.ok(await scene.says(type, said), `${type} is ${await scene.saidOf(type)}, not ${said}`);
  }
  for (const machine of members) {
    const stored = await scene.environment.client.get(MachineResource, scene.core.key(machine.metadata.name ?? ""));
    assert.equal(conditionOf(stored, "UpToDate")?.status, "True", "UpToDate of every Machine");
  }
  await scene.assertWhole(object);
};

const waits: Case<ControlPlaneScene> = async (scene) => {
  await scene.create({}, { provisioned: false });
  await scene.managers.start();
  await scene.pass(30_000);
  assert.deepEqual(namesOf(await scene.members()), [], "no Machine before the cluster's infrastructure");
  await scene.core.infrastructureProvisioned();
  await scene.settled();
};

const shrinks: Case<ControlPlaneScene> = async (scene) => {
  const object = await scene.create({ replicas: 3 }, { failureDomains: ["a", "b", "c"] });
  await scene.managers.start();
  await scene.settled();
  await scene.want({ replicas: 1 });
  await scene.until(async () => {
    const leaving = (await scene.members()).filter(isBeingDeleted);
    assert.ok(leaving.length <= 1, "Machines go one after another");
    return (await scene.members()).length === 1;
  });
  await scene.settled();
  await scene.assertWhole(object);
};

const rollsOut =
  (maxSurge: number): Case<ControlPlaneScene> =>
  async (scene) => {
    const object = await scene.create({ replicas: 3, maxSurge }, { failureDomains: ["a", "b", "c"] });
    await scene.managers.start();
    await scene.settled();
    const before = namesOf(await scene.members());
    scene.count();
    await scene.want({ version: "v1.35.0" });
    await scene.until(async () => {
      await assertOneByOne(scene);
      return (await scene.members()).every(
        (machine) => machineFields.version.get(machine) === scene.version("v1.35.0"),
      );
    }, 1_800_000);
    const settled = await scene.settled();
    assert.deepEqual(scene.counted, maxSurge === 1 ? { most: 4, fewest: 3 } : { most: 3, fewest: 2 });
    const members = await scene.members();
    assert.ok(
      namesOf(members).every((name) => !before.includes(name)),
      "every Machine is replaced",
    );
    assert.deepEqual(await scene.failureDomains(), ["a", "b", "c"]);
    assert.deepEqual(
      (await scene.roles()) ?? ["join", "join", "join"],
      ["join", "join", "join"],
      "nobody begins a cluster that is there",
    );
    assert.equal(scene.fields.initialized.get(settled), true);
    await scene.assertWhole(object);
  };

const replacesMarked: Case<ControlPlaneScene> = async (scene) => {
  await scene.create({ replicas: 3 });
  await scene.managers.start();
  await scene.settled();
  const [, second, third] = namesOf(await scene.members());
  await scene.core.patch(MachineResource, third ?? "", {
    metadata: { annotations: { [Annotation.deleteMachine]: "" } },
  });
  await scene.want({ replicas: 2 });
  await scene.settled();
  assert.ok(namesOf(await scene.members()).includes(second ?? ""));
  assert.ok(!namesOf(await scene.members()).includes(third ?? ""), "the Machine that a user marked goes first");
};

const outlivesDeletions: Case<ControlPlaneScene> = async (scene) => {
  const object = await scene.create({ replicas: 2 });
  await scene.managers.start();
  await scene.settled();
  const before = namesOf(await scene.members());
  for (const name of before) await scene.environment.client.delete(MachineResource, scene.core.key(name));
  await scene.until(async () => {
    const joined = (await scene.members()).filter((machine) => machineFields.nodeName.get(machine) !== undefined);
    assert.ok(joined.length > 0, "the cluster has a Machine at any time");
    return joined.every(({ metadata }) => !before.includes(metadata.name ?? ""));
  }, 1_800_000);
  await scene.settled();
  assert.deepEqual(
    (await scene.roles()) ?? ["join", "join"],
    ["join", "join"],
    "nobody begins a cluster that is there",
  );
  await scene.assertWhole(object);
};

const remediates: Case<ControlPlaneScene> = async (scene) => {
  const object = await scene.create({ replicas: 3 }, { failureDomains: ["a", "b", "c"] });
  await scene.managers.start();
  await scene.settled();
  const [, sick] = await scene.members();
  assert.ok(sick);
  const { client } = scene.environment;
  const key = scene.core.key(sick.metadata.name ?? "");
  await scene.findUnhealthy(sick.metadata.name ?? "");
  await scene.until(async () => (await client.find(MachineResource, key)) === undefined);
  await scene.settled();
  assert.deepEqual(await scene.failureDomains(), ["a", "b", "c"]);
  if (mayHaveField(scene.subject.controlPlaneKind, "status.lastRemediation")) {
    await scene.until(
      async () => valueAt(await scene.object(), "status.lastRemediation.machine") === sick.metadata.name,
    );
  }
  await scene.assertWhole(object);
};

const keepsTheLast: Case<ControlPlaneScene> = async (scene) => {
  await scene.create();
  await scene.managers.start();
  await scene.settled();
  const [only] = await scene.members();
  assert.ok(only);
  const { client } = scene.environment;
  const key = scene.core.key(only.metadata.name ?? "");
  await scene.findUnhealthy(only.metadata.name ?? "");
  await scene.until(
    async () => conditionOf(await client.get(MachineResource, key), "OwnerRemediated")?.reason === "CannotBeRemediated",
  );
  await scene.pass(60_000);
  assert.deepEqual(namesOf(await scene.members()), namesOf([only]), "the last Machine of a cluster is not replaced");
};

const settles: Case<ControlPlaneScene> = async (scene) => {
  await scene.create({ replicas: 3 });
  await scene.managers.start();
  await scene.settled();
  await scene.pass(60_000);
  const versions = async (): Promise<readonly unknown[]> => {
    const { client } = scene.environment;
    const { namespace } = scene.core;
    const lists = [MachineResource, MemoryMachine, MemoryMachineTemplate, scene.subject.configKind];
    const all = await Promise.all(lists.map(async (kind) => (await client.list(kind, { namespace })).items));
    return [await scene.object(), ...all.flat()].map(({ kind, metadata }) => [
      kind,
      metadata.name,
      metadata.resourceVersion,
    ]);
  };
  const before = await versions();
  await scene.environment.pass(900_000);
  assert.deepEqual(await versions(), before, "nothing is written when nothing changed");
  assertObserved(scene.subject.kinds, await scene.object());
};

const remembersSecrets: Case<ControlPlaneScene> = async (scene) => {
  await scene.create({ replicas: 3 });
  const gate = new CallGate();
  await scene.managers.start(gate);
  await scene.settled();
  await scene.pass(60_000);
  const asked = gate.asked.length;
  await scene.want({ labels: { tier: "a" } });
  await scene.until(async () => (await scene.members()).every(({ metadata }) => metadata.labels?.["tier"] === "a"));
  const { client } = scene.environment;
  const secrets = gate.asked.slice(asked).filter((kind) => kind === SecretResource.kind);
  assert.deepEqual(secrets, [], "Secrets that have not changed are not asked for again");
  const key = scene.core.key(clusterSecretName(scene.core.clusterName, SecretPurpose.ca));
  const { resourceVersion: _, uid: __, ...metadata } = (await client.get(SecretResource, key)).metadata;
  const copy = { ...(await client.get(SecretResource, key)), metadata };
  await client.delete(SecretResource, key);
  await scene.until(() => scene.says("CertificatesAvailable", "False/NotAvailable"));
  await client.create(SecretResource, copy);
  await scene.until(() => scene.says("CertificatesAvailable", "True/Available"));
};

const pauses: Case<ControlPlaneScene> = async (scene) => {
  await scene.create();
  await scene.core.pause(true);
  await scene.managers.start();
  await scene.until(() => scene.says("Paused", "True/Paused"));
  await scene.pass(30_000);
  assert.deepEqual(namesOf(await scene.members()), [], "no Machine while the Cluster is paused");
  await scene.core.pause(false);
  await scene.settled();
  await scene.core.pause(true);
  await scene.until(() => scene.says("Paused", "True/Paused"));
  await scene.want({ replicas: 3 });
  await scene.environment.client.delete(scene.subject.controlPlaneKind, scene.core.key("cp"));
  await scene.pass(30_000);
  assert.equal((await scene.members()).filter((machine) => !isBeingDeleted(machine)).length, 1, "nothing while paused");
};

const follows: Case<ControlPlaneScene> = async (scene) => {
  await scene.create({ replicas: 3, labels: { tier: "a", old: "x" } });
  await scene.managers.start();
  await scene.settled();
  const before = namesOf(await scene.members());
  const { client } = scene.environment;
  for (const name of before) await scene.core.patch(MachineResource, name, { metadata: { labels: { theirs: "1" } } });
  // A merge patch takes nothing out of a map by itself.
  await scene.want({ labels: { tier: "b", old: null as unknown as string } });
  const { namespace } = scene.core;
  await scene.until(async () => {
    const kinds = [MachineResource, MemoryMachine, scene.subject.configKind];
    const all = (await Promise.all(kinds.map(async (kind) => (await client.list(kind, { namespace })).items))).flat();
    return all.every(({ metadata }) => metadata.labels?.["tier"] === "b" && metadata.labels["old"] === undefined);
  });
  const members = await scene.members();
  assert.deepEqual(namesOf(members), before, "labels are changed in place");
  for (const { metadata } of members) assert.equal(metadata.labels?.["theirs"], "1", "others' labels are kept");
};

const adopts: Case<ControlPlaneScene> = async (scene) => {
  const object = await scene.create({ replicas: 3 });
  const first = await scene.managers.start();
  await scene.settled();
  await first.stop();
  const before = namesOf(await scene.members());
  for (const name of before) await scene.core.patch(MachineResource, name, { metadata: { ownerReferences: null } });
  await dropStatus(scene.environment.client, scene.subject.controlPlaneKind, scene.core.key("cp"));
  await scene.managers.start();
  await scene.until(async () =>
    (await scene.members()).every((machine) => controllerOf(machine)?.uid === object.metadata.uid),
  );
  await scene.settled();
  assert.deepEqual(namesOf(await scene.members()), before, "Machines that lost their owner are taken back");
};

const removesAfterWorkers: Case<ControlPlaneScene> = async (scene) => {
  await scene.create({ replicas: 3 });
  await scene.managers.start();
  await scene.settled();
  await scene.core.createMachine("worker", { bootstrap: { dataSecretName: "x" } });
  await scene.environment.client.delete(scene.subject.controlPlaneKind, scene.core.key("cp"));
  await scene.until(() => scene.says("Deleting", "True/WaitingForWorkersDeletion"));
  await scene.pass(60_000);
  assert.equal((await scene.members()).filter(isBeingDeleted).length, 0, "no Machine goes before the workers");
  await scene.environment.client.delete(MachineResource, scene.core.key("worker"));
  await scene.until(async () => (await scene.find()) === undefined);
  assert.deepEqual(namesOf(await scene.members()), [], "the object goes after its Machines");
};

/** Tried where every crash is. */
const longCases: Readonly<Record<string, Case<ControlPlaneScene>>> = {
  "replaces an unhealthy Machine and goes from three to one although it crashes between any two calls":
    survivesCrashesOfRemediation,
};

const cases: Readonly<Record<string, Case<ControlPlaneScene>>> = {
  "makes one Machine after another, the first to begin the cluster and the others to join it": grows,
  "waits for the cluster's infrastructure": waits,
  "goes from three to one, one after another": shrinks,
  "replaces all for another version, with one more meanwhile": rollsOut(1),
  "replaces all for another version, with one less meanwhile": rollsOut(0),
  "takes the Machine first that a user marked": replacesMarked,
  "outlives that somebody deletes all of its Machines": outlivesDeletions,
  "replaces a Machine that is unhealthy": remediates,
  "does not replace the last Machine of a cluster": keepsTheLast,
  "writes nothing once everything is as it should be": settles,
  "asks for a Secret again when it has changed, and notices at once that one is gone": remembersSecrets,
  "leaves paused objects alone": pauses,
  "changes labels in place": follows,
  "takes Machines back and rebuilds its status after a move": adopts,
  "lets its Machines go after the workers, and goes last": removesAfterWorkers,
  "makes every Machine once although it crashes between any two calls": survivesCrashesOfMaking,
  "replaces every Machine once although it crashes between any two calls": survivesCrashesOfRollout,
  "goes although it crashes between any two calls": survivesCrashesOfRemoval,
  "replaces the Machine that keeps another from leaving": replacesObstacle,
  "keeps the majority of etcd and comes to an end, whatever fails meanwhile": outlivesFaults,
  ...allAtOnceCases<ControlPlaneScene>({
    make: (scene, seed) => scene.create({ replicas: seed % 2 === 0 ? 3 : 1 }),
    ready: (scene) => scene.settled(),
    beforeMachine: ({ subject }) => [subject.configKind, MemoryMachine],
    beforeCluster: ({ subject }) => [subject.controlPlaneKind],
    play: (scene) => scene.machines.serve(),
    otherKinds: [MemoryMachine, MemoryMachineTemplate],
  }),
};

/** The suite every control plane kind has to pass. Pass Vitest's functions. */
export const controlPlaneConformance = (tools: SuiteTools, subject: ControlPlaneSubject): void =>
  defineSuite(tools, {
    title: "control plane conformance",
    kinds: [...subject.kinds, MemoryMachine, MemoryMachineTemplate],
    cases: tools.crashEvery === undefined ? { ...cases, ...longCases } : cases,
    skip: subject.skip,
    open: async (environment) => ({
      scene: (namespace) => new ControlPlaneScene(environment, subject, namespace),
      close: async () => undefined,
    }),
  });
