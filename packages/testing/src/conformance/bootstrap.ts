import assert from "node:assert/strict";
import { clusterSecretType, Label } from "@capstan/contract";
import {
  MachinePoolResource,
  MachineResource,
  SecretResource,
  bootstrapConfig,
  conditionOf,
  conditionsOf,
  mergePatches,
  valueAt,
} from "@capstan/contract/wire";
import type { MergePatch } from "@capstan/contract/wire";
import { toBase64, fromBase64 } from "@capstan/kube-values";
import type { Kind, KubeObject, Resource } from "@capstan/schema";
import { allAtOnceCases } from "./all-at-once.ts";
import { CorePart } from "./core-part.ts";
import { declares, dropStatus } from "./declared.ts";
import type { ConformanceEnvironment } from "./environment.ts";
import type { ManagedWorld } from "./managers.ts";
import { SceneManagers } from "./managers.ts";
import { assertObserved } from "./observed.ts";
import type { SuiteTools } from "./suite-tools.ts";
import type { Case } from "./suite.ts";
import { defineSuite } from "./suite.ts";

/** A bootstrap provider to be put through the suite. */
export interface BootstrapSubject extends ManagedWorld {
  readonly kinds: readonly Kind[];
  readonly configKind: Resource;
  /** A config of a control-plane machine that begins a new cluster: it needs no workload cluster. */
  readonly configSpec: MergePatch;
  /** Fields that the Cluster needs, for example its endpoint. */
  readonly clusterSpec?: MergePatch;
  /** Fields that the Machine needs, for example a version that the provider can install. */
  readonly machineSpec?: MergePatch;
  readonly formats: readonly string[];
  /** Configs of MachinePools, whose machines join a cluster. Absent: the provider serves none. */
  readonly pool?: PoolSubject;
  readonly skip?: Readonly<Record<string, string>>;
}

export interface PoolSubject {
  readonly configSpec: MergePatch;
  /** Creates what must exist before machines can join, for example authorities. */
  readonly prepare?: (core: CorePart) => Promise<unknown>;
  /** A change of the config's spec of which another document comes. */
  readonly change: MergePatch;
}

const fields = bootstrapConfig.for("v1beta2");
const olderFields = bootstrapConfig.for("v1beta1");

/** Returns whether the config says so in the words of the newest contract that its kind knows. */
const isCreated = ({ configKind, kinds }: BootstrapSubject, object: KubeObject): boolean => {
  const isNew = declares(kinds, configKind, fields.dataSecretCreated.path);
  return (isNew ? fields : olderFields).dataSecretCreated.get(object) === true;
};

/** Kinds that have conditions of `v1beta1` alone do not say that they are paused. */
const hasPaused = ({ configKind, kinds }: BootstrapSubject): boolean =>
  [fields.dataSecretCreated.path, "status.v1beta2.conditions"].some((path) => declares(kinds, configKind, path));

const isReady = (subject: BootstrapSubject, object: KubeObject | undefined): boolean =>
  object !== undefined && isCreated(subject, object) && conditionOf(object, "Ready")?.status === "True";

/** One bootstrap config named `b` in a namespace of its own. */
class BootstrapScene {
  readonly core: CorePart;
  readonly environment: ConformanceEnvironment;
  readonly subject: BootstrapSubject;
  readonly managers: SceneManagers;

  constructor(environment: ConformanceEnvironment, subject: BootstrapSubject, namespace: string) {
    this.environment = environment;
    this.subject = subject;
    this.core = new CorePart(environment.client, namespace);
    this.managers = new SceneManagers(environment, subject, namespace);
  }

  async create(options: { readonly owned?: boolean; readonly provisioned?: boolean } = {}): Promise<KubeObject> {
    const { core, subject } = this;
    await core.createCluster(subject.clusterSpec ?? {});
    if (options.provisioned !== false) await core.infrastructureProvisioned();
    const configRef = { apiGroup: subject.configKind.group, kind: subject.configKind.kind, name: "b" };
    const spec = mergePatches(subject.machineSpec ?? {}, { bootstrap: { configRef } });
    const machine = await core.createMachine("m", spec, { controlPlane: true });
    const owner = { kind: MachineResource, object: machine, controller: true };
    return core.createOwned(subject.configKind, "b", subject.configSpec, options.owned === false ? undefined : owner);
  }

  /** The same for a MachinePool, in a Cluster that can be joined. */
  async createForPool(pool: PoolSubject): Promise<KubeObject> {
    const { core, subject } = this;
    await core.createCluster(subject.clusterSpec ?? {});
    await core.infrastructureProvisioned();
    await core.controlPlaneInitialized();
    await pool.prepare?.(core);
    const configRef = { apiGroup: subject.configKind.group, kind: subject.configKind.kind, name: "b" };
    const object = await core.createPool("p", mergePatches(subject.machineSpec ?? {}, { bootstrap: { configRef } }));
    const owner = { kind: MachinePoolResource, object, controller: true };
    return core.createOwned(subject.configKind, "b", pool.configSpec, owner);
  }

  secret(): Promise<KubeObject | undefined> {
    return this.environment.client.find(SecretResource, this.core.key("b"));
  }

