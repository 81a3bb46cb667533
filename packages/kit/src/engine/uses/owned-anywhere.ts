import { isCapstanError } from "@capstan/contract";
import type { PermissionVerbV1 } from "@capstan/contract/v1";
import type { MergePatch } from "@capstan/contract/wire";
import { controllerOf, mergePatches } from "@capstan/contract/wire";
import type { Cache } from "@capstan/kube";
import type { ObjectKey } from "@capstan/kube-values";
import { keyOf, keyText } from "@capstan/kube-values";
import type { Request } from "@capstan/runtime";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { watched } from "../permissions.ts";
import type { Draft } from "./draft.ts";
import { isOwn, nameTaken, wholeObject } from "./draft.ts";
import type { Use, UsePlace } from "./use.ts";

/** Objects that the user has in whatever namespace. */
export interface OwnedAnywhere<W extends KubeObject> {
  /** The own object of this name. */
  get(key: Required<ObjectKey>): W | undefined;
  list(): readonly W[];
  /** The own object of this name as the API server has it, also in a namespace that is not watched. */
  find(key: Required<ObjectKey>): Promise<W | undefined>;
  /** Makes it, or answers with the own one that is there. Throws `kit.owned_name_taken` when it is somebody else's. */
  create(draft: Draft<W>, namespace: string): Promise<W>;
  /** A merge patch; a change of somebody else in between is a conflict. */
  patch(object: W, body: MergePatch): Promise<W>;
  /** One that is gone is success. */
  delete(object: W): Promise<void>;
}

/** The labels that name the user. */
export interface UserLabels {
  readonly name: string;
  readonly namespace: string;
}

/**
 * Objects of the user's that stand beside something in another namespace: two labels say whose they are. Those in its own namespace have
 * it for an owner too; the others do not go with it, so the user deletes them. `verbs`: what is done with them; default both.
 */
export const ownedAnywhere = <W extends KubeObject>(
  kind: Resource<W>,
  labels: UserLabels,
  { verbs = ["create", "delete"] }: { readonly verbs?: readonly PermissionVerbV1[] } = {},
): Use<OwnedAnywhere<W>> => {
  const usersOf = ({ metadata }: KubeObject): readonly Request[] => {
    const { [labels.name]: name, [labels.namespace]: namespace } = metadata.labels ?? {};
    return name === undefined || namespace === undefined ? [] : [{ name, namespace }];
  };
  return {
    permissions: [watched(kind, verbs, { get: "one that was made before a crash, or where nothing is watched" })],
    attach: (user, use) => {
      const index = `kit/owned-anywhere/${user.kind}/${use}`;
      return {
        sources: [watchMapped(kind, usersOf)],
        prepare: (cache: Cache) => {
          cache.informer(kind).addIndex(index, (object) => usersOf(object).map(keyText));
        },
        open: (place) => ownedAnywhereBy(place, { kind, index, labels, usersOf }),
      };
    },
  };
};

interface Relation<W extends KubeObject> {
  readonly kind: Resource<W>;
  readonly index: string;
  readonly labels: UserLabels;
  readonly usersOf: (object: KubeObject) => readonly Request[];
}

const ownedAnywhereBy = <W extends KubeObject>(
  place: UsePlace,
  { index, kind, labels, usersOf }: Relation<W>,
): OwnedAnywhere<W> => {
  const { environment, identity, request } = place;
  const { cache, client, signal } = environment;
  const user = keyText(request);
  const isMine = (object: KubeObject): boolean =>
    usersOf(object).some((each) => keyText(each) === user) &&
    (controllerOf(object) === undefined || isOwn(place, object));
  const whole = (draft: Draft<W>, namespace: string): KubeObject => {
    const { metadata, ...rest } = wholeObject(place, kind, draft);
    const { ownerReferences, ...others } = metadata;
    return {
      ...rest,
      metadata: {
        ...others,
        namespace,
        labels: { ...others.labels, [labels.name]: identity.name, [labels.namespace]: identity.namespace },
        ...(namespace === identity.namespace && ownerReferences !== undefined && { ownerReferences }),
      },
    };
  };
  return {
    get: (key) => {
      const found = cache.get(kind, key);
      return found !== undefined && isMine(found) ? found : undefined;
    },
    find: async (key) => {
      const found = await client.find<W>(kind, key, { signal });
      return found !== undefined && isMine(found) ? found : undefined;
    },
    list: () => cache.byIndex(kind, index, user).filter(isMine),
    create: async (draft, namespace) => {
      const wanted = whole(draft, namespace);
      try {
        return await client.create<W>(kind, wanted, { signal });
      } catch (error) {
        if (!isCapstanError(error, "kube.already_exists")) throw error;
        const present = await client.get<W>(kind, keyOf(wanted), { signal });
        if (isMine(present)) return present;
        throw nameTaken(place, present);
      }
    },
    patch: (object, body) => {
      const { resourceVersion } = object.metadata;
      const versioned = mergePatches(body, { metadata: { resourceVersion } });
      return client.patch<W>(kind, keyOf(object), { type: "merge", body: versioned }, { signal });
    },
    delete: (object) => client.delete(kind, keyOf(object), { signal }),
  };
};
