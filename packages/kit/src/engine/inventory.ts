import type { Clock, Logger } from "@capstan/contract";
import { isCapstanError } from "@capstan/contract";
import type { Request } from "@capstan/runtime";
import { type KubeObject, sameJson } from "@capstan/schema";
import type { Inventory } from "./author.ts";
import { DeletedTags } from "./deleted-tags.ts";
import { type CloudTags, tagTexts } from "./installation.ts";
import { withBoundedWait } from "./longest-wait.ts";
import { Offers } from "./uses/offers.ts";

export interface InventoryOptions<Api, Item> extends Omit<Inventory<KubeObject, Api, Item>, "scope"> {
  readonly clock: Clock;
  readonly log: Logger;
  /** Wakes a machine whose item changed. */
  readonly enqueue: (request: Request) => void;
  /** Called with every list call. */
  readonly onList: () => void;
  /** Called with everything that was deleted because its object is gone. */
  readonly onSwept: () => void;
  /** Called with the tags of everything that a list shows, and the namespaces whose objects share it. */
  readonly onTags?: (tags: CloudTags, namespaces: readonly string[]) => void;
  /** Asked before anything is deleted, with the namespaces whose objects share the list. Default: always true. */
  readonly maySweep?: (namespaces: readonly string[]) => boolean;
}

/** One machine that is looked for in a scope. */
export interface InventoryMember {
  readonly uid: string;
  readonly tag: string;
  readonly providerID?: string | undefined;
  readonly request: Request;
}

interface Snapshot<Item> {
  readonly startedTick: number;
  readonly byTag: ReadonlyMap<string, Item>;
  readonly byProviderID: ReadonlyMap<string, Item>;
  readonly free: readonly Item[];
  readonly offers: Offers<Item>;
}

const itemOf = <Item>(
  { byTag, byProviderID }: Snapshot<Item>,
  { tag, providerID }: InventoryMember,
): Item | undefined => byTag.get(tag) ?? (providerID === undefined ? undefined : byProviderID.get(providerID));

interface MemberState<Item> extends InventoryMember {
  seen: Item | undefined;
  settled: boolean;
  /** Wrote and has not looked since. */
  awaiting: boolean;
  /** Lookups that wait for a list: they see for themselves what it shows. */
  looking: number;
  /** Found nothing free to take. */
  wanting: boolean;
}

interface Scope<Api, Item> {
  readonly name: string;
  readonly members: Map<string, MemberState<Item>>;
  api: Api;
  snapshot?: Snapshot<Item>;
  running?: { readonly startedTick: number; readonly result: Promise<Snapshot<Item>> };
  next?: Promise<Snapshot<Item>>;
  startedAt?: number;
  /** Lists that failed since the last one that did not. */
  failures: number;
  /** Why the last list failed, and until when that answers all who ask. */
  refusal?: { readonly error: unknown; readonly until: number };
  timer?: { readonly dueAt: number; readonly cancel: () => void };
}

const namespacesOf = ({ members }: Pick<Scope<unknown, unknown>, "members">): readonly string[] => [
  ...new Set(Array.from(members.values(), ({ request }) => request.namespace ?? "")),
];

/** At most one list of a scope starts in this time, unless the poll interval is shorter. */
const minGapMs = 500;
/** A list that failed after this time did not do so by chance. */
const notByChanceMs = 10_000;
const listTimeoutMs = 60_000;

/**
 * Lists shared by all machines of a credential. Time is counted in ticks, so that "started after" has a meaning within a millisecond:
 * every look and every write takes a tick, and a list may only answer a question that was asked before it started.
 */
export class SharedInventory<Api, Item> {
  readonly #options: InventoryOptions<Api, Item>;
  readonly #scopes = new Map<string, Scope<Api, Item>>();
  readonly #scopeOf = new Map<string, Scope<Api, Item>>();
  readonly #wroteTick = new Map<string, number>();
  readonly #departed: DeletedTags;
  readonly #stop = new AbortController();
  #tick = 0;

  constructor(options: InventoryOptions<Api, Item>) {
    this.#options = options;
    this.#departed = new DeletedTags(options.clock);
  }

  /** The tick of now: a list that starts later has a greater one. */
  now(): number {
    this.#tick += 1;
    return this.#tick;
  }

