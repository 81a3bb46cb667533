import assert from "node:assert/strict";
import { Annotation, Label } from "@capstan/contract";
import { ClusterResource, infraCluster, ownerOfKind } from "@capstan/contract/wire";
import type { MergePatch } from "@capstan/contract/wire";
import type { Kind, KubeObject, Resource } from "@capstan/schema";
import { allAtOnceCases } from "./all-at-once.ts";
import { offer, type ClaimedObjects } from "./claimed-objects.ts";
import { CorePart } from "./core-part.ts";
import { conditionOfKind } from "./condition-of-kind.ts";
import { declares } from "./declared.ts";
import type { ConformanceEnvironment, SuiteEnvironment } from "./environment.ts";
import type { ManagedWorld } from "./managers.ts";
import { SceneManagers } from "./managers.ts";
import { assertObserved } from "./observed.ts";
import type { SuiteTools } from "./suite-tools.ts";
import type { Case } from "./suite.ts";
import { defineSuite } from "./suite.ts";

/** A simulated cloud and the provider that works with it. Made for every case; the clusters of one case share it. */
export interface InfraClusterCloud extends ManagedWorld {
  /**
   * Returns the number of things that exist at the cloud for an infrastructure cluster, by its uid or by the result of
   * `ownerOf` for the object.
   */
  resourcesOf(uid: string, object: KubeObject): number | Promise<number>;
  /** The spec of a machine in a namespace, where it depends on what `start` made or differs from scene to scene. Default: that of the subject. */
  machineSpec?(namespace: string): MergePatch | Promise<MergePatch>;
  /** The spec of a cluster in a namespace, where it depends on what `start` made or differs from scene to scene. Default: that of the subject. */
  clusterSpec?(namespace: string): MergePatch | Promise<MergePatch>;
  /** Number of things that a complete one has. Default 1. */
  readonly wholeCount?: number;
  stop?(): Promise<void>;
}

/** An infrastructure provider to be put through the suite. */
export interface InfraClusterSubject {
  readonly kinds: readonly Kind[];
  readonly clusterKind: Resource;
  /** A machine of the provider keeps its cluster's infrastructure alive. */
  readonly machineKind: Resource;
  readonly clusterSpec: MergePatch;
  readonly machineSpec: MergePatch;
  /** Secrets that the specs refer to: base64 data by name. */
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Present when clusters claim something. There are three of them in every namespace. */
  readonly claims?: ClaimedObjects;
  start(environment: SuiteEnvironment): Promise<InfraClusterCloud>;
  readonly skip?: Readonly<Record<string, string>>;
}

const fields = infraCluster.for("v1beta2");
const olderFields = infraCluster.for("v1beta1");

const isReady = (kind: Resource, object: KubeObject | undefined): boolean =>
  object !== undefined &&
  conditionOfKind(kind, object, "Ready")?.status === "True" &&
  fields.provisioned.get(object) === true;

/** One infrastructure cluster in a namespace of its own. */
class ClusterScene {
  readonly core: CorePart;
  readonly environment: ConformanceEnvironment;
  readonly cloud: InfraClusterCloud;
  readonly subject: InfraClusterSubject;
  readonly managers: SceneManagers;

  constructor(
    environment: ConformanceEnvironment,
    cloud: InfraClusterCloud,
    subject: InfraClusterSubject,
    namespace: string,
  ) {
    this.environment = environment;
    this.cloud = cloud;
    this.subject = subject;
    this.core = new CorePart(environment.client, namespace);
    this.managers = new SceneManagers(environment, cloud, namespace);
  }

