import assert from "node:assert/strict";
import { Group, isCapstanError } from "@capstan/contract";
import {
  ClusterResource,
  MachinePoolResource,
  MachineResource,
  SecretResource,
  NamespaceResource,
} from "@capstan/contract/wire";
import { describeObject } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { isBeingDeleted, keyOf, keyText } from "@capstan/kube-values";
import type { Kind, KubeObject, Resource } from "@capstan/schema";
import { seededRandom } from "../random.ts";
import { type ConformanceEnvironment } from "./environment.ts";
import type { Case } from "./suite.ts";

/** A scene with something in a namespace of its own. */
export interface DeletedScene {
  readonly environment: ConformanceEnvironment;
  readonly managers: { start(): Promise<unknown>; stopAll(): Promise<void> };
  readonly core: { readonly namespace: string };
  /** All kinds of the provider. */
  readonly subject: { readonly kinds: readonly Kind[] };
}

/** Functions by which a suite makes such a scene, and verifies that nothing is left of it outside. */
export interface DeletedParts<Scene extends DeletedScene> {
  /** `seed`: by which the suite may choose among several things to make. */
  readonly make: (scene: Scene, seed: number) => Promise<KubeObject>;
  readonly ready: (scene: Scene) => Promise<unknown>;
  /** Sees that nothing is left outside. Default: there is nothing outside. */
  readonly assertNothingLeft?: (scene: Scene, object: KubeObject, when: string) => Promise<void>;
  /** Kinds in the namespace that are not the provider's own. */
  readonly otherKinds?: readonly Resource[];
  /** Kinds of the provider that core waits for before it lets a Machine go. */
  readonly beforeMachine?: (scene: Scene) => readonly Resource[];
  /** Kinds of the provider that core waits for before it lets a Cluster go, and before a MachinePool; those of Machines need not be among them. */
  readonly beforeCluster?: (scene: Scene) => readonly Resource[];
  /** Does what core does all the time, which includes letting Machines go. */
  readonly play?: (scene: Scene) => Promise<void>;
}

interface Thing {
  readonly kind: Resource;
  readonly object: KubeObject;
}

const textOf = ({ kind, object }: Thing): string => `${kind.kind} ${object.metadata.name ?? ""}`;

/** So long everything may take that has to go, and so often it is looked at. */
const limitMs = 1_200_000;
const lookMs = 2000;

const coreFinalizer = (kind: Resource): string => `${kind.kind.toLowerCase()}.${Group.core}`;

const coreKinds: readonly Resource[] = [ClusterResource, MachineResource, MachinePoolResource];

const listOf = async (client: Client, kinds: readonly Resource[], namespace: string): Promise<readonly Thing[]> => {
  const lists = await Promise.all(
    kinds
      .filter(({ namespaced }) => namespaced)
      .map(async (kind) => {
        const { items } = await client.list<KubeObject>(kind, { namespace });
        return items.map((object) => ({ kind, object }));
      }),
  );
  return lists.flat();
};

const everythingIn = <Scene extends DeletedScene>(
  { core, environment, subject }: Scene,
  { otherKinds = [] }: DeletedParts<Scene>,
): Promise<readonly Thing[]> => {
  const own = subject.kinds.map((kind): Resource => kind as Kind<KubeObject>);
  return listOf(environment.client, [...coreKinds, SecretResource, ...own, ...otherKinds], core.namespace);
};

/**
 * Asserts that everything left has an owner that is gone: the garbage collector, which the scene lacks, would delete
 * it.
 */
const assertNothingOrphaned = async <Scene extends DeletedScene>(
  scene: Scene,
  parts: DeletedParts<Scene>,
  when: string,
): Promise<void> => {
  const left = await everythingIn(scene, parts);
  const uids = new Set(left.map(({ object }) => object.metadata.uid));
  const orphans = left.filter(({ object: { metadata } }) => {
    const { ownerReferences = [] } = metadata;
    return ownerReferences.length === 0 || ownerReferences.some(({ uid }) => uids.has(uid));
  });
  assert.deepEqual(orphans.map(textOf), [], `objects that are left ${when}`);
};

/** Core's own finalizers, as on every Cluster and Machine. */
const heldByCore = async ({ core, environment: { client } }: DeletedScene): Promise<void> => {
  for (const { kind, object } of await listOf(client, coreKinds, core.namespace)) {
    const body = { metadata: { finalizers: [coreFinalizer(kind)] } };
    await client.patch(kind, keyOf(object), { type: "merge", body });
  }
};

/** Core and the provider write to the same objects, and in a namespace that is going nothing can be made. */
const tolerated = ["kube.conflict", "kube.forbidden", "kube.not_found"] as const;

const unlessRefused = async (work: () => Promise<unknown>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!tolerated.some((code) => isCapstanError(error, code))) throw error;
  }
};

