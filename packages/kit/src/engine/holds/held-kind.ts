import { isCapstanError } from "@capstan/contract";
import { listMetadata } from "@capstan/kube";
import type { Cache } from "@capstan/kube";
import type { ObjectKey } from "@capstan/kube-values";
import { hasFinalizer, isBeingDeleted, keyFromText, keyOf, keyText, withFinalizer } from "@capstan/kube-values";
import type { ReconcileContext, Request, RequestSink, Source } from "@capstan/runtime";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import type { HoldNames } from "./hold.ts";
import { hasRecord, heldBy, holdsAnnotation, kindName } from "./hold-record.ts";

/** How an object that is needed stands. */
export type Standing = "held" | "missing" | "leaving";

export interface HeldKindOptions {
  /** The kind of the users. */
  readonly user: Resource;
  readonly kind: Resource;
  readonly names: HoldNames;
  /** Of the users' controller. */
  readonly controller: string;
  /** Whether an object is let go by its controller: it needs nothing any more. */
  readonly isLetGo: (user: KubeObject) => boolean;
}

type Access = Pick<ReconcileContext, "cache" | "client" | "signal">;

/** Others write to the same object: each of a provider's kinds once. */
const attempts = 8;

const finalizersOf = ({ metadata }: KubeObject): readonly string[] => metadata.finalizers ?? [];

const finalizersChanged = (left: KubeObject, right: KubeObject): boolean =>
  finalizersOf(left).join(" ") !== finalizersOf(right).join(" ");

/**
 * Objects of one kind that objects of another need for their removal, as one controller keeps them: by finalizers that are put on them
 * before anything is made that needs them, and taken off once nobody does. Who needs them is recorded on the users, and remembered here
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
  /** What a user says it needs; one function, as an index is declared with one. */
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
  readonly #turns = new Map<string, Promise<unknown>>();
  #queue: RequestSink | undefined;

  constructor(options: HeldKindOptions) {
    const { controller, kind, names, user } = options;
    this.kind = kind;
    this.#options = options;
    this.#index = `kit/holds/${controller}/${kindName(kind)}`;
    const isLost = ({ object, previous }: { readonly object: KubeObject; readonly previous: KubeObject }): boolean =>
      finalizersOf(previous).some((each) => names.isOne(each) && !finalizersOf(object).includes(each));
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

  /** From now on the user needs these objects and no others of the kind: nobody here lets them go. */
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
      while (this.#turns.has(id)) await this.#turns.get(id)?.catch(() => undefined);
      const object = access.cache.get<KubeObject>(this.kind, key);
      if (object === undefined) return "missing";
      if (hasFinalizer(object, finalizer)) return "held";
      if (isBeingDeleted(object)) return "leaving";
      try {
        await this.#inTurn(id, () => this.#patch(object, withFinalizer(object, finalizer), access));
      } catch (error) {
        const isStale = isCapstanError(error, "kube.conflict") || isCapstanError(error, "kube.not_found");
        if (!isStale || attempt === attempts) throw error;
        await this.#refresh(key, object, access);
      }
    }
  }

  /** Whether an object is on its way out: nobody new may come to need it. Who asks is woken when it is gone, or another has its name. */
  isLeaving(user: Request, key: ObjectKey, cache: Cache): boolean {
    const object = cache.get(this.kind, key);
    if (object === undefined || !isBeingDeleted(object)) return false;
    const waiting = this.#waiting.get(keyText(key)) ?? new Set();
    this.#waiting.set(keyText(key), waiting.add(keyText(user)));
    return true;
  }

  /** Takes finalizers off that no user needs any more. */
  async release(key: ObjectKey, context: ReconcileContext): Promise<void> {
    const id = keyText(key);
    await this.#inTurn(id, async () => {
      const object = context.cache.get<KubeObject>(this.kind, key);
      const { cache } = context;
      if (object === undefined) return;
      const known = cache.list<KubeObject>(this.#options.user);
      if (this.#surplus(object, this.#usersOf(cache, key), known).length === 0) return;
      // Users that are not in the cache yet have it that the finalizer is there.
      const live = await this.#liveUsers(key, context);
      const surplus = this.#surplus(object, this.#usersOf(cache, key), [...known, ...live]);
      if (surplus.length === 0) return;
      try {
        await this.#patch(
          object,
          finalizersOf(object).filter((each) => !surplus.includes(each)),
          context,
        );
      } catch (error) {
        if (!isCapstanError(error, "kube.not_found")) throw error;
      }
    });
  }

  /** Finalizers that nobody needs: neither the users of this process, nor any of those that say so themselves. */
  #surplus(object: KubeObject, users: readonly Request[], known: readonly KubeObject[]): readonly string[] {
    const { isLetGo, names } = this.#options;
    const id = keyText(keyOf(object));
    const needed = new Set(users.map(names.of));
    for (const user of known) {
      if (this.#recordedBy(user).includes(id)) needed.add(names.of(keyOf(user)));
      else if (names.ofOthers !== undefined && !hasRecord(user) && !isLetGo(user)) {
        needed.add(names.ofOthers(keyOf(user)));
      }
    }
    return finalizersOf(object).filter((each) => names.isOne(each) && !needed.has(each));
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

  /**
   * Users beside the object as the API server has them. Those elsewhere are known from the cache, which has what this manager may see, and
   * from its own work.
   */
  async #liveUsers({ namespace }: ObjectKey, { client, signal }: ReconcileContext): Promise<readonly KubeObject[]> {
    const where = namespace === undefined || namespace === "" ? {} : { namespace };
    const { items } = await listMetadata(client, this.#options.user, { ...where, signal });
    return items;
  }

  async #patch(object: KubeObject, finalizers: readonly string[], { cache, client, signal }: Access): Promise<void> {
    const { resourceVersion, uid } = object.metadata;
    const body = { metadata: { resourceVersion, finalizers } };
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

  async #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(id);
    const turn = (before ?? Promise.resolve()).catch(() => undefined).then(work);
    this.#turns.set(id, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(id) === turn) this.#turns.delete(id);
    }
  }
}
