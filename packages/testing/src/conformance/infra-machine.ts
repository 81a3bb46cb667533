import assert from "node:assert/strict";
import { Annotation } from "@capstan/contract";
import { MachineResource, infraMachine, ownerReference } from "@capstan/contract/wire";
import { allAtOnceCases } from "./all-at-once.ts";
import { CallGate } from "./call-gate.ts";
import { declares, dropStatus } from "./declared.ts";
import { bootstrapCases } from "./infra-machine-bootstrap.ts";
import { claimCases } from "./infra-machine-claims.ts";
import { credentialsCases } from "./infra-machine-credentials.ts";
import { epochCases } from "./infra-machine-epochs.ts";
import { operationCases } from "./infra-machine-operations.ts";
import { removalCases } from "./infra-machine-removal.ts";
import { MachineScene, uidOf } from "./infra-machine-scene.ts";
import type { InfraMachineSubject } from "./infra-machine-subject.ts";
import { assertObserved } from "./observed.ts";
import type { SuiteTools } from "./suite-tools.ts";
import type { Case } from "./suite.ts";
import { defineSuite } from "./suite.ts";

const fields = infraMachine.for("v1beta2");
const olderFields = infraMachine.for("v1beta1");

const provisions: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  const { warnings } = await scene.managers.start();
  const object = await scene.ready();
  assert.deepEqual(warnings, [], "nothing is warned about");
  const older = olderFields.provisioned;
  const { kinds, machineKind } = scene.subject;
  if (declares(kinds, machineKind, older.path)) assert.equal(older.get(object), true, older.path);
  assert.ok((fields.addresses.get(object) ?? []).length > 0, "status.addresses");
  assert.equal(scene.condition(object, "Paused")?.status, "False");
  assert.ok((object.metadata.finalizers ?? []).length > 0, "it has a finalizer");
  await scene.assertServers(uidOf(object), 1);
  await scene.environment.pass(60_000);
  const events = (await scene.events()).map(({ reason, message }) => `${String(reason)}: ${String(message)}`);
  assert.ok(events.length <= 1, `conditions tell how far it is, and at most one Event: ${events.join("; ")}`);
};

const waits: Case<MachineScene> = async (scene) => {
  await scene.cluster({ provisioned: false });
  const object = await scene.machine({ owned: false, data: null });
  await scene.managers.start();
  const nothingWhile = async (what: string): Promise<void> => {
    await scene.environment.pass(30_000);
    await scene.assertServers(uidOf(object), 0, `while ${what}`);
  };
  await nothingWhile("it has no owner");
  const machine = await scene.environment.client.get(MachineResource, scene.core.key("m"));
  const ownerReferences = [ownerReference(MachineResource, machine, { controller: true })];
  await scene.core.patch(scene.subject.machineKind, "m", { metadata: { ownerReferences } });
  await nothingWhile("the cluster's infrastructure is not provisioned");
  await scene.notReady({ reason: "WaitingForClusterInfrastructure" });
  await scene.core.infrastructureProvisioned();
  await nothingWhile("there is no bootstrap data");
  await scene.notReady({ reason: "WaitingForBootstrapData" });
  const message = "KubeadmConfig m does not exist; create it";
  const why = { type: "BootstrapConfigReady", status: "False", reason: "ObjectDoesNotExist", message };
  const lastTransitionTime = machine.metadata.creationTimestamp;
  const body = { status: { conditions: [{ ...why, lastTransitionTime }] } };
  await scene.environment.client.patch(
    MachineResource,
    scene.core.key("m"),
    { type: "merge", body },
    { subresource: "status" },
  );
  await scene.notReady({ reason: "WaitingForBootstrapData", words: message });
  await scene.core.createBootstrapSecret("data", "#cloud-config\n");
  await scene.core.patch(MachineResource, "m", { spec: { bootstrap: { dataSecretName: "data" } } });
  await scene.ready();
};

const standsBeside: Case<MachineScene> = async (scene) => {
  await scene.cluster({ additional: true });
  const object = await scene.machine();
  await scene.managers.start();
  await scene.ready();
  await scene.assertServers(uidOf(object), 1);
};

const settles: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  await scene.managers.start();
  await scene.ready();
  await scene.environment.pass(60_000);
  const before = await scene.get();
  await scene.environment.pass(900_000);
  const after = await scene.get();
  assert.equal(
    after.metadata.resourceVersion,
    before.metadata.resourceVersion,
    "nothing is written when nothing changed",
  );
  assertObserved(scene.subject.kinds, after);
};