  async create(
    options: {
      readonly owned?: boolean;
      /** Another infrastructure is the Cluster's own. */
      readonly additional?: boolean;
      readonly annotations?: Readonly<Record<string, string>>;
      /** Instead of what the subject says. */
      readonly spec?: MergePatch;
    } = {},
  ): Promise<KubeObject> {
    const { claims, clusterKind, secrets = {} } = this.subject;
    const { core, environment } = this;
    await offer(environment.client, core, claims);
    for (const [name, data] of Object.entries(secrets)) await core.createSecret(name, data);
    const own = { apiGroup: clusterKind.group, kind: clusterKind.kind, name: core.clusterName };
    const infrastructureRef = options.additional === true ? { ...own, kind: `Other${clusterKind.kind}` } : own;
    const cluster = await core.createCluster({ infrastructureRef });
    const owner = { kind: ClusterResource, object: cluster, controller: false };
    const made = await core.createOwned(
      clusterKind,
      core.clusterName,
      options.spec ?? (await this.spec()),
      options.owned === false || options.additional === true ? undefined : owner,
    );
    if (options.annotations === undefined) return made;
    return core.patch(clusterKind, core.clusterName, { metadata: { annotations: options.annotations } });
  }

  async spec(): Promise<MergePatch> {
    return (await this.cloud.clusterSpec?.(this.core.namespace)) ?? this.subject.clusterSpec;
  }

  find(): Promise<KubeObject | undefined> {
    return this.environment.client.find(this.subject.clusterKind, this.core.key(this.core.clusterName));
  }

  async eventually(test: (object: KubeObject | undefined) => boolean): Promise<KubeObject | undefined> {
    return this.environment.eventually(this.subject.clusterKind, this.core.key(this.core.clusterName), test);
  }

  async ready(): Promise<KubeObject> {
    const object = await this.eventually((found) => isReady(this.subject.clusterKind, found));
    assert.ok(object);
    return object;
  }

  isPaused(object: KubeObject | undefined): boolean {
    return object !== undefined && conditionOfKind(this.subject.clusterKind, object, "Paused")?.status === "True";
  }

  async remove(): Promise<void> {
    await this.environment.client.delete(this.subject.clusterKind, this.core.key(this.core.clusterName));
  }

  async gone(): Promise<void> {
    await this.eventually((object) => object === undefined);
  }

  async assertResources(object: KubeObject, expected: "none" | "whole", when = ""): Promise<void> {
    const count = expected === "none" ? 0 : (this.cloud.wholeCount ?? 1);
    assert.equal(
      await this.cloud.resourcesOf(object.metadata.uid ?? "", object),
      count,
      `resources at the cloud ${when}`,
    );
  }
}

const provisions: Case<ClusterScene> = async (scene) => {
  await scene.create();
  const { warnings } = await scene.managers.start();
  const object = await scene.ready();
  assert.deepEqual(warnings, [], "nothing is warned about");
  const older = olderFields.provisioned;
  const { clusterKind, kinds } = scene.subject;
  if (declares(kinds, clusterKind, older.path)) assert.equal(older.get(object), true, older.path);
  assert.ok(fields.endpoint.get(object), "spec.controlPlaneEndpoint with host and port");
  assert.ok((object.metadata.finalizers ?? []).length > 0, "it has a finalizer");
  await scene.assertResources(object, "whole");
};

const waits: Case<ClusterScene> = async (scene) => {
  const object = await scene.create({ owned: false });
  await scene.managers.start();
  await scene.environment.pass(30_000);
  await scene.assertResources(object, "none", "without an owner");
};

const standsBeside: Case<ClusterScene> = async (scene) => {
  const { client } = scene.environment;
  const { core } = scene;
  await scene.create({ additional: true });
  await scene.managers.start();
  const object = await scene.ready();
  const cluster = await client.get(ClusterResource, core.key(core.clusterName));
  assert.equal(ownerOfKind(object, ClusterResource)?.uid, cluster.metadata.uid, "it belongs to the Cluster");
  assert.equal(fields.endpoint.get(object), undefined, "it makes no endpoint of its own");
  await client.delete(ClusterResource, core.key(core.clusterName));
  await scene.remove();
  await scene.gone();
  await scene.assertResources(object, "none", "after the deletion");
};

