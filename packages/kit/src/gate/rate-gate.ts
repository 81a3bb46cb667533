import type { Clock } from "@capstan/contract";
import type { RateLeft, RateRule } from "./rate-bucket.ts";
import { RateBucket } from "./rate-bucket.ts";
import { Tickets } from "./tickets.ts";
import type { Turn } from "./turn.ts";
import { TurnCosts } from "./turn-costs.ts";

export interface RateGateOptions {
  readonly clock: Clock;
  /** Limits that are known before any answer, by the names that calls are counted under. */
  readonly rules?: Readonly<Record<string, RateRule>>;
  /** While no answer has told of a limit that is refilled as a whole, one call goes first. Default false. */
  readonly firstAlone?: boolean;
  /** Calls that would wait longer than this in total are rejected immediately. Default 5 000 ms. */
  readonly longestHoldMs?: number;
  /** The error of a call that is refused; it has to say that the caller comes back after `ms`. */
  readonly refusal: (counted: string, ms: number) => Error;
}

/** A call that wants to be made. */
export interface GatedCall {
  /** The names of the limits that it counts in. */
  readonly counts: readonly string[];
  /** It creates, changes or deletes something. */
  readonly writes: boolean;
  /** The visit that it is part of. Without one it is work that others wait for. */
  readonly turn?: Turn | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A call that is being made. One of its methods is called once, when it has ended. */
export interface RatePass {
  /** An answer came. `left`: what it says of limits. `holdMs`: limits of which the answer says that others had better wait. */
  answered(said?: {
    readonly left?: Readonly<Record<string, RateLeft>>;
    readonly holdMs?: Readonly<Record<string, number>>;
  }): void;
  /** The cloud refused it, since limits of these names are used up; they are not for so long. */
  refused(counts: readonly string[], ms: number): void;
  /** No answer came. */
  failed(): void;
  /** It was not made after all: others may make one in its place. */
  unused(): void;
}

interface Waiter {
  readonly call: GatedCall;
  readonly since: number;
  readonly admit: (pass: RatePass) => void;
  readonly refuse: (error: unknown) => void;
}

/** An idle visit that waits so long is idle no more. */
const patienceMs = 10_000;
/** Flows remembered. */
const keptFlows = 1000;

/**
 * A fair queue before an API with limits: one for each account whose calls the API counts together. A call waits until there is room for
 * it. Writes go first, and then the calls of visits that have begun; a visit begins when there is room for all calls that visits of its
 * kind take, and visits of objects that are as they should be begin last. Among equals the flow goes first that has had the fewest calls.
 * After a refusal the gate opens again with one call, so that not all who waited are refused once more.
 */
export class RateGate {
  readonly #options: RateGateOptions;
  readonly #buckets = new Map<string, RateBucket>();
  readonly #waiting: Waiter[] = [];
  readonly #costs = new TurnCosts(() => this.#pump());
  readonly #tickets = new Tickets();
  /** Calls that each flow has had; one that comes back after a pause begins where the others are. */
  readonly #served = new Map<string, number>();
  #servedLast = 0;
  #timer: (() => void) | undefined;

  constructor(options: RateGateOptions) {
    this.#options = options;
    for (const name of Object.keys(options.rules ?? {})) this.#bucket(name);
  }