const pauses: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.core.pause(true);
  const object = await scene.machine();
  await scene.managers.start();
  await scene.eventually((found) => scene.condition(found, "Paused")?.status === "True");
  await scene.environment.pass(30_000);
  await scene.assertServers(uidOf(object), 0, "while the Cluster is paused");
  await scene.core.pause(false);
  const ready = await scene.ready();
  assert.equal(scene.condition(ready, "Paused")?.status, "False");
  await scene.core.patch(scene.subject.machineKind, "m", { metadata: { annotations: { [Annotation.paused]: "" } } });
  await scene.eventually((found) => scene.condition(found, "Paused")?.status === "True");
  await scene.remove();
  await scene.environment.pass(30_000);
  await scene.assertServers(uidOf(object), 1, "while it is paused by annotation");
  await scene.core.patch(scene.subject.machineKind, "m", { metadata: { annotations: { [Annotation.paused]: null } } });
  await scene.gone();
  await scene.assertNothingLeft(uidOf(object), "after the deletion");
};

const survivesLostAnswers: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  scene.disturb({ on: "create", kind: "lost-answer", times: 2 });
  await scene.managers.start();
  const object = await scene.ready();
  await scene.assertServers(uidOf(object), 1);
  scene.disturb({ on: "delete", kind: "lost-answer", times: 1 });
  await scene.remove();
  await scene.gone();
  await scene.assertNothingLeft(uidOf(object));
};

const survivesRefusals: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  scene.disturb({ on: "create", kind: "refused", times: 3 });
  await scene.managers.start();
  const object = await scene.ready();
  await scene.assertServers(uidOf(object), 1);
};

const survivesRefusedRemovals: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  await scene.managers.start();
  const object = await scene.ready();
  scene.disturb({ on: "delete", kind: "refused", times: 3 });
  await scene.remove();
  await scene.gone();
  await scene.assertNothingLeft(uidOf(object));
};

const respectsThrottling: Case<MachineScene> = async (scene) => {
  const retryAfterMs = 40_000;
  await scene.cluster();
  await scene.machine();
  scene.disturb({ on: "create", kind: "throttled", times: 1, retryAfterMs });
  await scene.managers.start();
  const object = await scene.ready();
  const times = scene.creations();
  assert.ok(
    times.length > 1,
    `creations() has ${times.length} of at least two: list those that disturb made fail as well, and let it make them fail`,
  );
  const [first = 0, second = 0] = times;
  assert.ok(
    second - first >= retryAfterMs,
    `the second creation came ${second - first} ms after a Retry-After of ${retryAfterMs} ms`,
  );
  await scene.assertServers(uidOf(object), 1);
};

const survivesConflicts: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  await scene.managers.start();
  let count = 0;
  await scene.environment.until(async () => {
    count += 1;
    await scene.core.patch(scene.subject.machineKind, "m", {
      metadata: { labels: { [`other-${count % 5}`]: String(count) } },
    });
    return count >= 30;
  });
  const object = await scene.ready();
  assert.ok(Object.keys(object.metadata.labels ?? {}).includes("other-1"), "the other writer's labels are kept");
  await scene.assertServers(uidOf(object), 1);
};

const doesNotReplace: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  await scene.managers.start();
  const object = await scene.ready();
  await scene.cloud.destroy(uidOf(object));
  await scene.eventually((found) => scene.condition(found, "Ready")?.status === "False", 1_200_000);
  await scene.environment.pass(60_000);
  await scene.assertServers(uidOf(object), 0, "after it vanished");
  const after = await scene.get();
  assert.equal(fields.provisioned.get(after), true, "provisioned is never unset");
  assert.equal(fields.providerID.get(after), fields.providerID.get(object), "the provider id is never unset");
};

const showsOutages: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  await scene.managers.start();
  const object = await scene.ready();
  assert.ok("outage" in scene.cloud, "a cloud that can be out of reach has outage");
  await scene.cloud.outage?.(true);
  const unknown = await scene.eventually((found) => scene.condition(found, "Ready")?.status === "Unknown", 1_200_000);
  assert.ok(unknown);
  assert.notEqual(scene.condition(unknown, "Ready")?.message, "", "the condition says why nothing is known");
  assert.equal(fields.provisioned.get(unknown), true, "provisioned is never unset");
  await scene.environment.pass(900_000);
  const later = await scene.get();
  assert.equal(later.metadata.resourceVersion, unknown.metadata.resourceVersion, "it is written once");
  await scene.cloud.outage?.(false);
  await scene.ready(1_200_000);
  await scene.assertServers(uidOf(object), 1, "afterwards");
};

/** Rebuilds the status of an object that was moved or restored, with spec and metadata but no status. */
const rebuildsStatus: Case<MachineScene> = async (scene) => {
  await scene.cluster();
  await scene.machine();
  await scene.managers.start();
  const object = await scene.ready();
  await scene.managers.stopAll();
  await dropStatus(scene.environment.client, scene.subject.machineKind, scene.core.key("m"));
  await scene.managers.start();
  const again = await scene.ready();
  assert.equal(fields.providerID.get(again), fields.providerID.get(object));
  await scene.assertServers(uidOf(object), 1);
};

