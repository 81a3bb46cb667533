import { NamespaceResource } from "@capstan/contract/wire";
import { keyOf } from "@capstan/kube-values";
import { watchMapped } from "@capstan/runtime";
import { watched } from "../permissions.ts";
import type { Use } from "./use.ts";

/** What an administrator grants to whole namespaces. */
export interface NamespaceGrant {
  has(namespace: string | undefined): boolean;
}

export interface NamespaceGrantOptions {
  /** Namespaces that have the grant without the label; `*` stands for all. Default: none. */
  readonly names?: readonly string[];
}

/**
 * A grant by a label with the value `true` on the Namespace, which those who may only write objects inside of the namespace cannot set.
 * Objects of a namespace are woken when its grant changes.
 */
export const namespaceGrant = (label: string, { names = [] }: NamespaceGrantOptions = {}): Use<NamespaceGrant> => ({
  permissions: [watched(NamespaceResource)],
  attach: (user) => ({
    sources: [
      watchMapped(
        NamespaceResource,
        ({ metadata: { name = "" } }, { cache }) => cache.list(user, { namespace: name }).map(keyOf),
        {
          when: (event) =>
            event.type === "updated" &&
            event.previous.metadata.labels?.[label] !== event.object.metadata.labels?.[label],
        },
      ),
    ],
    prepare: (cache) => void cache.informer(NamespaceResource),
    open: ({ environment: { cache } }) => ({
      has: (namespace = "") =>
        names.includes("*") ||
        names.includes(namespace) ||
        cache.get(NamespaceResource, { name: namespace })?.metadata.labels?.[label] === "true",
    }),
  }),
});