  config(): Promise<KubeObject> {
    return this.environment.client.get(this.subject.configKind, this.core.key("b"));
  }

  async eventually(test: (object: KubeObject | undefined) => boolean): Promise<KubeObject> {
    const object = await this.environment.eventually(this.subject.configKind, this.core.key("b"), test);
    assert.ok(object);
    return object;
  }

  ready(): Promise<KubeObject> {
    return this.eventually((object) => isReady(this.subject, object));
  }

  async document(): Promise<string> {
    const secret = await this.secret();
    assert.ok(secret, "the data Secret");
    return fromBase64(String(valueAt(secret, "data.value")));
  }
}

const makesData: Case<BootstrapScene> = async (scene) => {
  const config = await scene.create();
  const { warnings } = await scene.managers.start();
  const object = await scene.ready();
  assert.deepEqual(warnings, [], "nothing is warned about");
  const older = olderFields.dataSecretCreated;
  const { configKind, kinds } = scene.subject;
  if (declares(kinds, configKind, older.path)) assert.equal(older.get(object), true, older.path);
  const secret = await scene.secret();
  assert.ok(secret, "a Secret of the config's name");
  assert.equal(fields.dataSecretName.get(object), secret.metadata.name);
  assert.equal(secret["type"], clusterSecretType);
  assert.equal(secret.metadata.labels?.[Label.clusterName], scene.core.clusterName);
  const owner = secret.metadata.ownerReferences?.find(({ uid }) => uid === config.metadata.uid);
  assert.equal(owner?.controller, true, "the config controls the Secret");
  assert.ok((await scene.document()).length > 0, "the key value");
  const format = fromBase64(String(valueAt(secret, "data.format")));
  assert.ok(scene.subject.formats.includes(format), `the format ${format}`);
};

const waits: Case<BootstrapScene> = async (scene) => {
  await scene.create({ owned: false, provisioned: false });
  await scene.managers.start();
  const nothingWhile = async (what: string): Promise<void> => {
    await scene.environment.pass(60_000);
    assert.equal(await scene.secret(), undefined, `no Secret while ${what}`);
  };
  await nothingWhile("there is no owner");
  const machine = await scene.environment.client.get(MachineResource, scene.core.key("m"));
  const { name = "", uid = "" } = machine.metadata;
  const ownerReferences = [{ apiVersion: machine.apiVersion, kind: machine.kind, name, uid, controller: true }];
  await scene.core.patch(scene.subject.configKind, "b", { metadata: { ownerReferences } });
  await nothingWhile("the cluster's infrastructure is not provisioned");
  await scene.core.infrastructureProvisioned();
  await scene.ready();
};

const pauses: Case<BootstrapScene> = async (scene) => {
  await scene.create();
  await scene.core.pause(true);
  await scene.managers.start();
  if (hasPaused(scene.subject)) {
    const paused = await scene.eventually(
      (found) => found !== undefined && conditionOf(found, "Paused")?.status === "True",
    );
    assert.equal(conditionOf(paused, "Paused")?.message, "Cluster spec.paused is set to true");
  }
  await scene.environment.pass(60_000);
  assert.equal(await scene.secret(), undefined, "no Secret while the Cluster is paused");
  await scene.core.pause(false);
  await scene.ready();
};

const settles: Case<BootstrapScene> = async (scene) => {
  await scene.create();
  await scene.managers.start();
  await scene.ready();
  await scene.environment.pass(30_000);
  const before = [await scene.config(), await scene.secret()].map((object) => object?.metadata.resourceVersion);
  await scene.environment.pass(900_000);
  const after = [await scene.config(), await scene.secret()].map((object) => object?.metadata.resourceVersion);
  assert.deepEqual(after, before, "nothing is written when nothing changed");
  assertObserved(scene.subject.kinds, await scene.config());
};

const saidOf = (object: KubeObject): readonly unknown[] =>
  conditionsOf(object).map(({ reason, status, type }) => `${type} ${status}/${reason}`);

/** After a move: the status is gone, the Secret is there without its owner, the Machine knows the Secret's name. */
const rebuildsStatus: Case<BootstrapScene> = async (scene) => {
  await scene.create();
  await scene.managers.start();
  const before = saidOf(await scene.ready());
  const document = await scene.document();
  await scene.managers.stopAll();
  await scene.core.patch(MachineResource, "m", { spec: { bootstrap: { dataSecretName: "b" } } });
  await scene.core.patch(SecretResource, "b", { metadata: { ownerReferences: null } });
  await dropStatus(scene.environment.client, scene.subject.configKind, scene.core.key("b"));
  await scene.managers.start();
  const after = await scene.ready();
  assert.equal(await scene.document(), document, "the data is not made again");
  assert.deepEqual(saidOf(after), before, "the conditions are what they were");
  await scene.environment.until(async () => {
    const owners = (await scene.secret())?.metadata.ownerReferences ?? [];
    return owners.some(({ controller, kind }) => controller === true && kind === scene.subject.configKind.kind);
  });
};

