import { isCapstanError } from "@capstan/contract";
import type { MergePatch } from "@capstan/contract/wire";
import { effectivePatch, mergePatches, NamespaceResource } from "@capstan/contract/wire";
import type { Cache, CacheEvent } from "@capstan/kube";
import type { ObjectKey } from "@capstan/kube-values";
import { keyOf, keyText } from "@capstan/kube-values";
import type { Request, Source } from "@capstan/runtime";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { watched } from "../permissions.ts";
import type { Claimant, ClaimMark } from "./claim-mark.ts";
import { annotationMark } from "./claim-mark.ts";
import { isGranted, type NamespaceGrantOptions, whenLabelChanges } from "./namespace-grant.ts";
import { Offers } from "./offers.ts";
import type { AttachedUse, Use, UsePlace } from "./use.ts";

export interface ClaimOptions<W extends KubeObject> {
  /** Format of claims on the objects. Default: `annotationMark()`. */
  readonly mark?: ClaimMark;
  /** Returns whether an object may be claimed. Default: all that are not being deleted. */
  readonly mayBeClaimed?: (object: W) => boolean;
  /** Namespaces from which objects may be claimed in addition to the user's own. Default: none. */
  readonly sharing?: Sharing<W>;
}

/** Objects that users of other namespaces may claim. */
export interface Sharing<W extends KubeObject> extends NamespaceGrantOptions {
  /** The label by which an administrator shares the objects of a Namespace. */
  readonly label: string;
  /** The namespaces to which an object is offered; `undefined`: to all. */
  readonly offeredTo?: (object: W) => readonly string[] | undefined;
  /** Which object a user has recorded as its own on its side, once it has; a moved user has another uid than its claim says. */
  readonly recorded: (user: KubeObject) => ObjectKey | undefined;
}

/** Objects of which a user takes one. */
export interface Claims<W extends KubeObject> {
  /**
   * The one that the user has claimed. In another namespace the mark alone proves nothing: the user has recorded the object, or has recorded
   * none and the object is offered to it and has its uid.
   */
  mine(): W | undefined;
  /** All objects in the user's namespace or offered to it, including claimed ones. */
  offered(): readonly W[];
  /**
   * Free objects in the user's namespace or offered to it, in an order in which users of this process do not contend
   * for the same one. A user for which there is none is woken when there may be; until then, return `absent` with a reason.
   */
  candidates(filter?: (object: W) => boolean): readonly W[];
  /** Claims a candidate, with further changes of it; `undefined`: another user was faster, use another one. */
  claim(candidate: W, changes?: MergePatch): Promise<W | undefined>;
  /** Changes the own one; nothing is sent when it says so already, and a concurrent change is a conflict. */
  patch(changes: MergePatch): Promise<void>;
  /** Lets the own one go, with further changes of it. */
  release(changes?: MergePatch): Promise<void>;
}

/**
 * Objects of a pool, for example machines in a rack: the user claims one of them, and lets it go in the end. A change of a claimed
 * object wakes its claimant; one that is free again, or new, wakes those that found none.
 */
export const claimed = <W extends KubeObject>(
  kind: Resource<W>,
  { mark = annotationMark(), mayBeClaimed = () => true, sharing }: ClaimOptions<W> = {},
): Use<Claims<W>> => ({
  permissions: [
    watched(kind, ["patch"], { get: "a claim that met another change" }),
    ...(sharing === undefined ? [] : [watched(NamespaceResource)]),
  ],
  attach: (user, use) =>
    new ClaimPool(kind, { mark, mayBeClaimed, sharing, user, index: `kit/claims/${user.kind}/${use}` }),
});

interface PoolOptions<W extends KubeObject> extends Required<Omit<ClaimOptions<W>, "sharing">> {
  readonly sharing: Sharing<W> | undefined;
  readonly user: Resource;
  /** Index of claimed objects by claimant. */
  readonly index: string;
}

/** The objects of a kind, as one controller claims them. */
class ClaimPool<W extends KubeObject> implements AttachedUse<Claims<W>> {
  readonly sources: readonly Source[];
  readonly #kind: Resource<W>;
  readonly #options: PoolOptions<W>;
  readonly #offers = new Offers<string>();
  /** Users that found no candidate, by name. */
  readonly #waiting = new Map<string, Request>();

