import type { MergePatch } from "@capstan/contract/wire";
import { effectivePatch } from "@capstan/contract/wire";
import { keyOf, keyText } from "@capstan/kube-values";
import type { Request } from "@capstan/runtime";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { watched } from "../permissions.ts";
import type { ObjectRef } from "./object-ref.ts";
import type { Use, UsePlace } from "./use.ts";

/** The reference of an object. */
export interface Referenced<R extends KubeObject> {
  /** The object that is referred to first; `undefined` when nothing is, or it does not exist. */
  get(): R | undefined;
  /** All that are referred to and exist. */
  list(): readonly R[];
}

/** Writes of what is referred to. */
export interface ReferencedWrites<R extends KubeObject> {
  /** A merge patch; nothing is sent when the object says so already, and a concurrent change is a conflict. */
  patch(object: R, body: MergePatch): Promise<R>;
}

type RefsOf<O> = (object: O) => ObjectRef | readonly ObjectRef[] | undefined;

/**
 * Objects that the user refers to; a change of one wakes those that refer to it. What `connect` reads of them is part of what the
 * connection was made from. `writes`: they may be patched. `held`: the user's removal needs them, so they stay until the user is gone.
 * `follows`: the user also reads what they refer to, so that their references have to be admitted, too.
 */
export function referenced<R extends KubeObject, O extends KubeObject>(
  kind: Resource<R>,
  refsOf: RefsOf<O>,
  options?: { readonly follows?: boolean; readonly held?: boolean },
): Use<Referenced<R>, O>;
export function referenced<R extends KubeObject, O extends KubeObject>(
  kind: Resource<R>,
  refsOf: RefsOf<O>,
  options: { readonly writes: true; readonly follows?: boolean; readonly held?: boolean },
): Use<Referenced<R> & ReferencedWrites<R>, O>;
export function referenced<R extends KubeObject, O extends KubeObject>(
  kind: Resource<R>,
  refsOf: RefsOf<O>,
  {
    follows = false,
    held = false,
    writes = false,
  }: { readonly follows?: boolean; readonly held?: boolean; readonly writes?: boolean } = {},
): Use<Referenced<R> & ReferencedWrites<R>, O> {
  const requestsOf = (object: KubeObject): readonly Request[] =>
    [refsOf(object as O) ?? []].flat().map(({ name, namespace = object.metadata.namespace ?? "" }: ObjectRef) => ({
      name,
      namespace: kind.namespaced ? namespace : "",
    }));
  return {
    permissions: [watched(kind, writes ? ["patch"] : [])],
    ...(held && { holds: [{ kind, of: ({ object }) => refsOf(object as O) }] }),
    attach: (user, use) => {
      const index = `kit/uses/${use}`;
      return {
        sources: [
          watchMapped(kind, (object, { cache }) =>
            cache.byIndex(user, index, keyText(keyOf(object))).map((each) => keyOf(each)),
          ),
        ],
        prepare: (cache) => {
          cache.informer(kind);
          cache.informer(user).addIndex(index, (object) => requestsOf(object).map(keyText));
        },
        ...(follows && {
          follows: (object, cache) =>
            requestsOf(object).flatMap((request) => {
              const found = cache.get(kind, request);
              return found === undefined ? [] : [{ kind, object: found }];
            }),
        }),
        open: (place) => referencedBy(place, kind, () => requestsOf(place.object)),
      };
    },
  };
}

/** Status alone does not count where the kind has a generation. */
const versionOf = ({ metadata: { generation, resourceVersion, uid } }: KubeObject): string =>
  `${uid ?? ""}/${generation ?? resourceVersion ?? ""}`;

const referencedBy = <R extends KubeObject>(
  { environment, note }: UsePlace,
  kind: Resource<R>,
  requests: () => readonly Request[],
): Referenced<R> & ReferencedWrites<R> => {
  const { cache, client, signal } = environment;
  const find = (request: Request): R | undefined => {
    const object = cache.get(kind, request);
    note(`${kind.kind}/${keyText(request)}@${object === undefined ? "missing" : versionOf(object)}`);
    return object;
  };
  return {
    get: () => {
      const [first] = requests();
      return first === undefined ? undefined : find(first);
    },
    list: () => requests().flatMap((request) => find(request) ?? []),
    patch: async (object, body) => {
      const difference = effectivePatch(object, body);
      if (difference === undefined) return object;
      const { metadata = {} } = difference as { readonly metadata?: MergePatch };
      const versioned = { ...difference, metadata: { ...metadata, resourceVersion: object.metadata.resourceVersion } };
      return client.patch<R>(kind, keyOf(object), { type: "merge", body: versioned }, { signal });
    },
  };
};
