import { isCapstanError } from "@capstan/contract";
import { mergePatchOf } from "@capstan/kube";
import type { Cache, Client } from "@capstan/kube";
import type { KubeObject, ObjectMeta, Resource } from "@capstan/schema";

/** Fields to replace; `undefined` takes a field away. */
type Change<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** The object with some fields replaced; the same object when there is nothing to change. */
export const replaced = <T extends object>(object: T, change: Change<T>): T => {
  const entries = Object.entries(change).filter(([key, value]) => object[key as keyof T] !== value);
  if (entries.length === 0) return object;
  const result = { ...object } as Record<string, unknown>;
  for (const [key, value] of entries) {
    if (value === undefined) delete result[key];
    else result[key] = value;
  }
  return result as T;
};

export const withMetadata = <T extends { readonly metadata: ObjectMeta }>(object: T, change: Change<ObjectMeta>): T =>
  replaced(object, { metadata: replaced(object.metadata, change) } as Change<T>);

export const withSpec = <T extends { readonly spec: object }>(object: T, change: Change<T["spec"]>): T =>
  replaced(object, { spec: replaced(object.spec, change) } as Change<T>);

export const withStatus = <T extends { readonly status?: object }>(
  object: T,
  change: Change<NonNullable<T["status"]>>,
): T => replaced(object, { status: replaced(object.status ?? {}, change) } as Change<T>);

export interface Store {
  readonly client: Client;
  readonly cache: Cache;
}

export const keyOf = ({ metadata }: { readonly metadata: ObjectMeta }) => ({
  ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
  name: metadata.name ?? "",
});

const isReleased = ({ metadata }: KubeObject): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0;

/**
 * Writes metadata and spec as they differ between what was read and what is wanted, in one merge patch that fails with
 * `kube.conflict` when somebody else wrote meanwhile. Nothing is sent without a difference. Returns the object as stored,
 * still with the wanted status.
 */
export const saveMain = async <T extends KubeObject>(
  { client, cache }: Store,
  kind: Resource<T>,
  stored: T,
  wanted: T,
): Promise<T> => {
  const { status: _, ...before } = stored;
  const { status, ...after } = wanted;
  const difference = mergePatchOf(before, after);
  if (difference === undefined) return wanted;
  const metadata = { ...(difference["metadata"] as object), resourceVersion: stored.metadata.resourceVersion };
  const answer = await client.patch(kind, keyOf(stored), { type: "merge", body: { ...difference, metadata } });
  if (isReleased(answer)) cache.informer(kind).observeDeleted(keyOf(answer), answer.metadata.uid ?? "");
  return { ...answer, status };
};

/**
 * As `saveMain`, for the status. `stored` is the object as it was read, or as `saveMain` returned it. When it has gone meanwhile, there is
 * nobody left to be told.
 */
export const saveStatus = async <T extends KubeObject>(
  { client }: Pick<Store, "client">,
  kind: Resource<T>,
  stored: T,
  wanted: T,
): Promise<T> => {
  const difference = mergePatchOf(stored["status"] ?? {}, wanted["status"] ?? {});
  if (difference === undefined) return wanted;
  const body = { metadata: { resourceVersion: wanted.metadata.resourceVersion }, status: difference };
  try {
    return await client.patch(kind, keyOf(stored), { type: "merge", body }, { subresource: "status" });
  } catch (error) {
    const isMissing = isCapstanError(error, "kube.not_found");
    if (isMissing && (await client.find(kind, keyOf(stored))) === undefined) return wanted;
    throw error;
  }
};

/** Puts objects that were read live into the cache, where it does not show them yet. */
export const learn = <T extends KubeObject>(cache: Cache, kind: Resource<T>, objects: readonly T[]): void => {
  const informer = cache.informer(kind);
  for (const object of objects) {
    if (informer.get(keyOf(object))?.metadata.resourceVersion !== object.metadata.resourceVersion) {
      informer.observe(object);
    }
  }
};