const leavesToOthers: Case<ClusterScene> = async (scene) => {
  const object = await scene.create({ annotations: { [Annotation.managedBy]: "somebody" } });
  await scene.managers.start();
  await scene.environment.pass(30_000);
  await scene.assertResources(object, "none", "when somebody else manages it");
  const after = await scene.find();
  assert.equal(after?.metadata.resourceVersion, object.metadata.resourceVersion, "it is not touched");
};

const pauses: Case<ClusterScene> = async (scene) => {
  const object = await scene.create();
  await scene.core.pause(true);
  await scene.managers.start();
  await scene.eventually((found) => scene.isPaused(found));
  await scene.environment.pass(30_000);
  await scene.assertResources(object, "none", "while the Cluster is paused");
  await scene.core.pause(false);
  await scene.ready();
};

const settles: Case<ClusterScene> = async (scene) => {
  await scene.create();
  await scene.managers.start();
  await scene.ready();
  await scene.environment.pass(60_000);
  const before = await scene.find();
  await scene.environment.pass(1_300_000);
  const after = await scene.find();
  assert.equal(
    after?.metadata.resourceVersion,
    before?.metadata.resourceVersion,
    "nothing is written when nothing changed",
  );
  assert.ok(after);
  assertObserved(scene.subject.kinds, after);
};

const removesLast: Case<ClusterScene> = async (scene) => {
  const { core, subject } = scene;
  const object = await scene.create();
  const spec = (await scene.cloud.machineSpec?.(core.namespace)) ?? subject.machineSpec;
  const machine = await core.createOwned(subject.machineKind, "m", spec);
  await core.patch(subject.machineKind, "m", { metadata: { finalizers: [`${Label.clusterName}-test`] } });
  await scene.managers.start();
  await scene.ready();
  await scene.remove();
  await scene.environment.pass(60_000);
  await scene.assertResources(object, "whole", "while a machine is left");
  await core.patch(subject.machineKind, machine.metadata.name ?? "", { metadata: { finalizers: [] } });
  await scene.environment.client.delete(subject.machineKind, core.key("m"));
  await scene.gone();
  await scene.assertResources(object, "none", "after the deletion");
};

/** Refused, where it does not have an infrastructure of its own, and told of no object in another namespace but that there is one. */
const assertSecond = (scene: ClusterScene, second: KubeObject | undefined, first: KubeObject): void => {
  const { clusterKind } = scene.subject;
  if (isReady(clusterKind, second)) return;
  const said = second && conditionOfKind(clusterKind, second, "Ready");
  assert.equal(said?.status, "False", "the second one is ready or refused");
  const { kind, metadata } = first;
  const message = said?.message ?? "";
  assert.ok(message.includes(`another namespace's ${kind}`), `it is refused for what another ${kind} has: ${message}`);
  assert.ok(!message.includes(`${metadata.namespace}/`), `it does not say whose it is: ${message}`);
};

/** Two of one name in two namespaces: the second, which goes first, neither has nor takes along what the first one has. */
const besideOneOfItsName = async (
  scene: ClusterScene,
  another: () => Promise<ClusterScene>,
  copied: (first: KubeObject) => Parameters<ClusterScene["create"]>[0] | Promise<Parameters<ClusterScene["create"]>[0]>,
): Promise<void> => {
  await scene.create();
  await scene.managers.start();
  await scene.ready();
  await scene.environment.pass(60_000);
  const first = (await scene.find())!;
  const second = await another();
  const made = await second.create(await copied(first));
  await second.managers.start();
  await second.environment.pass(120_000);
  assertSecond(second, await second.find(), first);
  await scene.assertResources(first, "whole", "of the first one while there is a second");
  await second.remove();
  await second.gone();
  await second.assertResources(made, "none", "of the second one after its deletion");
  await scene.assertResources(first, "whole", "of the first one after the deletion of the second");
  await scene.environment.pass(700_000);
  const after = await scene.ready();
  assert.deepEqual(fields.endpoint.get(after), fields.endpoint.get(first), "the first one's endpoint");
  await scene.assertResources(first, "whole", "of the first one in the end");
  await scene.remove();
  await scene.gone();
  await scene.assertResources(first, "none", "of the first one after its deletion");
};

