import type { Clock } from "@capstan/contract";
import { isCapstanError } from "@capstan/contract";
import type { ArmCall } from "../arm/arm-client.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import type { AzureResource } from "./azure-resource.ts";
import type { LookPlace } from "./look-place.ts";
import { groupKeyOf, lookPlaceOf, partIn } from "./look-place.ts";

/** A call of shared looks. `begun`: called when it is sent, after whatever it had to wait for. */
export interface LookCall extends ArmCall {
  readonly begun: () => void;
}

export interface SharedLooksOptions {
  readonly clock: Clock;
  /** Everything of a path; `undefined` when what holds it does not exist. */
  readonly list: (path: string, apiVersion: string, call: LookCall) => Promise<readonly AzureResource[] | undefined>;
  readonly get: (ref: ResourceRef, call: LookCall) => Promise<AzureResource | undefined>;
}

/** Result of a look, by ID in lower case. A list also shows which resources do not exist. */
interface Sight {
  readonly tick: number;
  readonly byId: ReadonlyMap<string, AzureResource | undefined>;
  /** True if the parent of the listed resources does not exist. */
  readonly isMissing?: boolean;
}

interface Taking {
  /** When it was sent, as a tick; `undefined`: it has not been yet, and whoever asks may share it. */
  tick: number | undefined;
  /** The IDs that it will show; `undefined`: any. */
  shows: ReadonlySet<string> | undefined;
  /** IDs that are asked for. */
  readonly wanted: Map<string, ResourceRef>;
  /** All is asked for. */
  wantsAll: boolean;
  readonly end: AbortController;
  waiting: number;
  result: Promise<Sight>;
}

interface Scope {
  readonly listed: LookPlace["listed"];
  whole?: Sight;
  readonly single: Map<string, Sight>;
  taking?: Taking;
  following?: Taking;
  startedAt?: number;
  /** Until then no one tries to list it: its principal may not. */
  unlistedUntil?: number;
}

/** At most one look at a place starts in this time, so that those who come meanwhile share the next one. */
const gapMs = 500;
/** A visit under way does not use what was seen before this time. */
const keptMs = 60_000;
/** Who may not list something may perhaps some time later. */
const unlistedMs = 600_000;

/** One visit's view: it sees nothing from before it began, nor from before its own writes. */
export interface VisitLooks {
  /** Everything of a path; `undefined` when what holds it does not exist. */
  list(path: string, apiVersion: string, call: ArmCall): Promise<readonly AzureResource[] | undefined>;
  find(ref: ResourceRef, call: ArmCall): Promise<AzureResource | undefined>;
  /** Records that the resource with this ID was changed. */
  wrote(id: string): void;
  /** Records that the resource with this ID was created or changed, and its state since. */
  made(id: string, resource: AzureResource): void;
  /** Something goes, and with it what others say of it: nothing that was seen before counts. */
  readonly removed: () => void;
}

/**
 * Looks at resources, shared by all who act as one principal in a subscription. Several of one type and group are read by one list, one
 * alone by itself, and parts with what they are part of. Time is counted in ticks: a look may only answer a question that was asked
 * before it was sent, so whoever asks while it waits for its turn shares it.
 */
export class SharedLooks {
  readonly #options: SharedLooksOptions;
  readonly #scopes = new Map<string, Scope>();
  #tick = 0;

  constructor(options: SharedLooksOptions) {
    this.#options = options;
  }

  visit(): VisitLooks {
    let since = this.#next();
    let wroteLast = since;
    const wrote = new Map<string, number>();
    return {
      list: (path, apiVersion, call) => this.#list({ path, apiVersion }, { after: wroteLast, call }),
      find: (ref, call) => {
        const place = lookPlaceOf(ref);
        return this.#find(place, { after: Math.max(since, wrote.get(place.key) ?? 0), call });
      },
      wrote: (id) => {
        wroteLast = this.#next();
        wrote.set(lookPlaceOf({ id, type: "", apiVersion: "" }).key, wroteLast);
      },
      made: (id, resource) => this.#made(id, resource),
      removed: () => {
        since = this.#next();
        wroteLast = since;
      },
    };
  }