const leavesForeignSecrets: Case<BootstrapScene> = async (scene) => {
  await scene.core.createSecret("b", { key: toBase64("mine") });
  await scene.create();
  await scene.managers.start();
  await scene.eventually((found) => found !== undefined && conditionOf(found, "Ready")?.status === "False");
  await scene.environment.pass(30_000);
  assert.equal(valueAt(await scene.secret(), "data.key"), toBase64("mine"));
  assert.equal(isCreated(scene.subject, await scene.config()), false);
};

const survivesCrashes: Case<BootstrapScene> = async (_scene, another, withCrashes) => {
  await withCrashes(async (gate) => {
    const scene = await another();
    await scene.create();
    const first = await scene.managers.start(gate);
    await scene.environment.until(
      async () => gate.crashedAt !== undefined || isReady(scene.subject, await scene.config()),
    );
    const before = await scene.secret();
    if (gate.crashedAt !== undefined) {
      await first.stop();
      await scene.managers.start();
    }
    await scene.ready();
    const after = await scene.secret();
    if (before !== undefined) {
      assert.deepEqual(after?.["data"], before["data"], "data that was stored is not made again");
    }
    await scene.managers.stopAll();
  });
};

const makesPoolDataAnew =
  (pool: PoolSubject): Case<BootstrapScene> =>
  async (scene) => {
    const { core, environment, subject } = scene;
    await scene.createForPool(pool);
    const { warnings } = await scene.managers.start();
    await scene.ready();
    const [first, before] = [await scene.document(), await scene.secret()];
    await core.patch(subject.configKind, "b", { spec: pool.change });
    await environment.until(async () => (await scene.document()) !== first);
    const after = await scene.secret();
    assert.equal(after?.metadata.uid, before?.metadata.uid, "the Secret stays");
    await environment.pass(30_000);
    assertObserved(subject.kinds, await scene.config());
    const second = await scene.document();
    await core.setStatus(MachinePoolResource, "p", "status.nodeRefs", [{ name: "n" }]);
    const { client } = environment;
    await client.delete(SecretResource, core.key("b"));
    await environment.until(async () => (await scene.secret()) !== undefined);
    assert.equal(await scene.document(), second, "what is gone is made again, for machines that are still to come");
    assert.deepEqual(warnings, [], "nothing is warned about");
  };

const poolSurvivesCrashes =
  (pool: PoolSubject): Case<BootstrapScene> =>
  async (_scene, another, withCrashes) => {
    let wanted: string | undefined;
    await withCrashes(async (gate) => {
      const scene = await another();
      await scene.createForPool(pool);
      const play = async (test: () => Promise<boolean>): Promise<void> => {
        await scene.environment.until(async () => gate.crashedAt !== undefined || (await test()));
        if (gate.crashedAt === undefined || crashed) return;
        crashed = true;
        await first.stop();
        await scene.managers.start();
        await scene.environment.until(test);
      };
      let crashed = false;
      const first = await scene.managers.start(gate);
      await play(async () => isReady(scene.subject, await scene.config()));
      const before = await scene.document();
      await scene.core.patch(scene.subject.configKind, "b", { spec: pool.change });
      await play(async () => (await scene.document()) !== before);
      await scene.environment.pass(60_000);
      const size = Buffer.byteLength(await scene.document());
      wanted ??= String(size);
      assert.equal(String(size), wanted, "the same document comes of it, wherever it crashed");
      await scene.managers.stopAll();
    });
  };

const poolCases = (pool: PoolSubject): Readonly<Record<string, Case<BootstrapScene>>> => ({
  "makes the data of a MachinePool anew when its config changes or it is gone": makesPoolDataAnew(pool),
  "brings the data of a MachinePool up to date although it crashes between any two calls": poolSurvivesCrashes(pool),
});

const cases: Readonly<Record<string, Case<BootstrapScene>>> = {
  "makes the data Secret and fills in the contract": makesData,
  "waits for owner and cluster infrastructure": waits,
  "leaves paused objects alone": pauses,
  "writes nothing once everything is as it should be": settles,
  "rebuilds its status after a move and makes nothing again": rebuildsStatus,
  "does not take a Secret that is not its own": leavesForeignSecrets,
  "makes one document although it crashes between any two calls": survivesCrashes,
  ...allAtOnceCases<BootstrapScene>({
    make: (scene, seed) => {
      const { pool } = scene.subject;
      return pool === undefined || seed % 2 === 0 ? scene.create() : scene.createForPool(pool);
    },
    ready: (scene) => scene.ready(),
    beforeMachine: ({ subject }) => [subject.configKind],
  }),
};

/** The suite every bootstrap provider has to pass. Pass Vitest's functions. */
export const bootstrapConformance = (tools: SuiteTools, subject: BootstrapSubject): void =>
  defineSuite(tools, {
    title: "bootstrap conformance",
    kinds: subject.kinds,
    cases: { ...cases, ...(subject.pool === undefined ? {} : poolCases(subject.pool)) },
    skip: subject.skip,
    open: async (environment) => ({
      scene: (namespace) => new BootstrapScene(environment, subject, namespace),
      close: async () => undefined,
    }),
  });