const staysBesideItsName: Case<ClusterScene> = (scene, another) =>
  besideOneOfItsName(scene, another, async () => ({ spec: await scene.spec() }));

const staysBesideItsCopy: Case<ClusterScene> = (scene, another) =>
  besideOneOfItsName(scene, another, ({ metadata: { annotations = {} }, ...first }) => ({
    spec: first["spec"] as MergePatch,
    annotations,
  }));

const survivesCrashes: Case<ClusterScene> = async (_scene, another, withCrashes) => {
  await withCrashes(async (gate) => {
    const scene = await another();
    const object = await scene.create();
    const first = await scene.managers.start(gate);
    await scene.environment.until(
      async () => gate.crashedAt !== undefined || isReady(scene.subject.clusterKind, await scene.find()),
    );
    if (gate.crashedAt !== undefined) {
      await first.stop();
      await scene.managers.start();
    }
    await scene.ready();
    await scene.assertResources(object, "whole", `after a crash ${gate.crashedAt}`);
    await scene.managers.stopAll();
  });
};

const survivesCrashesOfRemoval: Case<ClusterScene> = async (_scene, another, withCrashes) => {
  await withCrashes(async (gate) => {
    const scene = await another();
    const object = await scene.create();
    const first = await scene.managers.start();
    await scene.ready();
    await first.stop();
    await scene.remove();
    const second = await scene.managers.start(gate);
    await scene.environment.until(async () => gate.crashedAt !== undefined || (await scene.find()) === undefined);
    if (gate.crashedAt !== undefined) {
      await second.stop();
      await scene.managers.start();
    }
    await scene.gone();
    await scene.assertResources(object, "none", `after a crash ${gate.crashedAt}`);
    await scene.managers.stopAll();
  });
};

const cases: Readonly<Record<string, Case<ClusterScene>>> = {
  "creates the infrastructure and fills in the contract": provisions,
  "waits for its owner": waits,
  "stands beside another infrastructure of its Cluster": standsBeside,
  "leaves alone what somebody else manages": leavesToOthers,
  "leaves paused objects alone": pauses,
  "writes nothing once everything is as it should be": settles,
  "removes the infrastructure after the last machine": removesLast,
  "leaves alone what a second cluster of the same name in another namespace, deleted first, does not own":
    staysBesideItsName,
  "leaves alone what a copy of it in another namespace, deleted first, does not own": staysBesideItsCopy,
  "creates nothing twice although it crashes between any two calls": survivesCrashes,
  "leaves nothing although it crashes between any two calls": survivesCrashesOfRemoval,
  ...allAtOnceCases<ClusterScene>({
    beforeMachine: ({ subject }) => [subject.machineKind],
    beforeCluster: ({ subject }) => [subject.clusterKind],
    make: (scene) => scene.create(),
    ready: (scene) => scene.ready(),
    assertNothingLeft: (scene, object, when) => scene.assertResources(object, "none", when),
  }),
};

/** The suite every infrastructure cluster kind has to pass. Pass Vitest's functions. */
export const infraClusterConformance = (tools: SuiteTools, subject: InfraClusterSubject): void =>
  defineSuite(tools, {
    title: "infrastructure cluster conformance",
    kinds: subject.kinds,
    cases,
    skip: subject.skip,
    open: async (environment) => {
      const cloud = await subject.start(environment);
      return {
        scene: (namespace) => new ClusterScene(environment, cloud, subject, namespace),
        close: async () => cloud.stop?.(),
      };
    },
  });
