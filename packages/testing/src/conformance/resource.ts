import assert from "node:assert/strict";
import { Annotation } from "@capstan/contract";
import type { MergePatch } from "@capstan/contract/wire";
import { conditionOf } from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import { apiVersionOf, type KubeObject } from "@capstan/schema";
import { allAtOnceCases } from "./all-at-once.ts";
import { CallGate } from "./call-gate.ts";
import type { ConformanceEnvironment } from "./environment.ts";
import { SceneManagers } from "./managers.ts";
import { assertObserved } from "./observed.ts";
import type { ResourceCloud, ResourceSubject } from "./resource-subject.ts";
import type { SuiteTools } from "./suite-tools.ts";
import type { Case } from "./suite.ts";
import { defineSuite } from "./suite.ts";

/** Longer than any provider waits before it compares again. */
const driftMs = 1_800_000;

const uidOf = (object: KubeObject): string => object.metadata.uid ?? "";

const isReady = (object: KubeObject | undefined): boolean =>
  object !== undefined && conditionOf(object, "Ready")?.status === "True";

/** One object in a namespace of its own. */
class ResourceScene {
  readonly environment: ConformanceEnvironment;
  readonly cloud: ResourceCloud;
  readonly subject: ResourceSubject;
  readonly managers: SceneManagers;
  readonly core: { readonly namespace: string };
  readonly #key: { readonly namespace: string; readonly name: string };

  constructor(environment: ConformanceEnvironment, cloud: ResourceCloud, subject: ResourceSubject, namespace: string) {
    this.environment = environment;
    this.cloud = cloud;
    this.subject = subject;
    this.managers = new SceneManagers(environment, cloud, namespace);
    this.core = { namespace };
    this.#key = { namespace, name: subject.name ?? "r" };
  }