  #next(): number {
    this.#tick += 1;
    return this.#tick;
  }

  /** An answer to a write shows what it has made as a look would. Parts are seen in what they are part of. */
  #made(id: string, resource: AzureResource): void {
    const { key, part } = lookPlaceOf({ id, type: "", apiVersion: "" });
    const sight = { tick: this.#next(), byId: new Map([[id.toLowerCase(), resource]]) };
    if (part === undefined) this.#scopes.get(key)?.single.set(id.toLowerCase(), sight);
  }

  async #find(
    place: LookPlace,
    { after, call }: { readonly after: number; readonly call: ArmCall },
  ): Promise<AzureResource | undefined> {
    const scope = this.#scopeOf(place.key, place.listed);
    const id = place.whole.id.toLowerCase();
    if (this.#isGroupGone(id, after)) return undefined;
    const seen = newest(scope, id);
    const sight =
      seen !== undefined && seen.tick > after ? seen : await this.#take(scope, { ref: place.whole, after, call });
    const whole = sight.byId.get(id);
    return place.part === undefined || whole === undefined ? whole : partIn(whole, place.part);
  }

  async #list(
    listed: NonNullable<LookPlace["listed"]>,
    { after, call }: { readonly after: number; readonly call: ArmCall },
  ): Promise<readonly AzureResource[] | undefined> {
    const scope = this.#scopeOf(`list ${listed.path.toLowerCase()}`, listed);
    const isNew = scope.whole !== undefined && scope.whole.tick > after;
    const { byId, isMissing } = isNew ? scope.whole! : await this.#take(scope, { after, call });
    return isMissing === true ? undefined : [...byId.values()].filter((each) => each !== undefined);
  }

  #scopeOf(key: string, listed: LookPlace["listed"]): Scope {
    const scope = this.#scopes.get(key) ?? { listed, single: new Map<string, Sight>() };
    this.#scopes.set(key, scope);
    return scope;
  }

  /** Returns whether the group of a resource does not exist; then the resource does not either. */
  #isGroupGone(id: string, after: number): boolean {
    const group = groupKeyOf(id) ?? "";
    const seen = this.#scopes.get(group)?.single.get(group);
    return seen !== undefined && seen.tick > after && seen.byId.get(group) === undefined;
  }

  /** Joins a look that has not been sent yet, or was sent late enough; else there is another one. */
  #take(
    scope: Scope,
    { after, call, ref }: { readonly ref?: ResourceRef; readonly after: number; readonly call: ArmCall },
  ): Promise<Sight> {
    const id = ref?.id.toLowerCase() ?? "";
    const { following, taking } = scope;
    const isOfUse = (one: Taking | undefined): one is Taking =>
      one !== undefined &&
      !one.end.signal.aborted &&
      (one.tick === undefined || one.tick > after) &&
      (one.shows?.has(id) ?? true);
    const found = [taking, following].find(isOfUse);
    const joined = found ?? this.#begin(scope, following ?? taking, call);
    if (ref === undefined) joined.wantsAll = true;
    else joined.wanted.set(id, ref);
    return shared(joined, call.signal);
  }

  #begin(scope: Scope, before: Taking | undefined, { turn }: ArmCall): Taking {
    const taking: Taking = {
      tick: undefined,
      shows: undefined,
      wanted: new Map(),
      wantsAll: false,
      end: new AbortController(),
      waiting: 0,
      result: undefined as never,
    };
    const run = async (): Promise<Sight> => {
      await before?.result.catch(() => undefined);
      scope.taking = taking;
      if (scope.following === taking) delete scope.following;
      try {
        await this.#gap(scope, taking);
        return await this.#look(scope, taking, turn === undefined ? {} : { turn });
      } finally {
        if (scope.taking === taking) delete scope.taking;
        this.#forgetOld();
      }
    };
    if (before === undefined) scope.taking = taking;
    else scope.following = taking;
    taking.result = run();
    // Those who wait for it hear of it themselves.
    taking.result.catch(() => undefined);
    return taking;
  }

  /** Until the next look may be, and all who ask at this moment have asked. */
  async #gap({ startedAt }: Scope, { end }: Taking): Promise<void> {
    const { clock } = this.#options;
    const ms = startedAt === undefined ? 0 : startedAt + gapMs - clock.now();
    if (ms > 0) await clock.sleep(ms, { signal: end.signal });
    else await Promise.resolve();
  }

  async #look(scope: Scope, taking: Taking, turn: Pick<ArmCall, "turn">): Promise<Sight> {
    const { clock, get, list } = this.#options;
    const { listed } = scope;
    scope.startedAt = clock.now();
    const begun = (): void => {
      taking.tick ??= this.#next();
    };
    const call: LookCall = { ...turn, signal: taking.end.signal, begun };
    const { wanted, wantsAll } = taking;
    const mayList = listed !== undefined && (wantsAll || (scope.unlistedUntil ?? 0) <= clock.now());
    if (mayList && (wantsAll || wanted.size > 1)) {
      try {
        const items = await list(listed.path, listed.apiVersion, call);
        const byId = new Map((items ?? []).map((item) => [item.id.toLowerCase(), item]));
        const tick = taking.tick ?? this.#next();
        for (const [id, single] of scope.single) if (single.tick < tick) scope.single.delete(id);
        scope.whole = { tick, byId, isMissing: items === undefined };
        return scope.whole;
      } catch (error) {
        if (wantsAll || !isCapstanError(error, "azure.forbidden")) throw error;
        scope.unlistedUntil = clock.now() + unlistedMs;
      }
    }
    taking.shows = new Set(wanted.keys());
    const found = await Promise.all([...wanted].map(async ([id, ref]) => [id, await get(ref, call)] as const));
    const sight = { tick: taking.tick ?? this.#next(), byId: new Map(found) };
    for (const [id] of found) scope.single.set(id, sight);
    return sight;
  }

  #forgetOld(): void {
    const before = this.#options.clock.now() - keptMs;
    for (const [key, { following, startedAt = 0, taking, unlistedUntil }] of this.#scopes) {
      const isUsed = taking !== undefined || following !== undefined || (unlistedUntil ?? 0) > before;
      if (startedAt < before && !isUsed) this.#scopes.delete(key);
    }
  }
}

const newest = ({ single, whole }: Scope, id: string): Sight | undefined => {
  const alone = single.get(id);
  return alone !== undefined && alone.tick > (whole?.tick ?? 0) ? alone : whole;
};

/** A shared look continues until no one waits for it. */
const shared = async (taking: Taking, signal: AbortSignal): Promise<Sight> => {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  taking.waiting += 1;
  try {
    return await Promise.race([taking.result, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    taking.waiting -= 1;
    if (taking.waiting === 0 && signal.aborted) taking.end.abort(signal.reason);
  }
};