  /**
   * Resolves when the call may be made. Rejects with `refusal` when a limit is held for longer than the longest hold, and with the
   * signal's reason when that is aborted first.
   */
  admit(call: GatedCall): Promise<RatePass> {
    const { signal } = call;
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const onAbort = (): void => this.#leave(waiter, signal?.reason);
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          signal?.removeEventListener("abort", onAbort);
          settle(value);
        };
      const since = this.#options.clock.now();
      const waiter: Waiter = { call, since, admit: settled(resolve), refuse: settled(reject) };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(waiter);
      this.#pump();
    });
  }

  #leave(waiter: Waiter, error: unknown): void {
    const index = this.#waiting.indexOf(waiter);
    if (index >= 0) this.#waiting.splice(index, 1);
    waiter.refuse(error);
    this.#pump();
  }

  /** Admits waiting calls, rejects those that would wait too long, and reschedules itself for the next one. */
  #pump(): void {
    this.#timer?.();
    this.#timer = undefined;
    const now = this.#options.clock.now();
    for (;;) {
      this.#refuseHeld(now);
      const { next, waitMs } = this.#choose(now);
      if (next === undefined) {
        if (!Number.isFinite(waitMs)) return;
        this.#timer = this.#options.clock.schedule(Math.max(waitMs, 1), () => this.#pump());
        return;
      }
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      next.admit(this.#begin(next.call, now));
    }
  }

  /** The first in order that may go; otherwise how long until one may. */
  #choose(now: number): { readonly next?: Waiter; readonly waitMs: number } {
    const ordered = this.#waiting
      .map((waiter, index) => ({ waiter, index, rank: this.#rank(waiter, now), served: this.#servedOf(waiter.call) }))
      .toSorted((a, b) => a.rank - b.rank || a.served - b.served || a.index - b.index);
    /** Limits that an earlier call waits for: later calls must not use them up. */
    const closed = new Set<string>();
    let waitMs = Number.POSITIVE_INFINITY;
    for (const { waiter } of ordered) {
      const { counts } = waiter.call;
      if (counts.some((name) => closed.has(name))) continue;
      const blocked = counts
        .map((name) => ({ name, ms: this.#waitOf(name, waiter.call, now) }))
        .filter(({ ms }) => ms > 0);
      if (blocked.length === 0) return { next: waiter, waitMs: 0 };
      waitMs = Math.min(waitMs, Math.max(...blocked.map(({ ms }) => ms)));
      for (const { name } of blocked) closed.add(name);
    }
    return { waitMs };
  }

  /** Milliseconds until a limit lets a call pass; infinite where an answer decides. */
  #waitOf(name: string, { turn, writes }: GatedCall, now: number): number {
    const bucket = this.#bucket(name);
    if (bucket.isFull) return Number.POSITIVE_INFINITY;
    const one = bucket.waitMs(1, now);
    if (one > 0 || writes || turn === undefined || turn.over || this.#costs.hasBegun(turn)) return one;
    const reserved = this.#costs.reserved(name);
    return reserved === 0 ? 0 : bucket.waitMs(reserved + this.#costs.expected(turn, name), now);
  }

  #rank({ call: { turn, writes }, since }: Waiter, now: number): number {
    if (writes) return 0;
    if (turn === undefined || turn.over || this.#costs.hasBegun(turn)) return 1;
    return turn.idle && now - since < patienceMs ? 3 : 2;
  }

  #begin({ counts, turn, writes }: GatedCall, now: number): RatePass {
    const buckets = counts.map((name) => this.#bucket(name));
    for (const bucket of buckets) bucket.take(now);
    if (turn !== undefined) {
      this.#serve(turn.flow);
      this.#tickets.redeem(turn.key);
      if (!writes && !turn.over) this.#costs.note(turn, counts);
    }
    let isOpen = true;
    const ending = (then: (at: number) => void) => (): void => {
      if (!isOpen) return;
      isOpen = false;
      for (const bucket of buckets) bucket.ended();
      const at = this.#options.clock.now();
      then(at);
      for (const name of counts) if (this.#bucket(name).isForgettable(at)) this.#buckets.delete(name);
      this.#pump();
    };
    return {
      failed: ending(() => undefined),
      unused: ending(() => {
        for (const bucket of buckets) bucket.giveBack();
      }),
      answered: ({ holdMs = {}, left = {} } = {}) =>
        ending((at) => {
          for (const bucket of buckets) bucket.accepted();
          for (const [name, said] of Object.entries(left)) this.#bucket(name).learn(said, at);
          for (const [name, ms] of Object.entries(holdMs)) this.#bucket(name).hold(ms, at);
        })(),
      refused: (names, ms) =>
        ending((at) => {
          for (const name of names) this.#bucket(name).refused(ms, at);
        })(),
    };
  }

  #refuseHeld(now: number): void {
    const { longestHoldMs = 5000, refusal } = this.#options;
    if (![...this.#buckets.values()].some((bucket) => bucket.heldMs(now) > longestHoldMs)) return;
    const held = this.#waiting.flatMap((waiter) => {
      const [longest] = waiter.call.counts
        .map((name) => ({ waiter, name, ms: this.#bucket(name).heldMs(now) }))
        .toSorted((a, b) => b.ms - a.ms);
      return longest === undefined || longest.ms <= longestHoldMs ? [] : [longest];
    });
    for (const { ms, name, waiter } of held) {
      const { turn } = waiter.call;
      const bucket = this.#bucket(name);
      const laterMs = turn === undefined ? 0 : this.#tickets.laterMs(name, turn, { bucket, ms, now });
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      waiter.refuse(refusal(name, ms + laterMs));
    }
  }

  #servedOf({ turn }: GatedCall): number {
    return turn === undefined ? 0 : Math.max(this.#served.get(turn.flow) ?? 0, this.#servedLast);
  }

  #serve(flow: string): void {
    const before = Math.max(this.#served.get(flow) ?? 0, this.#servedLast);
    this.#servedLast = before;
    this.#served.delete(flow);
    this.#served.set(flow, before + 1);
    const [oldest] = this.#served.keys();
    if (this.#served.size > keptFlows && oldest !== undefined) this.#served.delete(oldest);
  }

  #bucket(name: string): RateBucket {
    const found = this.#buckets.get(name);
    if (found !== undefined) return found;
    const { clock, firstAlone = false, rules = {} } = this.#options;
    const made = new RateBucket(Object.hasOwn(rules, name) ? rules[name] : undefined, { now: clock.now(), firstAlone });
    this.#buckets.set(name, made);
    return made;
  }
}
