import { isCapstanError } from "@capstan/contract";
import type { PermissionVerbV1 } from "@capstan/contract/v1";
import type { MergePatch } from "@capstan/contract/wire";
import { effectivePatch } from "@capstan/contract/wire";
import { watchOwned } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { ownerUidIndex, ownerUids } from "../../external/external-objects.ts";
import { watched } from "../permissions.ts";
import type { Draft } from "./draft.ts";
import { isOwn, keyIn, nameTaken, wholeObject } from "./draft.ts";
import type { Use, UsePlace } from "./use.ts";

/** Reads of objects that the user of `owned` owns; from the cache, as it stands after one's own writes. */
export interface OwnedReads<W extends KubeObject> {
  /** The own object of this name. */
  get(name: string): W | undefined;
  list(): readonly W[];
}

/** Writes of owned objects. */
export interface OwnedWrites<W extends KubeObject> {
  /** Creates it, or returns the existing one. Throws `kit.owned_name_taken` if it has another owner. */
  create(draft: Draft<W>): Promise<W>;
  /** Makes it, or writes the fields that the draft states where they are different. Throws as `create`. */
  apply(draft: Draft<W>): Promise<W>;
  /** A merge patch; nothing is sent when the object says so already. */
  patch(object: W, body: MergePatch): Promise<W>;
  /** One that is gone is success. */
  delete(name: string): Promise<void>;
}

export type OwnedVerb = keyof OwnedWrites<KubeObject>;

const permissionVerbs: Readonly<Record<OwnedVerb, readonly PermissionVerbV1[]>> = {
  create: ["create"],
  apply: ["create", "patch"],
  patch: ["patch"],
  delete: ["delete"],
};

/**
 * Objects that the user owns and controls: they go with it, bear its cluster's label, and wake it when they change. `verbs`: what is done
 * with them; default everything.
 */
export const owned = <W extends KubeObject, V extends OwnedVerb = OwnedVerb>(
  kind: Resource<W>,
  { verbs }: { readonly verbs?: readonly V[] } = {},
): Use<OwnedReads<W> & Pick<OwnedWrites<W>, V>> => {
  const used = verbs ?? (Object.keys(permissionVerbs) as OwnedVerb[]);
  const granted = [...new Set(used.flatMap((verb) => permissionVerbs[verb]))];
  const rarely = granted.includes("create") ? { get: "one that was made before a crash" } : {};
  return {
    permissions: [watched(kind, granted, rarely)],
    attach: (owner) => ({
      sources: [watchOwned(kind, owner)],
      prepare: (cache) => cache.informer(kind).addIndex(ownerUidIndex, ownerUids),
      open: (place) => ownedBy(place, kind),
    }),
  };
};

const ownedBy = <W extends KubeObject>(place: UsePlace, kind: Resource<W>): OwnedReads<W> & OwnedWrites<W> => {
  const { cache, client, signal } = place.environment;
  const get = (name: string): W | undefined => {
    const found = cache.get(kind, keyIn(place, name));
    return found !== undefined && isOwn(place, found) ? found : undefined;
  };
  const create = async (draft: Draft<W>): Promise<W> => {
    try {
      return await client.create<W>(kind, wholeObject(place, kind, draft), { signal });
    } catch (error) {
      if (!isCapstanError(error, "kube.already_exists")) throw error;
      const present = await client.get<W>(kind, keyIn(place, draft.metadata.name), { signal });
      if (isOwn(place, present)) return present;
      throw nameTaken(place, present);
    }
  };
  const patch = async (object: W, body: MergePatch): Promise<W> => {
    const difference = effectivePatch(object, body);
    if (difference === undefined) return object;
    const key = keyIn(place, object.metadata.name ?? "");
    return client.patch<W>(kind, key, { type: "merge", body: difference }, { signal });
  };
  return {
    get,
    list: () => cache.byIndex(kind, ownerUidIndex, place.identity.uid).filter((object) => isOwn(place, object)),
    create,
    apply: async (draft) => {
      const present = get(draft.metadata.name) ?? (await create(draft));
      const { apiVersion: _version, kind: _kind, ...stated } = wholeObject(place, kind, draft);
      return patch(present, stated);
    },
    patch,
    delete: (name) => client.delete(kind, keyIn(place, name), { signal }),
  };
};