  constructor(kind: Resource<W>, options: PoolOptions<W>) {
    this.#kind = kind;
    this.#options = options;
    const isFree = (event: CacheEvent<W>): boolean =>
      event.type !== "deleted" && this.#claimantOf(event.object) === undefined;
    this.sources = [
      watchMapped(kind, (object) => this.#claimantOf(object) ?? []),
      watchMapped(kind, (object) => this.#served(object), { when: isFree }),
      ...(options.sharing === undefined
        ? []
        : [watchMapped(NamespaceResource, () => [...this.#waiting.values()], whenLabelChanges(options.sharing.label))]),
    ];
  }

  prepare(cache: Cache): void {
    if (this.#options.sharing !== undefined) cache.informer(NamespaceResource);
    cache.informer(this.#kind).addIndex(this.#options.index, (object) => [this.#placeOf(object)]);
  }

  open(place: UsePlace): Claims<W> {
    const { cache, client, signal } = place.environment;
    const { index, mark, mayBeClaimed } = this.#options;
    const { kind, namespace, name, uid } = { ...place.identity, kind: place.kind.kind };
    const claimant: Claimant = { kind, namespace, name, uid };
    const user = keyText(place.request);
    const isOffered = (object: W): boolean => this.#isOffered(object, namespace, cache);
    const isMine = (object: W): boolean => this.#placeOf(object) === user && this.#isProven(object, place, isOffered);
    const mine = (): W | undefined => {
      const all = cache.byIndex(this.#kind, index, user).filter(isMine);
      return all.find((object) => this.#isRecorded(object, place) === true) ?? all[0];
    };
    const patch = (object: W, body: MergePatch): Promise<W> => {
      const versioned = mergePatches(body, { metadata: { resourceVersion: object.metadata.resourceVersion } });
      return client.patch<W>(this.#kind, keyOf(object), { type: "merge", body: versioned }, { signal });
    };
    return {
      mine,
      offered: () => cache.list(this.#kind).filter(isOffered),
      candidates: (filter = () => true) => {
        const unclaimed = cache.byIndex(this.#kind, index, this.#freeIn(namespace)).filter(isOffered);
        this.#offers.keep(unclaimed.map(uidOf));
        const fitting = unclaimed.filter(
          (object) => object.metadata.deletionTimestamp === undefined && mayBeClaimed(object) && filter(object),
        );
        if (fitting.length === 0) this.#waiting.set(user, place.request);
        const byUid = new Map(fitting.map((object) => [uidOf(object), object]));
        return this.#offers.to(uid, [...byUid.keys()]).flatMap((each) => byUid.get(each) ?? []);
      },
      claim: async (candidate, changes = {}) => {
        try {
          return await patch(candidate, mergePatches(changes, mark.set(claimant, candidate)));
        } catch (error) {
          if (isCapstanError(error, "kube.not_found")) return undefined;
          if (!isCapstanError(error, "kube.conflict")) throw error;
          // The claim may have been made before, and its answer lost: to take another one would be to have two.
          const present = await client.find<W>(this.#kind, keyOf(candidate), { signal });
          return present !== undefined && isMine(present) ? present : undefined;
        }
      },
      patch: async (changes) => {
        const item = mine();
        const difference = item && effectivePatch(item, changes);
        if (item !== undefined && difference !== undefined) await patch(item, difference);
      },
      release: async (changes = {}) => {
        const item = mine();
        if (item !== undefined) await patch(item, mergePatches(changes, mark.clear(item)));
      },
    };
  }

  forget(request: Request): void {
    this.#waiting.delete(keyText(request));
  }

  /** By the claimant, or by the namespace in which it is free. */
  #placeOf(object: KubeObject): string {
    const claimants = this.#claimantOf(object);
    if (claimants === undefined) return this.#freeIn(object.metadata.namespace);
    return claimants.map(keyText).join();
  }

  /** Where free objects stand in the index; no user is named so. */
  #freeIn(namespace = ""): string {
    return this.#options.sharing === undefined ? `/${namespace}` : "/";
  }

  #isOffered(object: W, namespace: string, cache: Cache): boolean {
    const { namespace: other = "" } = object.metadata;
    if (other === namespace) return true;
    const { sharing } = this.#options;
    if (sharing === undefined || !isGranted(cache, other, sharing.label, sharing)) return false;
    return sharing.offeredTo?.(object)?.includes(namespace) ?? true;
  }

  /** Returns whether the user says on its own side that it has the object; `undefined`: it says nothing of any. */
  #isRecorded({ metadata }: W, { object: user }: UsePlace): boolean | undefined {
    const recorded = this.#options.sharing?.recorded(user);
    return recorded && recorded.name === metadata.name && recorded.namespace === metadata.namespace;
  }

  /** Returns whether a mark that names the user can be trusted beyond write access to the object. */
  #isProven(object: W, place: UsePlace, isOffered: (object: W) => boolean): boolean {
    if (object.metadata.namespace === place.identity.namespace) return true;
    const isRecorded = this.#isRecorded(object, place);
    if (isRecorded !== undefined) return isRecorded;
    return isOffered(object) && this.#options.mark.of(object)?.uid === place.identity.uid;
  }

  /** Returns the claimant if it is a user of this kind; `undefined` if the object is free, an empty list if it has another claimant. */
  #claimantOf(object: KubeObject): readonly Request[] | undefined {
    const { mark, sharing, user } = this.#options;
    const claimant = mark.of(object);
    if (claimant === undefined) return undefined;
    const { kind, name, namespace } = claimant;
    // Whoever writes the object could hand it to anybody.
    if (sharing === undefined && namespace !== object.metadata.namespace) return [];
    return kind === undefined || kind === user.kind ? [{ namespace, name }] : [];
  }

  /** Those who wait for a free one; they wait no longer. */
  #served({ metadata }: KubeObject): readonly Request[] {
    const { sharing } = this.#options;
    const served = [...this.#waiting.values()].filter(
      ({ namespace }) => sharing !== undefined || namespace === metadata.namespace,
    );
    for (const request of served) this.#waiting.delete(keyText(request));
    return served;
  }
}

const uidOf = ({ metadata }: KubeObject): string => metadata.uid ?? "";