  /** The spec that works, here. */
  async spec(): Promise<MergePatch> {
    return (await this.cloud.spec?.(this.#key.namespace)) ?? this.subject.spec;
  }

  async create(annotations: Readonly<Record<string, string>> = {}): Promise<KubeObject> {
    const { beside = [], kind } = this.subject;
    const { namespace } = this.#key;
    for (const { kind: other, object } of beside) {
      const metadata = { ...object.metadata, namespace };
      await this.environment.client.create(other, { ...object, metadata });
    }
    const spec = await this.spec();
    const metadata = { ...this.#key, annotations };
    return this.environment.client.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec });
  }

  get(): Promise<KubeObject> {
    return this.environment.client.get(this.subject.kind, this.#key);
  }

  patch(body: MergePatch): Promise<KubeObject> {
    return this.environment.client.patch(this.subject.kind, this.#key, { type: "merge", body });
  }

  async eventually(test: (object: KubeObject | undefined) => boolean, maxMs?: number): Promise<KubeObject> {
    const found = await this.environment.eventually(this.subject.kind, this.#key, test, maxMs);
    return found as KubeObject;
  }

  ready(): Promise<KubeObject> {
    return this.eventually(isReady);
  }

  async gone(): Promise<void> {
    await this.eventually((object) => object === undefined);
  }

  remove(): Promise<void> {
    return this.environment.client.delete(this.subject.kind, this.#key);
  }

  find(): Promise<KubeObject | undefined> {
    return this.environment.client.find(this.subject.kind, this.#key);
  }

  async assertCount(uid: string, count: number, when = ""): Promise<void> {
    assert.equal(await this.cloud.count(uid), count, `things of the object ${when}`);
  }
}

type ResourceCase = Case<ResourceScene>;

const makesOne: ResourceCase = async (scene) => {
  const { metadata } = await scene.create();
  const { warnings } = await scene.managers.start();
  const object = await scene.ready();
  assert.deepEqual(warnings, [], "nothing is warned about");
  assert.ok((object.metadata.finalizers ?? []).length > 0, "it has a finalizer");
  assert.ok(await scene.cloud.isAsDesired(object), "it is as the spec says");
  await scene.assertCount(metadata.uid ?? "", 1);
};

const settles: ResourceCase = async (scene) => {
  await scene.create();
  await scene.managers.start();
  await scene.ready();
  await scene.environment.pass(60_000);
  const { metadata } = await scene.get();
  await scene.environment.pass(driftMs);
  const after = await scene.get();
  assert.equal(after.metadata.resourceVersion, metadata.resourceVersion, "nothing is written");
  assertObserved(scene.subject.kinds, after);
};

const updates: ResourceCase = async (scene) => {
  await scene.create();
  await scene.managers.start();
  const before = await scene.ready();
  await scene.patch({ spec: scene.subject.change });
  await scene.environment.until(async () => scene.cloud.isAsDesired(await scene.get()));
  await scene.ready();
  await scene.environment.pass(60_000);
  assertObserved(scene.subject.kinds, await scene.get());
  await scene.assertCount(uidOf(before), 1);
};

const repairsDrift: ResourceCase = async (scene) => {
  await scene.create();
  await scene.managers.start();
  const object = await scene.ready();
  await scene.cloud.drift(uidOf(object));
  assert.ok(!(await scene.cloud.isAsDesired(object)), "it was changed");
  await scene.environment.until(async () => scene.cloud.isAsDesired(await scene.get()), driftMs);
  await scene.cloud.destroy(uidOf(object));
  await scene.environment.until(async () => (await scene.cloud.count(uidOf(object))) === 1, driftMs);
};

const refusesChanges: ResourceCase = async (scene) => {
  const { refused } = scene.subject;
  assert.ok(refused);
  await scene.create();
  await scene.managers.start();
  const object = await scene.ready();
  await scene.patch({ spec: refused.change });
  await scene.eventually((found) => {
    const ready = found === undefined ? undefined : conditionOf(found, "Ready");
    return ready?.status === "False" && ready.message.includes(refused.field);
  });
  await scene.assertCount(uidOf(object), 1);
  await scene.patch({ spec: await scene.spec() });
  await scene.ready();
};

const isPaused = (object: KubeObject | undefined): boolean =>
  object !== undefined && conditionOf(object, "Paused")?.status === "True";

const pauses: ResourceCase = async (scene) => {
  const object = await scene.create({ [Annotation.paused]: "" });
  await scene.managers.start();
  await scene.eventually(isPaused);
  await scene.environment.pass(30_000);
  await scene.assertCount(uidOf(object), 0, "while it is paused");
  await scene.patch({ metadata: { annotations: { [Annotation.paused]: null } } });
  await scene.ready();
};

const removes: ResourceCase = async (scene) => {
  await scene.create();
  await scene.managers.start();
  const object = await scene.ready();
  scene.cloud.disturb({ on: "delete", kind: "refused", times: 2 });
  scene.cloud.disturb({ on: "delete", kind: "lost-answer", times: 1 });
  await scene.remove();
  await scene.gone();
  await scene.assertCount(uidOf(object), 0);
};

const survivesFaults: ResourceCase = async (scene) => {
  await scene.create();
  scene.cloud.disturb({ on: "create", kind: "refused", times: 2 });
  scene.cloud.disturb({ on: "create", kind: "lost-answer", times: 1 });
  await scene.managers.start();
  const object = await scene.ready();
  await scene.assertCount(uidOf(object), 1);
};

const survivesCrashes: ResourceCase = async (_scene, another, withCrashes) => {
  await withCrashes(async (gate) => {
    const scene = await another();
    const object = await scene.create();
    const first = await scene.managers.start(gate);
    await scene.environment.until(async () => gate.crashedAt !== undefined || isReady(await scene.get()));
    if (gate.crashedAt === undefined) {
      await scene.remove();
      await scene.environment.until(async () => gate.crashedAt !== undefined || (await scene.find()) === undefined);
    }
    if (gate.crashedAt !== undefined) {
      await first.stop();
      await scene.managers.start(new CallGate());
      const found = await scene.find();
      if (found !== undefined && !isBeingDeleted(found)) {
        await scene.ready();
        await scene.assertCount(uidOf(object), 1, `after a crash ${gate.crashedAt}`);
        await scene.remove();
      }
    }
    await scene.gone();
    await scene.assertCount(uidOf(object), 0, `after a crash ${gate.crashedAt}`);
    await scene.managers.stopAll();
  });
};

const refusal = "reports a change that has to be taken back";

const cases: Readonly<Record<string, ResourceCase>> = {
  "makes one, as the spec says": makesOne,
  "writes nothing once everything is as it should be": settles,
  "brings what exists up to date": updates,
  "repairs what was changed or taken away behind its back": repairsDrift,
  [refusal]: refusesChanges,
  "leaves paused objects alone": pauses,
  "removes the thing before the object goes, whatever is refused": removes,
  "makes one although calls fail and answers are lost": survivesFaults,
  "makes one and leaves none although it crashes between any two calls": survivesCrashes,
  ...allAtOnceCases<ResourceScene>({
    make: (scene) => scene.create(),
    ready: (scene) => scene.ready(),
    assertNothingLeft: (scene, object, when) => scene.assertCount(uidOf(object), 0, when),
  }),
};

/** The suite every kind with the role of a resource has to pass. Pass Vitest's functions. */
export const resourceConformance = (tools: SuiteTools, subject: ResourceSubject): void =>
  defineSuite(tools, {
    title: `${subject.kind.kind} conformance`,
    kinds: subject.kinds,
    cases,
    skip: {
      ...(subject.refused === undefined && { [refusal]: "every change can be mended" }),
      ...subject.skip,
    },
    open: async (environment) => {
      const cloud = await subject.start(environment);
      return {
        scene: (namespace) => new ResourceScene(environment, cloud, subject, namespace),
        close: async () => cloud.stop?.(),
      };
    },
  });
