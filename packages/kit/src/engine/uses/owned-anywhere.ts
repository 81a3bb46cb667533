import { isCapstanError } from "@capstan/contract";
import type { PermissionVerbV1 } from "@capstan/contract/v1";
import type { MergePatch } from "@capstan/contract/wire";
import { controllerOf, mergePatches } from "@capstan/contract/wire";
import type { Cache } from "@capstan/kube";
import type { ObjectKey } from "@capstan/kube-values";
import { keyOf, keyText, suffixedName } from "@capstan/kube-values";
import type { Request } from "@capstan/runtime";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { ownerOf } from "../owner.ts";
import { watched } from "../permissions.ts";
import type { Draft } from "./draft.ts";
import { isOwn, nameTaken, wholeObject } from "./draft.ts";
import type { Use, UsePlace } from "./use.ts";

/** Objects that the user has in whatever namespace. With `ownNames` each may also be under the other name that `create` gives. */
export interface OwnedAnywhere<W extends KubeObject> {
  /** The own object of this name. */
  get(key: Required<ObjectKey>): W | undefined;
  /** The own ones in the user's namespace and in these. Labels elsewhere are what anybody may write. */
  list(namespaces: readonly string[]): readonly W[];
  /** The own object of this name as the API server has it, also in a namespace that is not watched. */
  find(key: Required<ObjectKey>): Promise<W | undefined>;
  /**
   * Makes it, or answers with the own one that is there. If the name is taken: with `ownNames`, uses an unpredictable
   * name in another namespace; otherwise throws `kit.owned_name_taken`.
   */
  create(draft: Draft<W>, namespace: string): Promise<W>;
  /** A merge patch; a concurrent change is a conflict. */
  patch(object: W, body: MergePatch): Promise<W>;
  /** One that is gone is success. */
  delete(object: W): Promise<void>;
}

/** The labels that name the user. */
export interface UserLabels {
  readonly name: string;
  readonly namespace: string;
}

export interface OwnedAnywhereOptions {
  /** Permissions on them. Default: create and delete. */
  readonly verbs?: readonly PermissionVerbV1[];
  /**
   * In another namespace, which users of several namespaces may share, one whose name is taken there gets another: a
   * taken name blocks no user. Default false: the requested name is used.
   */
  readonly ownNames?: boolean;
}

/**
 * Objects of a user in another namespace: two labels identify their owner. Those in its own namespace have
 * it for an owner too; the others do not go with it, so the user deletes them.
 */
export const ownedAnywhere = <W extends KubeObject>(
  kind: Resource<W>,
  labels: UserLabels,
  { ownNames = false, verbs = ["create", "delete"] }: OwnedAnywhereOptions = {},
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
        open: (place) => ownedAnywhereBy(place, { kind, index, labels, ownNames, usersOf }),
      };
    },
  };
};

/** As much of an owner's mark as names get. */
const markLength = 10;

interface Relation<W extends KubeObject> {
  readonly kind: Resource<W>;
  readonly index: string;
  readonly labels: UserLabels;
  readonly ownNames: boolean;
  readonly usersOf: (object: KubeObject) => readonly Request[];
}

/** Looks live for objects of the user, and makes them. */
const live = <W extends KubeObject>(
  place: UsePlace,
  { kind }: Pick<Relation<W>, "kind">,
  isMine: (object: KubeObject) => boolean,
) => {
  const { client, signal } = place.environment;
  return {
    find: async (key: Required<ObjectKey>): Promise<W | undefined> => {
      const present = await client.find<W>(kind, key, { signal });
      return present !== undefined && isMine(present) ? present : undefined;
    },
    create: async (wanted: KubeObject): Promise<W> => {
      try {
        return await client.create<W>(kind, wanted, { signal });
      } catch (error) {
        if (!isCapstanError(error, "kube.already_exists")) throw error;
        const present = await client.get<W>(kind, keyOf(wanted), { signal });
        if (isMine(present)) return present;
        throw nameTaken(place, present);
      }
    },
  };
};

/** The whole object; with an owner reference if the owner is in the same namespace. */
const labelled = <W extends KubeObject>(
  place: UsePlace,
  { kind, labels }: Pick<Relation<W>, "kind" | "labels">,
  draft: Draft<W>,
  namespace: string,
): KubeObject => {
  const { identity } = place;
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

const ownedAnywhereBy = <W extends KubeObject>(place: UsePlace, relation: Relation<W>): OwnedAnywhere<W> => {
  const { index, kind, ownNames, usersOf } = relation;
  const { environment, identity, request } = place;
  const { cache, client, signal } = environment;
  const user = keyText(request);
  const isMine = (object: KubeObject): boolean =>
    usersOf(object).some((each) => keyText(each) === user) &&
    (controllerOf(object) === undefined || isOwn(place, object));
  const { create, find } = live(place, relation, isMine);
  /** The names that an object may have; they stay the same when the user is moved. */
  const names = (key: Required<ObjectKey>): readonly [Required<ObjectKey>, Required<ObjectKey>?] => {
    if (!ownNames || key.namespace === identity.namespace) return [key];
    return [key, { ...key, name: suffixedName(key.name, ownerOf(place.object).mark.slice(0, markLength)) }];
  };
  return {
    get: (key) =>
      names(key)
        .map((each) => each && cache.get(kind, each))
        .find((each) => each !== undefined && isMine(each)),
    find: async (key) => {
      const [plain, other] = names(key);
      return (await find(plain)) ?? (other && find(other));
    },
    list: (namespaces) => {
      const places = new Set([identity.namespace, ...namespaces]);
      return cache
        .byIndex(kind, index, user)
        .filter((object) => places.has(object.metadata.namespace ?? "") && isMine(object));
    },
    create: async (draft, namespace) => {
      const wanted = labelled(place, relation, draft, namespace);
      const [, other] = names({ namespace, name: draft.metadata.name });
      if (other === undefined) return create(wanted);
      const before = await find(other);
      if (before !== undefined) return before;
      try {
        return await create(wanted);
      } catch (error) {
        if (!isCapstanError(error, "kit.owned_name_taken")) throw error;
        return create({ ...wanted, metadata: { ...wanted.metadata, name: other.name } });
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
