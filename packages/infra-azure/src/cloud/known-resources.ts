import type { Clock } from "@capstan/contract";
import { isCapstanError } from "@capstan/contract";
import { isJsonObject, sameJson } from "@capstan/schema";
import { isChanging, provisioningStateOf } from "../arm/operation.ts";
import { isWithin } from "../arm/resource-id.ts";

/** Fields of a resource in the list of its group that show whether it has changed. */
type Stamp = Readonly<Record<string, unknown>>;

interface Entry<R> {
  readonly resource: R;
  /** The last list from before it was read, and how that had it. */
  readonly list: GroupList;
  readonly stamp: Stamp | undefined;
  readonly readAt: number;
}

interface GroupList {
  readonly takenAt: number;
  /** No one may list the group: nothing shows what changes. */
  readonly isBlind?: boolean;
  /** By ID in lower case; that of the group stands for the group itself. */
  readonly stamps: ReadonlyMap<string, Stamp>;
}

export interface KnownResourcesOptions {
  readonly clock: Clock;
  /** Time for which one list of a group serves all its resources, in milliseconds. */
  readonly periodMs: number;
  /** Everything of a group, briefly, with the time of its last change; `undefined` when the group does not exist. */
  readonly list: (group: string, call: { readonly signal: AbortSignal }) => Promise<readonly unknown[] | undefined>;
}

/** Read again after this time, whatever lists say: what changed so long ago and no list showed is seen then. */
const longestMs = 86_400_000;

/** Maximum age of a recent read, in milliseconds. */
const recentMs = 5000;

/** Resources of which it is remembered how often they were written. */
const keptWrites = 10_000;

/** The group that an ID is in, or is of. */
const groupOf = (id: string): string => /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+/i.exec(id)?.[0] ?? id;

/** The resource of a group that an ID is of a part of, in lower case; that of a group itself is the group. */
const wholeOf = (id: string): string =>
  (/^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/[^/]+\/[^/]+\/[^/]+/i.exec(id)?.[0] ?? id).toLowerCase();

const parentOf = (id: string): string => id.split("/").slice(0, -2).join("/");

const stampsIn = (group: string, items: readonly unknown[] | undefined): GroupList["stamps"] => {
  if (items === undefined) return new Map();
  const entries = items.flatMap((item) => {
    if (!isJsonObject(item) || typeof item["id"] !== "string") return [];
    const { changedTime, provisioningState, tags } = item;
    return [[item["id"].toLowerCase(), { changedTime, provisioningState, tags }] as const];
  });
  return new Map<string, Stamp>([[group.toLowerCase(), {}], ...entries]);
};

/** Returns the stamp that a list has of a resource, or of the nearest resource that it is part of. */
const stampIn = ({ stamps }: GroupList, id: string): Stamp | undefined => {
  const group = groupOf(id).length;
  for (let at = id.toLowerCase(); at.length > group; at = parentOf(at)) {
    const stamp = stamps.get(at);
    if (stamp !== undefined) return stamp;
  }
  return id.length > group ? undefined : stamps.get(id.toLowerCase());
};

/**
 * The resources of one subscription as they were read last. All objects share them: while the list of their group, which is taken once in
 * a period, shows no change of a resource, it is not read again. What we write ourselves is forgotten; what goes on is never kept.
 */
export class KnownResources<R extends object> {
  readonly #options: KnownResourcesOptions;
  /** By whole resource, and then by what of it was read. */
  readonly #entries = new Map<string, Map<string, Entry<R>>>();
  readonly #lists = new Map<string, GroupList>();
  readonly #listing = new Map<string, Promise<GroupList>>();
  /** Number of writes by group, and by whole resource: what was read while one of it went on says nothing. */
  readonly #writes = new Map<string, number>();

  constructor(options: KnownResourcesOptions) {
    this.#options = options;
  }

