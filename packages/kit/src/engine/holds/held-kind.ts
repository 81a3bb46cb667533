import type { CapstanError } from "@capstan/contract";
import { isCapstanError } from "@capstan/contract";
import { listMetadata } from "@capstan/kube";
import type { Cache } from "@capstan/kube";
import type { ObjectKey } from "@capstan/kube-values";
import { hasFinalizer, isBeingDeleted, keyFromText, keyOf, keyText, withFinalizer } from "@capstan/kube-values";
import type { ReconcileContext, Request, RequestSink, Source } from "@capstan/runtime";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { OneByOne } from "../one-by-one.ts";
import { LifeReason } from "../reasons.ts";
import { Elsewhere } from "./elsewhere.ts";
import { holdNamesOf } from "./hold.ts";
import type { HoldNames } from "./hold.ts";
import { hasRecord, heldBy, holdsAnnotation, kindName } from "./hold-record.ts";

/** State of a needed object. */
export type Standing = "held" | "missing" | "leaving";

export interface HeldKindOptions {
  /** The kind of the users. */
  readonly user: Resource;
  readonly kind: Resource;
  readonly names: HoldNames;
  /** Name of the users' controller. */
  readonly controller: string;
  /** Returns whether an object is let go by its controller: it no longer needs anything. */
  readonly isLetGo: (user: KubeObject) => boolean;
}

type Access = Pick<ReconcileContext, "cache" | "client" | "signal">;

interface HeldMetadata {
  readonly finalizers: readonly string[];
  readonly annotations?: Readonly<Record<string, string | null>>;
}

/** Others write to the same object: each of a provider's kinds once. */
const attempts = 8;

/** Returns whether an answer to a write does not change by asking again. */
export const isRefusal = ({ code }: CapstanError): boolean =>
  ["kube.forbidden", "kube.invalid", "kube.bad_request"].includes(code);

const finalizersOf = ({ metadata }: KubeObject): readonly string[] => metadata.finalizers ?? [];

const finalizersChanged = (left: KubeObject, right: KubeObject): boolean =>
  finalizersOf(left).join(" ") !== finalizersOf(right).join(" ");

/**
 * Objects of one kind that objects of another need for their removal, as one controller keeps them: by finalizers that are put on them
 * before anything is made that needs them, and removed once no user needs them. Who needs them is recorded on the users, and remembered here
 * from the moment on in which a user sets about it. Within a process holding and letting go exclude each other.
 */
export class HeldKind {
  readonly kind: Resource;
  /** Wakes users whose hold is lost. */
  readonly source: Source;
  /** Requests for held objects that may be let go. */
  readonly releases: readonly Source[];
  readonly #options: HeldKindOptions;
  readonly #index: string;
  readonly #elsewhere: Elsewhere;
  /** Returns the objects that a user needs; one function, because an index is declared with one. */
  readonly #recordedBy = (user: KubeObject): readonly string[] => {
    if (this.#options.isLetGo(user)) return [];
    const kind = kindName(this.kind);
    return heldBy(user)
      .filter((record) => record.kind === kind)
      .map(keyText);
  };
  /** Users by held object, and held objects by user, as this process knows them. */
  readonly #users = new Map<string, Set<string>>();
  readonly #held = new Map<string, readonly string[]>();
  /** Users that are refused an object that is on its way out. */
  readonly #waiting = new Map<string, Set<string>>();
  /** Work on one held object, in turn. */
  readonly #turns = new OneByOne();
  #queue: RequestSink | undefined;

  constructor(options: HeldKindOptions) {
    const { controller, kind, names, user } = options;
    this.kind = kind;
    this.#options = options;
    this.#elsewhere = new Elsewhere(user);
    this.#index = `kit/holds/${controller}/${kindName(kind)}`;
    const isLost = ({ object, previous }: { readonly object: KubeObject; readonly previous: KubeObject }): boolean =>
      finalizersOf(previous).some((each) => names.isOne(each) && !finalizersOf(object).includes(each)) ||
      this.#elsewhere.of(previous).some((each) => !this.#elsewhere.of(object).includes(each));
    this.source = watchMapped(kind, (object, { cache }) => this.#wokenBy(cache, keyOf(object)), {
      when: (event) =>
        event.type === "deleted" ||
        (event.type === "added" ? !event.initial : event.type === "updated" && isLost(event)),
    });
    this.releases = [
      { start: (queue) => void (this.#queue = queue) },
      watchMapped(kind, (object) => (finalizersOf(object).some(names.isOne) ? [keyOf(object)] : []), {
        when: (event) =>
          event.type === "added" || (event.type === "updated" && finalizersChanged(event.previous, event.object)),
      }),
      watchMapped(user, (object) => this.#recordedBy(object).map(keyFromText), {
        when: (event) =>
          event.type === "deleted" ||
          (event.type === "updated" &&
            (event.previous.metadata.annotations?.[holdsAnnotation] !==
              event.object.metadata.annotations?.[holdsAnnotation] ||
              finalizersChanged(event.previous, event.object))),
      }),
    ];
  }

