import { keyOf, keyText } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import { ownerOf } from "../owner.ts";
import { watched } from "../permissions.ts";
import type { Use } from "./use.ts";

/** The other objects of a kind in all namespaces, deleted ones too as long as they are there. */
export interface Peers<W extends KubeObject> {
  list(): readonly W[];
  /** The one whose mark as an owner this is. */
  markedBy(mark: string): W | undefined;
  /** The one with this uid. */
  withUid(uid: string): W | undefined;
}

/** Reads the objects among which one may be the owner of what the user is about to take. */
export const peers = <W extends KubeObject>(kind: Resource<W>): Use<Peers<W>> => ({
  permissions: [watched(kind)],
  attach: () => ({
    sources: [],
    prepare: (cache) => void cache.informer(kind),
    open: ({ environment: { cache }, kind: own, object }) => {
      const self = own.kind === kind.kind && own.group === kind.group ? keyText(keyOf(object)) : undefined;
      const list = (): readonly W[] => cache.list(kind).filter((each) => keyText(keyOf(each)) !== self);
      return {
        list,
        markedBy: (mark) => list().find((each) => ownerOf(each).mark === mark),
        withUid: (uid) => list().find(({ metadata }) => metadata.uid === uid),
      };
    },
  }),
});