const survivesCrashesOfCreation: Case<MachineScene> = async (_scene, another, withCrashes) => {
  await withCrashes(async (gate) => {
    const scene = await another();
    await scene.cluster();
    const object = await scene.machine();
    const first = await scene.managers.start(gate);
    await scene.environment.until(async () => gate.crashedAt !== undefined || (await scene.isReady()));
    if (gate.crashedAt !== undefined) {
      await first.stop();
      await scene.managers.start(new CallGate());
    }
    await scene.ready();
    await scene.environment.pass(5000);
    await scene.assertServers(uidOf(object), 1, `after a crash ${gate.crashedAt}`);
    await scene.managers.stopAll();
  });
};

const survivesCrashesOfRemoval: Case<MachineScene> = async (_scene, another, withCrashes) => {
  await withCrashes(async (gate) => {
    const scene = await another();
    await scene.cluster();
    const object = await scene.machine();
    const first = await scene.managers.start();
    await scene.ready();
    await first.stop();
    await scene.remove();
    const second = await scene.managers.start(gate);
    const { client } = scene.environment;
    const isGone = async (): Promise<boolean> =>
      (await client.find(scene.subject.machineKind, scene.core.key("m"))) === undefined;
    await scene.environment.until(async () => gate.crashedAt !== undefined || (await isGone()));
    if (gate.crashedAt !== undefined) {
      await second.stop();
      await scene.managers.start(new CallGate());
    }
    await scene.gone();
    await scene.assertNothingLeft(uidOf(object), `after a crash ${gate.crashedAt}`);
    await scene.managers.stopAll();
  });
};

const outageCase = "says that nothing is known while the cloud is out of reach, once";

const cases: Readonly<Record<string, Case<MachineScene>>> = {
  "creates one server and fills in the contract": provisions,
  "waits for owner, cluster infrastructure and bootstrap data": waits,
  "has its server in an infrastructure beside that of its Cluster": standsBeside,
  "writes nothing once everything is as it should be": settles,
  "leaves paused objects alone": pauses,
  ...removalCases,
  "makes one server although answers are lost": survivesLostAnswers,
  "tries again after refusals": survivesRefusals,
  "tries a removal again that was refused": survivesRefusedRemovals,
  "waits as long as a throttling cloud says": respectsThrottling,
  "gets along with other writers": survivesConflicts,
  "reports a vanished server and does not replace it": doesNotReplace,
  [outageCase]: showsOutages,
  ...bootstrapCases,
  "rebuilds its status after a move": rebuildsStatus,
  ...credentialsCases,
  "makes one server although it crashes between any two calls": survivesCrashesOfCreation,
  "leaves no server although it crashes between any two calls": survivesCrashesOfRemoval,
  ...operationCases,
  ...epochCases,
  ...claimCases,
  ...allAtOnceCases<MachineScene>({
    beforeMachine: ({ subject }) => [subject.machineKind],
    beforeCluster: ({ subject }) => [subject.clusterKind],
    make: async (scene) => {
      await scene.cluster();
      return scene.machine();
    },
    ready: (scene) => scene.ready(),
    assertNothingLeft: (scene, object, when) => scene.assertNothingLeft(uidOf(object), when),
  }),
};

/** Cases about what the provider does not have. */
const notApplicable = ({
  claims,
  operations,
  outages,
  secrets = {},
}: InfraMachineSubject): Readonly<Record<string, string>> => ({
  ...(Object.keys(secrets).length === 0 && skipped(credentialsCases, "the provider takes no credentials")),
  ...(outages !== true && { [outageCase]: "the cloud is never out of reach" }),
  ...(operations !== true && skipped(operationCases, "no operation goes on after its answer")),
  ...(claims === undefined
    ? skipped(claimCases, "machines are made, not claimed")
    : skipped(epochCases, "what is claimed are objects of the management API: two installations share none")),
});

const skipped = (some: Readonly<Record<string, unknown>>, reason: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(some).map((name) => [name, reason]));

/** The suite every infrastructure machine kind has to pass. Pass Vitest's functions. */
export const infraMachineConformance = (tools: SuiteTools, subject: InfraMachineSubject): void =>
  defineSuite(tools, {
    title: "infrastructure machine conformance",
    kinds: subject.kinds,
    cases,
    skip: { ...notApplicable(subject), ...subject.skip },
    open: async (environment) => {
      const cloud = await subject.start(environment);
      return {
        scene: (namespace) => new MachineScene(environment, cloud, subject, namespace),
        close: async () => cloud.stop?.(),
      };
    },
  });