  /** Reads a resource, and remembers what it is like. `key`: the ID, with what was asked for beside. */
  async read(key: string, id: string, find: () => Promise<R | undefined>): Promise<R | undefined> {
    const writes = this.#writesOf(id);
    const list = this.#lastList(groupOf(id));
    const stamp = stampIn(list, id);
    const resource = await find();
    const isSettled = resource !== undefined && !isChanging(resource) && provisioningStateOf(resource) === "Succeeded";
    if (!isSettled || writes !== this.#writesOf(id)) {
      this.#entries.get(wholeOf(id))?.delete(key.toLowerCase());
      return resource;
    }
    const parts = this.#entries.get(wholeOf(id)) ?? new Map<string, Entry<R>>();
    parts.set(key.toLowerCase(), { resource, list, stamp, readAt: this.#options.clock.now() });
    this.#entries.set(wholeOf(id), parts);
    return resource;
  }

  /** Returns a resource as it was last read, as long as nothing shows that it has changed; else reads it. */
  async known(
    key: string,
    id: string,
    {
      call,
      find,
    }: {
      readonly call: { readonly signal: AbortSignal };
      readonly find: () => Promise<R | undefined>;
    },
  ): Promise<R | undefined> {
    const entry = this.#entries.get(wholeOf(id))?.get(key.toLowerCase());
    if (entry === undefined || this.#options.clock.now() - entry.readAt >= longestMs) return this.read(key, id, find);
    const list = await this.#list(groupOf(id), call);
    // It is newer than the list, which says nothing of it.
    if (list === entry.list && list.isBlind !== true) return entry.resource;
    const stamp = stampIn(list, id);
    if (stamp !== undefined && sameJson(stamp, entry.stamp)) return entry.resource;
    return this.read(key, id, find);
  }

  /** Returns a resource that was read a moment ago; else reads it. */
  async recent(key: string, id: string, find: () => Promise<R | undefined>): Promise<R | undefined> {
    const entry = this.#entries.get(wholeOf(id))?.get(key.toLowerCase());
    const isRecent = entry !== undefined && this.#options.clock.now() - entry.readAt < recentMs;
    return isRecent ? entry.resource : this.read(key, id, find);
  }

  /** A call that changes what an ID names: before and after it nothing is known of that, nor of what is in it, or of what it is part of. */
  async changing<T>(id: string, write: () => Promise<T>): Promise<T> {
    this.#forget(id);
    try {
      return await write();
    } finally {
      this.#forget(id);
    }
  }

  #writesOf(id: string): number {
    return (this.#writes.get(wholeOf(id)) ?? 0) + (this.#writes.get(groupOf(id).toLowerCase()) ?? 0);
  }

  #forget(id: string): void {
    const whole = wholeOf(id);
    const count = this.#writesOf(id) + 1;
    this.#writes.delete(whole);
    this.#writes.set(whole, count);
    const [oldest] = this.#writes.keys();
    if (this.#writes.size > keptWrites && oldest !== undefined) this.#writes.delete(oldest);
    this.#entries.delete(whole);
    if (groupOf(id) === id) this.#keep((each) => !isWithin(each, whole));
  }

  #keep(isKept: (whole: string) => boolean): void {
    for (const whole of this.#entries.keys()) {
      if (!isKept(whole)) this.#entries.delete(whole);
    }
  }

  /** The last list of a group. What is read before the first one is as good as new for one period. */
  #lastList(group: string): GroupList {
    const name = group.toLowerCase();
    const last = this.#lists.get(name) ?? { takenAt: this.#options.clock.now(), stamps: new Map<string, Stamp>() };
    this.#lists.set(name, last);
    return last;
  }

  async #list(group: string, call: { readonly signal: AbortSignal }): Promise<GroupList> {
    const name = group.toLowerCase();
    const last = this.#lists.get(name);
    if (last !== undefined && this.#options.clock.now() - last.takenAt < this.#options.periodMs) return last;
    const taking = this.#listing.get(name) ?? this.#take(group, call);
    this.#listing.set(name, taking);
    return taking;
  }

  async #take(group: string, call: { readonly signal: AbortSignal }): Promise<GroupList> {
    const name = group.toLowerCase();
    const takenAt = this.#options.clock.now();
    try {
      const list = await this.#listed(group, call, takenAt);
      this.#lists.set(name, list);
      this.#keep((whole) => groupOf(whole) !== name || stampIn(list, whole) !== undefined);
      return list;
    } finally {
      this.#listing.delete(name);
    }
  }

  /** Who may not list a group reads each resource. */
  async #listed(group: string, call: { readonly signal: AbortSignal }, takenAt: number): Promise<GroupList> {
    try {
      return { takenAt, stamps: stampsIn(group, await this.#options.list(group, call)) };
    } catch (error) {
      if (isCapstanError(error, "azure.forbidden")) return { takenAt, stamps: new Map(), isBlind: true };
      throw error;
    }
  }
}