  /** The machine's item in a list that started after its own last write and after `after`; waits for one if need be. */
  async find(
    place: { readonly scope: string; readonly api: Api },
    member: InventoryMember,
    options: { readonly after?: number; readonly signal: AbortSignal },
  ): Promise<Item | undefined> {
    const scope = this.#join(place, member);
    const after = Math.max(options.after ?? 0, this.#wroteTick.get(member.uid) ?? 0);
    const state = scope.members.get(member.uid);
    if (state !== undefined) state.looking += 1;
    try {
      const item = itemOf(await this.#snapshotAfter(scope, after, options.signal), member);
      if (state !== undefined) Object.assign(state, { seen: item, awaiting: false, wanting: false });
      return item;
    } catch (error) {
      // The next list that succeeds is news, whatever it shows.
      if (state !== undefined) state.awaiting = true;
      throw error;
    } finally {
      if (state !== undefined) state.looking -= 1;
    }
  }

  /** Items that may be taken; a member for which there is none is woken when there is. */
  free(uid: string): readonly Item[] {
    const scope = this.#scopeOf.get(uid);
    const state = scope?.members.get(uid);
    const free = scope?.snapshot?.offers.to(uid, scope.snapshot.free) ?? [];
    if (state !== undefined) state.wanting = free.length === 0;
    return free;
  }

  /** Something was written for the machine: older lists say nothing about it, and a new one is due soon. */
  wrote(uid: string): void {
    this.#wroteTick.set(uid, this.now());
    const scope = this.#scopeOf.get(uid);
    const state = scope?.members.get(uid);
    if (scope === undefined || state === undefined) return;
    state.awaiting = true;
    state.settled = false;
    this.#schedule(scope, this.#gapMs());
  }

  /** Returns whether the machine is as it should be: a scope of settled machines is listed rarely. */
  settle(uid: string, settled: boolean): void {
    const scope = this.#scopeOf.get(uid);
    const state = scope?.members.get(uid);
    if (scope === undefined || state === undefined) return;
    state.settled = settled;
    this.#schedule(scope, this.#intervalMs(scope));
  }

  /** The object with this tag is let go: nothing of it is left, and what appears later goes too. */
  letGo(tag: string): void {
    if (this.#options.removeLate !== undefined) this.#departed.add(tag);
  }

  /** The object with this tag is there: what appears is its own. */
  holds(tag: string): void {
    this.#departed.delete(tag);
  }

  forget(uid: string): void {
    this.#leave(uid);
    this.#wroteTick.delete(uid);
  }

  stop(): void {
    this.#stop.abort(new DOMException("the controller stops", "AbortError"));
    for (const scope of this.#scopes.values()) scope.timer?.cancel();
  }

  #join(place: { readonly scope: string; readonly api: Api }, member: InventoryMember): Scope<Api, Item> {
    const before = this.#scopeOf.get(member.uid);
    if (before !== undefined && before.name !== place.scope) this.#leave(member.uid);
    const scope: Scope<Api, Item> = this.#scopes.get(place.scope) ?? {
      name: place.scope,
      members: new Map(),
      api: place.api,
      failures: 0,
    };
    if (scope.api !== place.api) delete scope.refusal;
    scope.api = place.api;
    this.#scopes.set(scope.name, scope);
    this.#scopeOf.set(member.uid, scope);
    const fresh: MemberState<Item> = {
      ...member,
      seen: undefined,
      settled: false,
      awaiting: false,
      looking: 0,
      wanting: false,
    };
    const known = scope.members.get(member.uid);
    if (known === undefined) scope.members.set(member.uid, fresh);
    else Object.assign(known, member);
    return scope;
  }

  #leave(uid: string): void {
    const scope = this.#scopeOf.get(uid);
    if (scope === undefined) return;
    this.#scopeOf.delete(uid);
    scope.members.delete(uid);
    if (scope.members.size > 0) return;
    scope.timer?.cancel();
    this.#scopes.delete(scope.name);
  }

  async #snapshotAfter(scope: Scope<Api, Item>, after: number, signal: AbortSignal): Promise<Snapshot<Item>> {
    if (scope.snapshot !== undefined && scope.snapshot.startedTick > after) return scope.snapshot;
    const { refusal, running } = scope;
    if (refusal !== undefined && this.#options.clock.now() < refusal.until) throw refusal.error;
    const result = running !== undefined && running.startedTick > after ? running.result : this.#nextList(scope);
    return abortable(result, signal);
  }

  /** The list that starts next; everybody who asks before it starts shares it. */
  #nextList(scope: Scope<Api, Item>): Promise<Snapshot<Item>> {
    scope.next ??= this.#startNext(scope);
    return scope.next;
  }

