import assert from "node:assert/strict";
import { Group } from "@capstan/contract";
import { ClusterResource, MachinePoolResource, MachineResource, SecretResource } from "@capstan/contract/wire";
import { describeObject } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { isBeingDeleted, keyOf, keyText } from "@capstan/kube-values";
import type { Kind, KubeObject, Resource } from "@capstan/schema";
import { seededRandom } from "../random.ts";
import { type ConformanceEnvironment, NamespaceResource } from "./environment.ts";
import type { Case } from "./suite.ts";

/** A namespace with a cluster in it. */
export interface WholeCluster {
  readonly environment: ConformanceEnvironment;
  readonly core: { readonly namespace: string };
  /** All kinds of the provider. */
  readonly subject: { readonly kinds: readonly Kind[]; readonly clusterKind: Resource; readonly machineKind: Resource };
}

interface Thing {
  readonly kind: Resource;
  readonly object: KubeObject;
}

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

const everythingIn = ({ core, environment, subject }: WholeCluster): Promise<readonly Thing[]> =>
  listOf(
    environment.client,
    [...coreKinds, SecretResource, ...subject.kinds.map((kind): Resource => kind as Kind<KubeObject>)],
    core.namespace,
  );

/** Core's own finalizers, as on every Cluster and Machine. */
const heldByCore = async ({ core, environment: { client } }: WholeCluster): Promise<void> => {
  for (const { kind, object } of await listOf(client, coreKinds, core.namespace)) {
    const body = { metadata: { finalizers: [coreFinalizer(kind)] } };
    await client.patch(kind, keyOf(object), { type: "merge", body });
  }
};

/** What core does on the way out: a Machine goes after its infrastructure, the Cluster last. */
const coreLetsGo = async (
  { environment: { client }, subject }: WholeCluster,
  left: readonly Thing[],
): Promise<void> => {
  const isLeft = (kinds: readonly Resource[]): boolean =>
    left.some(({ kind }) => kinds.some((each) => each.kind === kind.kind));
  for (const { kind, object } of left) {
    if (!isBeingDeleted(object) || object.metadata.finalizers?.includes(coreFinalizer(kind)) !== true) continue;
    const before =
      kind.kind === ClusterResource.kind
        ? [MachineResource, MachinePoolResource, subject.machineKind, subject.clusterKind]
        : [subject.machineKind];
    if (isLeft(before)) continue;
    await client.patch(kind, keyOf(object), { type: "merge", body: { metadata: { finalizers: [] } } });
  }
};

/** Waits until nothing is left in the namespace, though nothing is done but what core does. */
const ends = async (
  scene: WholeCluster,
  isLeft: (things: readonly Thing[]) => boolean,
  when: string,
): Promise<void> => {
  const { environment } = scene;
  const end = environment.clock.now() + limitMs;
  let left = await everythingIn(scene);
  while (isLeft(left) && environment.clock.now() < end) {
    await coreLetsGo(scene, left);
    await environment.pass(lookMs);
    left = await everythingIn(scene);
  }
  if (!isLeft(left)) return;
  const names = left.map(
    ({ object }) =>
      `${describeObject(object)} (${(object.metadata.finalizers ?? []).join(", ")}; ${JSON.stringify(object["status"] ?? {})})`,
  );
  assert.fail(`${when}, this is left: ${names.join("; ")}`);
};

const textOf = ({ kind, object }: Thing): string => `${kind.kind} ${object.metadata.name ?? ""}`;

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
const deleteAtOnce = async (scene: WholeCluster, seed: number): Promise<void> => {
  const { client } = scene.environment;
  const cluster = new Set([...coreKinds, scene.subject.machineKind, scene.subject.clusterKind].map(({ kind }) => kind));
  const things = inOrder(await everythingIn(scene), seed, ({ kind }) => !cluster.has(kind.kind));
  for (const { kind, object } of things) await client.delete(kind, keyOf(object));
  const uids = new Set(things.map(({ object }) => object.metadata.uid));
  const order = things.map(textOf).join(", ");
  await ends(
    scene,
    (left) => left.some(({ object }) => uids.has(object.metadata.uid)),
    `deleted in the order ${order}`,
  );
};

/** Deletes the namespace, in which nothing can be made from then on, and waits until it is gone. */
const deleteNamespace = async (scene: WholeCluster): Promise<void> => {
  const { client } = scene.environment;
  const key = { name: scene.core.namespace };
  await client.delete(NamespaceResource, key);
  await ends(scene, (left) => left.length > 0, `with its namespace ${keyText(key)} deleted`);
  await scene.environment.until(async () => (await client.find(NamespaceResource, key)) === undefined);
};

/** A scene with a cluster in which something is made. */
export interface DeletedScene extends WholeCluster {
  readonly managers: { start(): Promise<unknown>; stopAll(): Promise<void> };
}

/** How a suite makes such a scene, and sees that nothing is left of it outside. */
export interface DeletedParts<Scene extends DeletedScene> {
  readonly make: (scene: Scene) => Promise<KubeObject>;
  readonly ready: (scene: Scene) => Promise<unknown>;
  readonly assertNothingLeft: (scene: Scene, object: KubeObject, when: string) => Promise<void>;
}

/** Cases in which everything goes at once. Every third seed does not wait until the making is done. */
export const allAtOnceCases = <Scene extends DeletedScene>({
  assertNothingLeft,
  make,
  ready,
}: DeletedParts<Scene>): Readonly<Record<string, Case<Scene>>> => {
  const live = async (scene: Scene, seed: number): Promise<KubeObject> => {
    const object = await make(scene);
    await heldByCore(scene);
    await scene.managers.start();
    if (seed % 3 === 2) await scene.environment.pass(2000 * seed);
    else await ready(scene);
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
        await deleteAtOnce(scene, seed);
        await assertNothingLeft(scene, object, `after the deletion in the order of seed ${seed}`);
        await scene.managers.stopAll();
      }
    },
    "ends, and leaves nothing, when the namespace is deleted": async (scene) => {
      const object = await live(scene, 0);
      await deleteNamespace(scene);
      await assertNothingLeft(scene, object, "after the deletion of its namespace");
    },
  };
};