  prepare(cache: Cache): void {
    const { kind, user } = this.#options;
    cache.informer(kind);
    cache.informer<KubeObject>(user).addIndex(this.#index, this.#recordedBy);
  }

  /** Records that the user needs exactly these objects of the kind, so that they are not released. */
  need(user: Request, keys: readonly ObjectKey[]): void {
    const name = keyText(user);
    const before = this.#held.get(name) ?? [];
    const now = keys.map(keyText);
    if (now.length === 0) this.#held.delete(name);
    else this.#held.set(name, now);
    for (const each of now) {
      const users = this.#users.get(each) ?? new Set();
      this.#users.set(each, users.add(name));
    }
    for (const each of before.filter((id) => !now.includes(id))) {
      const users = this.#users.get(each);
      users?.delete(name);
      if (users?.size === 0) this.#users.delete(each);
      this.#queue?.add(keyFromText(each));
    }
  }

  /** Puts the user's finalizer on an object that it needs, unless it is there. Nothing is sent when all is as it should be. */
  async hold(user: Request, key: ObjectKey, access: Access): Promise<Standing> {
    const id = keyText(key);
    const finalizer = this.#options.names.of(user);
    for (let attempt = 0; ; attempt += 1) {
      await this.#turns.idle(id);
      const object = access.cache.get<KubeObject>(this.kind, key);
      if (object === undefined) return "missing";
      const namespaces = this.#elsewhere.patch(object, this.#elsewhere.with(object, user));
      const isHeld = hasFinalizer(object, finalizer);
      if (isHeld && Object.keys(namespaces).length === 0) return "held";
      if (!isHeld && isBeingDeleted(object)) return "leaving";
      const metadata = { finalizers: withFinalizer(object, finalizer), ...namespaces };
      try {
        await this.#turns.run(id, () => this.#patch(object, metadata, access));
      } catch (error) {
        const isStale = isCapstanError(error, "kube.conflict") || isCapstanError(error, "kube.not_found");
        if (!isStale || attempt === attempts) throw error;
        await this.#refresh(key, object, access);
      }
    }
  }

  /** Returns whether an object is being deleted, so that no new user may depend on it. The caller is woken when it is gone or replaced. */
  isLeaving(user: Request, key: ObjectKey, cache: Cache): boolean {
    const object = cache.get(this.kind, key);
    if (object === undefined || !isBeingDeleted(object)) return false;
    const waiting = this.#waiting.get(keyText(key)) ?? new Set();
    this.#waiting.set(keyText(key), waiting.add(keyText(user)));
    return true;
  }

  /** Removes finalizers that no user needs, unless there may be users that this manager does not see. */
  async release(key: ObjectKey, context: ReconcileContext): Promise<void> {
    const id = keyText(key);
    await this.#turns.run(id, async () => {
      const object = context.cache.get<KubeObject>(this.kind, key);
      const { cache } = context;
      if (object === undefined) return;
      const known = cache.list<KubeObject>(this.#options.user);
      if (this.#released(object, cache, known) === undefined) return;
      // Users that are not in the cache yet have it that the finalizer is there.
      const live = await this.#liveUsers(object, context);
      const released = this.#released(object, cache, [...known, ...live]);
      if (released === undefined) return;
      try {
        await this.#patch(object, released, context);
      } catch (error) {
        if (isCapstanError(error, "kube.not_found")) return;
        if (isCapstanError(error) && isRefusal(error)) {
          const message = `this object is no longer needed, but its finalizer cannot be removed: ${error.message}; allow the manager to patch it, or remove the finalizer ${holdNamesOf(this.#options.user).of(key)} yourself`;
          context.events.event(object, { type: "Warning", reason: LifeReason.holdNotReleased, message });
        }
        throw error;
      }
    });
  }

  /**
   * The metadata of an object without what no one needs: neither the users of this process, nor any of those that say so themselves.
   * `undefined`: it is as it should be.
   */
  #released(object: KubeObject, cache: Cache, known: readonly KubeObject[]): HeldMetadata | undefined {
    const { isLetGo, names } = this.#options;
    const id = keyText(keyOf(object));
    const indexed = cache.byIndex<KubeObject>(this.#options.user, this.#index, id);
    const recorded = [...indexed, ...known.filter((user) => this.#recordedBy(user).includes(id))];
    const believed = recorded.map((user) => keyOf(user)).filter((user) => this.#elsewhere.vouches(object, user));
    const users = [...[...(this.#users.get(id) ?? [])].map(keyFromText), ...believed];
    const needed = new Set(users.map(names.of));
    for (const user of known) {
      const other = hasRecord(user) || isLetGo(user) ? undefined : names.ofOthers?.(keyOf(user), keyOf(object));
      if (other !== undefined) needed.add(other);
    }
    const seen = new Set(users.map(({ namespace }) => namespace));
    const elsewhere = this.#elsewhere.of(object);
    const unseen = elsewhere.filter((namespace) => !this.#sees(cache, namespace));
    const namespaces = this.#elsewhere.patch(
      object,
      elsewhere.filter((namespace) => unseen.includes(namespace) || seen.has(namespace)),
    );
    const before = finalizersOf(object);
    const finalizers = unseen.length > 0 ? before : before.filter((each) => !names.isOne(each) || needed.has(each));
    const isSame = finalizers.length === before.length && Object.keys(namespaces).length === 0;
    return isSame ? undefined : { finalizers, ...namespaces };
  }

  /** Returns whether this manager watches the users in a namespace. */
  #sees(cache: Cache, namespace: string): boolean {
    return cache.informer(this.#options.user).namespaces?.includes(namespace) ?? true;
  }

  #wokenBy(cache: Cache, key: ObjectKey): readonly Request[] {
    const id = keyText(key);
    const waiting = [...(this.#waiting.get(id) ?? [])].map(keyFromText);
    this.#waiting.delete(id);
    return [...waiting, ...this.#usersOf(cache, key)];
  }

  #usersOf(cache: Cache, key: ObjectKey): readonly Request[] {
    const id = keyText(key);
    const recorded = cache.byIndex<KubeObject>(this.#options.user, this.#index, id).map((user) => keyText(keyOf(user)));
    const names = new Set([...recorded, ...(this.#users.get(id) ?? [])]);
    return [...names].map(keyFromText);
  }

  /** Users in the namespaces that the object has some in, as the API server has them. Those in others are known from the cache. */
  async #liveUsers(object: KubeObject, { cache, client, signal }: ReconcileContext): Promise<readonly KubeObject[]> {
    const { user } = this.#options;
    const { namespace = "" } = object.metadata;
    const places = [namespace, ...this.#elsewhere.of(object)].filter((each) => this.#sees(cache, each));
    const isAnywhere = !user.namespaced || places.includes("");
    const wheres = isAnywhere ? [{}] : places.map((each) => ({ namespace: each }));
    const lists = await Promise.all(wheres.map((where) => listMetadata(client, user, { ...where, signal })));
    return lists.flatMap(({ items }) => items);
  }

  async #patch(object: KubeObject, metadata: HeldMetadata, { cache, client, signal }: Access): Promise<void> {
    const { resourceVersion, uid } = object.metadata;
    const body = { metadata: { resourceVersion, ...metadata } };
    const written = await client.patch(this.kind, keyOf(object), { type: "merge", body }, { signal });
    if (isBeingDeleted(written) && finalizersOf(written).length === 0) {
      cache.informer(this.kind).observeDeleted(keyOf(object), uid ?? "");
    }
  }

  /** Brings the cache up to what made a write fail. */
  async #refresh(key: ObjectKey, stale: KubeObject, { cache, client, signal }: Access): Promise<void> {
    const informer = cache.informer<KubeObject>(this.kind);
    const present = await client.find<KubeObject>(this.kind, key, { signal });
    if (present === undefined) informer.observeDeleted(key, stale.metadata.uid ?? "");
    else informer.observe(present);
  }
}