  async #startNext(scope: Scope<Api, Item>): Promise<Snapshot<Item>> {
    const { clock } = this.#options;
    try {
      await scope.running?.result.catch(() => undefined);
      const wait = (scope.startedAt ?? -Infinity) + this.#gapMs() - clock.now();
      if (wait > 0) await clock.sleep(wait, { signal: this.#stop.signal });
    } finally {
      delete scope.next;
    }
    scope.startedAt = clock.now();
    const startedTick = this.now();
    const result = this.#list(scope, startedTick);
    scope.running = { startedTick, result };
    return result;
  }

  async #list(scope: Scope<Api, Item>, startedTick: number): Promise<Snapshot<Item>> {
    const { clock, isFree, list, onList, tagsOf, providerIDOf } = this.#options;
    const timer = new AbortController();
    const cancel = clock.schedule(listTimeoutMs, () =>
      timer.abort(new DOMException("the list took too long", "TimeoutError")),
    );
    try {
      onList();
      const items = await list({
        api: scope.api,
        call: { signal: AbortSignal.any([timer.signal, this.#stop.signal]) },
      });
      const byTag = new Map<string, Item>();
      // The first server of a tag counts: a second one is what a lost answer left behind.
      for (const item of items) for (const tag of tagTexts(tagsOf(item))) if (!byTag.has(tag)) byTag.set(tag, item);
      this.#options.onTags?.([...byTag.keys()], namespacesOf(scope));
      const byProviderID = new Map<string, Item>();
      for (const item of items) {
        const providerID = providerIDOf?.(item);
        if (providerID !== undefined) byProviderID.set(providerID, item);
      }
      const free = isFree === undefined ? [] : items.filter((item) => isFree(item));
      const snapshot = { startedTick, byTag, byProviderID, free, offers: new Offers<Item>() };
      scope.snapshot = snapshot;
      scope.failures = 0;
      delete scope.refusal;
      this.#wakeChanged(scope, snapshot);
      this.#sweep(scope, snapshot);
      return snapshot;
    } catch (error) {
      throw this.#refused(scope, withBoundedWait(error));
    } finally {
      cancel();
      delete scope.running;
      this.#schedule(scope, this.#intervalMs(scope));
    }
  }

  /**
   * Notes that a list failed. What the list before showed no longer counts: everybody looks again, which costs one more list and
   * finds out whether it was chance. No one is alarmed because the cloud names a time to wait.
   */
  #refused(scope: Scope<Api, Item>, error: unknown): unknown {
    const now = this.#options.clock.now();
    const waitMs = isCapstanError(error) && error.retry.kind === "after" ? error.retry.ms : undefined;
    scope.failures += 1;
    const isChance = scope.failures === 1 && now - (scope.startedAt ?? now) < notByChanceMs;
    scope.refusal = { error, until: now + (waitMs ?? (isChance ? 0 : this.#failingMs(scope))) };
    if (waitMs !== undefined) return error;
    delete scope.snapshot;
    if (scope.failures > 1) return error;
    for (const { looking, request } of scope.members.values()) if (looking === 0) this.#options.enqueue(request);
    return error;
  }

  #wakeChanged(scope: Scope<Api, Item>, snapshot: Snapshot<Item>): void {
    for (const member of scope.members.values()) {
      const afterWrite = snapshot.startedTick > (this.#wroteTick.get(member.uid) ?? 0);
      const item = itemOf(snapshot, member);
      const isServed = member.wanting && snapshot.free.length > 0;
      const isNews = member.awaiting || isServed || !sameJson(member.seen, item);
      const due = afterWrite && member.looking === 0 && isNews;
      if (!due) continue;
      member.awaiting = false;
      member.wanting = false;
      member.seen = item;
      this.#options.enqueue(member.request);
    }
  }

  /** Deletes what came after its object went. */
  #sweep(shared: Scope<Api, Item>, { byTag }: Snapshot<Item>): void {
    const { log, onSwept, removeLate } = this.#options;
    if (removeLate === undefined || this.#options.maySweep?.(namespacesOf(shared)) === false) return;
    const { api, name: scope } = shared;
    const call = { signal: this.#stop.signal };
    this.#departed.sweep(byTag, (item) => removeLate({ api, call, item }), {
      onRemoved: (tag) => {
        log.warn("deleted a resource that appeared after its object was gone", { scope, tag });
        onSwept();
      },
      onFailure: (tag, error) =>
        log.warn("cannot delete a resource that appeared after its object was gone; retrying after the next list", {
          scope,
          tag,
          error,
        }),
    });
  }

  #gapMs(): number {
    return Math.min(minGapMs, this.#options.pollMs);
  }

  #intervalMs(scope: Scope<Api, Item>): number {
    const pending = [...scope.members.values()].some((member) => !member.settled);
    return pending ? this.#failingMs(scope) : this.#options.settledPollMs;
  }

  /** A scope whose lists fail is listed less and less often, down to the rate of a settled one. */
  #failingMs({ failures }: Scope<Api, Item>): number {
    const { pollMs, settledPollMs } = this.#options;
    return Math.min(pollMs * 2 ** failures, Math.max(pollMs, settledPollMs));
  }

  /** Lists again after `ms` at the latest. */
  #schedule(scope: Scope<Api, Item>, ms: number): void {
    const { clock, log } = this.#options;
    if (this.#stop.signal.aborted || this.#scopes.get(scope.name) !== scope) return;
    const now = clock.now();
    const dueAt = Math.max(now + ms, scope.refusal?.until ?? now);
    if (scope.timer !== undefined && scope.timer.dueAt <= dueAt && scope.timer.dueAt > now) return;
    scope.timer?.cancel();
    const cancel = clock.schedule(dueAt - now, () => {
      delete scope.timer;
      this.#nextList(scope).catch((error: unknown) => {
        if (!this.#stop.signal.aborted) {
          log.warn("listing failed; retrying with the next poll", { scope: scope.name, error });
        }
      });
    });
    scope.timer = { dueAt, cancel };
  }
}

/** Waits no longer than the signal allows; the work itself continues for others. */
const abortable = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
};
