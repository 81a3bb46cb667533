import { Annotation, clusterSecretType, Group } from "@capstan/contract";
import { ClusterResource, CustomResourceDefinitionResource, SecretResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import type { KubeObject, OwnerReference, Resource } from "@capstan/schema";
import { resource } from "@capstan/schema";

const namespace = "default";

interface Moved {
  readonly kind: Resource;
  readonly object: KubeObject;
}

/** The kinds of Cluster API and its providers, in their stored version. */
const movableKinds = async (client: Client): Promise<readonly Resource[]> => {
  const { items } = await client.list(CustomResourceDefinitionResource);
  return items.flatMap((crd) => {
    const spec = crd["spec"] as {
      readonly group: string;
      readonly names: { readonly kind: string; readonly plural: string };
      readonly versions: readonly { readonly name: string; readonly storage: boolean }[];
    };
    const version = spec.versions.find(({ storage }) => storage)?.name ?? "";
    return [resource({ group: spec.group, version, kind: spec.names.kind, plural: spec.names.plural })];
  });
};

/** Secrets move when they belong to a Cluster, by owner or by type, or are labelled for it. */
const isMovable = ({ kind, object }: Moved): boolean =>
  kind.kind !== "Secret" ||
  object["type"] === clusterSecretType ||
  object.metadata.labels?.[`clusterctl.${Group.core}/move`] !== undefined;

const setPaused = async (client: Client, paused: boolean): Promise<void> => {
  for (const { metadata } of (await client.list(ClusterResource, { namespace })).items) {
    const key = { namespace, name: metadata.name ?? "" };
    await client.patch(ClusterResource, key, { type: "merge", body: { spec: { paused } } });
  }
};

const found = async (client: Client): Promise<readonly Moved[]> => {
  const kinds = [...(await movableKinds(client)), SecretResource];
  const lists = await Promise.all(
    kinds.map(async (kind) => (await client.list(kind, { namespace })).items.map((object) => ({ kind, object }))),
  );
  return lists.flat().filter(isMovable);
};

/** Owners come before what they own. */
const ownersFirst = (objects: readonly Moved[]): readonly Moved[] => {
  const uids = new Set(objects.map(({ object }) => object.metadata.uid));
  const sorted: Moved[] = [];
  const done = new Set<string | undefined>();
  let rest = objects;
  while (rest.length > 0) {
    const isNext = ({ object }: Moved): boolean =>
      (object.metadata.ownerReferences ?? []).every(({ uid }) => !uids.has(uid) || done.has(uid));
    const next = rest.filter(isNext);
    if (next.length === 0) throw new Error("the owners go in a circle");
    sorted.push(...next);
    for (const { object } of next) done.add(object.metadata.uid);
    rest = rest.filter((entry) => !next.includes(entry));
  }
  return sorted;
};

const recreate = async (client: Client, objects: readonly Moved[]): Promise<void> => {
  const uids = new Map<string | undefined, string>();
  for (const { kind, object } of objects) {
    const { status: _, ...content } = object;
    const { uid, labels, annotations, finalizers, ownerReferences } = object.metadata;
    const owners: readonly OwnerReference[] = (ownerReferences ?? []).map((owner) => ({
      ...owner,
      uid: uids.get(owner.uid) ?? owner.uid,
    }));
    const made = await client.create(kind, {
      ...content,
      metadata: {
        namespace,
        name: object.metadata.name ?? "",
        ...(labels !== undefined && { labels }),
        ...(annotations !== undefined && { annotations }),
        ...(finalizers !== undefined && { finalizers }),
        ...(owners.length > 0 && { ownerReferences: owners }),
      },
    });
    uids.set(uid, made.metadata.uid ?? "");
  }
};

/** The finalizers of what was moved away never run. */
const forget = async (client: Client, objects: readonly Moved[]): Promise<void> => {
  for (const { kind, object } of objects.toReversed()) {
    const key = { namespace, name: object.metadata.name ?? "" };
    const annotations = { [Annotation.deleteForMove]: "" };
    const path = object.metadata.annotations === undefined ? "add" : "replace";
    await client.patch(kind, key, {
      type: "json",
      body: [{ op: path, path: "/metadata/annotations", value: annotations }],
    });
    await client.delete(kind, key);
    if ((await client.find(kind, key)) === undefined) continue;
    await client.patch(kind, key, { type: "merge", body: { metadata: { finalizers: null } } });
  }
};

/**
 * What `clusterctl move` does to the objects of a namespace: pauses, makes them again on the other side with new uids, owners
 * rebuilt and without status, deletes them here without their finalizers, and unpauses there.
 */
export const move = async (from: Client, to: Client, settle: () => Promise<void>): Promise<readonly KubeObject[]> => {
  await setPaused(from, true);
  await settle();
  const objects = ownersFirst(await found(from));
  await recreate(to, objects);
  await forget(from, objects);
  await settle();
  await setPaused(to, false);
  return objects.map(({ object }) => object);
};
