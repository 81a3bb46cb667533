import { NamespaceResource } from "@capstan/contract/wire";
import type { Cache, CacheEvent } from "@capstan/kube";
import { keyOf } from "@capstan/kube-values";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { watched } from "../permissions.ts";
import type { Use } from "./use.ts";

/** A grant of an administrator to whole namespaces. */
export interface NamespaceGrant {
  has(namespace: string | undefined): boolean;
}

export interface NamespaceGrantOptions {
  /** Values of the label that grant it. Default: `true`. */
  readonly values?: readonly string[];
  /** Namespaces that have the grant without the label; `*` stands for all. Default: none. */
  readonly names?: readonly string[];
}

/** Returns whether a namespace has a grant. The cache needs an informer of Namespaces. */
export const isGranted = (
  cache: Cache,
  namespace: string,
  label: string,
  { names = [], values = ["true"] }: NamespaceGrantOptions,
): boolean =>
  names.includes("*") ||
  names.includes(namespace) ||
  values.includes(cache.get(NamespaceResource, { name: namespace })?.metadata.labels?.[label] ?? "");

/** When a label of a Namespace has changed. */
export const whenLabelChanges = (label: string) => ({
  when: (event: CacheEvent<KubeObject>): boolean =>
    event.type === "updated" && event.previous.metadata.labels?.[label] !== event.object.metadata.labels?.[label],
});

/**
 * A grant by a label on the Namespace, which those who may only write objects inside of the namespace cannot set.
 * Objects of a namespace are woken when its grant changes.
 */
export const namespaceGrant = (label: string, options: NamespaceGrantOptions = {}): Use<NamespaceGrant> => ({
  permissions: [watched(NamespaceResource)],
  attach: (user) => ({
    sources: [
      watchMapped(
        NamespaceResource,
        ({ metadata: { name = "" } }, { cache }) => cache.list(user, { namespace: name }).map(keyOf),
        whenLabelChanges(label),
      ),
    ],
    prepare: (cache) => void cache.informer(NamespaceResource),
    open: ({ environment: { cache } }) => ({
      has: (namespace = "") => isGranted(cache, namespace, label, options),
    }),
  }),
});