/** Does what core does during a deletion: a Machine goes after its infrastructure, the Cluster last. */
const coreLetsGo = async <Scene extends DeletedScene>(
  scene: Scene,
  { beforeCluster, beforeMachine, play }: DeletedParts<Scene>,
  left: readonly Thing[],
): Promise<void> => {
  const { client } = scene.environment;
  if (play !== undefined) await unlessRefused(() => play(scene));
  const isLeft = (kinds: readonly Resource[]): boolean =>
    left.some(({ kind }) => kinds.some((each) => each.kind === kind.kind));
  const [machine, cluster] = [beforeMachine?.(scene) ?? [], beforeCluster?.(scene) ?? []];
  const before = new Map<string, readonly Resource[]>([
    [MachineResource.kind, machine],
    [MachinePoolResource.kind, [MachineResource, ...machine, ...cluster]],
    [ClusterResource.kind, [MachineResource, MachinePoolResource, ...machine, ...cluster]],
  ]);
  for (const { kind, object } of left) {
    if (!isBeingDeleted(object) || object.metadata.finalizers?.includes(coreFinalizer(kind)) !== true) continue;
    if ((kind === MachineResource && play !== undefined) || isLeft(before.get(kind.kind) ?? [])) continue;
    const body = { metadata: { finalizers: [] } };
    await unlessRefused(() => client.patch(kind, keyOf(object), { type: "merge", body }));
  }
};

/** Waits until nothing is left in the namespace, though nothing is done but what core does. */
const ends = async <Scene extends DeletedScene>(
  scene: Scene,
  parts: DeletedParts<Scene>,
  isLeft: (things: readonly Thing[]) => boolean,
  when: string,
): Promise<void> => {
  const { environment } = scene;
  const end = environment.clock.now() + limitMs;
  let left = await everythingIn(scene, parts);
  while (isLeft(left) && environment.clock.now() < end) {
    await coreLetsGo(scene, parts, left);
    await environment.pass(lookMs);
    left = await everythingIn(scene, parts);
  }
  if (!isLeft(left)) return;
  const names = left.map(
    ({ object }) =>
      `${describeObject(object)} (${(object.metadata.finalizers ?? []).join(", ")}; ${JSON.stringify(object["status"] ?? {})})`,
  );
  assert.fail(`${when}, this is left: ${names.join("; ")}`);
};

/** Puts them in an order that the seed chooses; with 0, Secrets and what else belongs to no cluster go first. */
const inOrder = (things: readonly Thing[], seed: number, first: (thing: Thing) => boolean): readonly Thing[] => {
  if (seed === 0) return [...things.filter(first), ...things.filter((thing) => !first(thing))];
  const random = seededRandom(seed);
  return things
    .map((thing) => ({ thing, place: random.next() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ thing }) => thing);
};

/** Deletes everything that is in the namespace, in an order of the seed, and waits until it is gone. */
const deleteAtOnce = async <Scene extends DeletedScene>(
  scene: Scene,
  parts: DeletedParts<Scene>,
  seed: number,
): Promise<void> => {
  const { client } = scene.environment;
  const [machine, cluster] = [parts.beforeMachine?.(scene) ?? [], parts.beforeCluster?.(scene) ?? []];
  const last = new Set([...coreKinds, ...machine, ...cluster].map(({ kind }) => kind));
  const things = inOrder(await everythingIn(scene, parts), seed, ({ kind }) => !last.has(kind.kind));
  for (const { kind, object } of things) await unlessRefused(() => client.delete(kind, keyOf(object)));
  const uids = new Set(things.map(({ object }) => object.metadata.uid));
  const order = things.map(textOf).join(", ");
  const isLeft = (left: readonly Thing[]): boolean => left.some(({ object }) => uids.has(object.metadata.uid));
  await ends(scene, parts, isLeft, `deleted in the order ${order}`);
};

/** Deletes the namespace, in which nothing can be made from then on, and waits until it is gone. */
const deleteNamespace = async <Scene extends DeletedScene>(scene: Scene, parts: DeletedParts<Scene>): Promise<void> => {
  const { client } = scene.environment;
  const key = { name: scene.core.namespace };
  await client.delete(NamespaceResource, key);
  await ends(scene, parts, (left) => left.length > 0, `with its namespace ${keyText(key)} deleted`);
  await scene.environment.until(async () => (await client.find(NamespaceResource, key)) === undefined);
};

/** Cases in which everything goes at once. Every third seed does not wait until the making is done. */
export const allAtOnceCases = <Scene extends DeletedScene>(
  parts: DeletedParts<Scene>,
): Readonly<Record<string, Case<Scene>>> => {
  const live = async (scene: Scene, seed: number): Promise<KubeObject> => {
    const object = await parts.make(scene, seed);
    await heldByCore(scene);
    await scene.managers.start();
    if (seed % 3 === 2) await scene.environment.pass(2000 * seed);
    else await parts.ready(scene);
    return object;
  };
  return {
    "ends, and leaves nothing, when everything is deleted at once in any order": async (
      _,
      another,
      _crashes,
      seeds,
    ) => {
      for (const seed of seeds) {
        const scene = await another();
        const object = await live(scene, seed);
        await deleteAtOnce(scene, parts, seed);
        const when = `after the deletion in the order of seed ${seed}`;
        await assertNothingOrphaned(scene, parts, when);
        await parts.assertNothingLeft?.(scene, object, when);
        await scene.managers.stopAll();
      }
    },
    "ends, and leaves nothing, when the namespace is deleted": async (scene) => {
      const object = await live(scene, 0);
      await deleteNamespace(scene, parts);
      await parts.assertNothingLeft?.(scene, object, "after the deletion of its namespace");
    },
  };
};
