import { watched } from "@capstan/kit";
import type { Use } from "@capstan/kit/engine";
import type { ObjectKey } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";

/** Reads of objects that something else than the user refers to: they do not wake it. */
export interface Cached<W extends KubeObject> {
  get(key: ObjectKey): W | undefined;
}

export const cached = <W extends KubeObject>(kind: Resource<W>): Use<Cached<W>> => ({
  permissions: [watched(kind)],
  attach: () => ({
    sources: [],
    prepare: (cache) => {
      cache.informer(kind);
    },
    open: ({ environment: { cache } }) => ({ get: (key) => cache.get(kind, key) }),
  }),
});
