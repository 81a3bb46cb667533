import type { Turn } from "./turn.ts";

/** Calls of one visit, by the limit that they count in. */
type Calls = Map<string, number>;

/** Visits of which nothing is known yet are expected to take so many calls. */
const unknownCost = 2;
/** Limits remembered: clouds that count the calls of each resource have a limit for each. */
const keptCosts = 1000;

/** The use of rate limits by visits that have begun, and the expected use of each kind of visit. */
export class TurnCosts {
  readonly #onEnd: () => void;
  readonly #begun = new Map<Turn, Calls>();
  /** By what is visited, and the limit. */
  readonly #usual = new Map<string, number>();

  /** `onEnd`: a visit has ended, and what it did not take is free. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  hasBegun(turn: Turn): boolean {
    return this.#begun.has(turn);
  }

  /** Takes down a call. */
  note(turn: Turn, counts: readonly string[]): void {
    const calls = this.#begun.get(turn) ?? this.#begin(turn);
    for (const name of counts) calls.set(name, (calls.get(name) ?? 0) + 1);
  }

  /** Calls that a visit is expected to take of a limit. */
  expected({ of }: Turn, name: string): number {
    return this.#usual.get(`${of} ${name}`) ?? unknownCost;
  }

  /** Calls that visits which have begun are still expected to take of a limit. */
  reserved(name: string): number {
    let calls = 0;
    for (const [turn, taken] of this.#begun) {
      const used = taken.get(name) ?? 0;
      if (used > 0) calls += Math.max(0, this.expected(turn, name) - used);
    }
    return calls;
  }

  #begin(turn: Turn): Calls {
    const calls: Calls = new Map();
    this.#begun.set(turn, calls);
    turn.onEnd(() => this.#end(turn, calls));
    return calls;
  }

  #end(turn: Turn, calls: Calls): void {
    this.#begun.delete(turn);
    for (const [name, used] of calls) {
      const key = `${turn.of} ${name}`;
      const usual = this.#usual.get(key) ?? used;
      this.#usual.delete(key);
      this.#usual.set(key, Math.ceil((usual * 3 + used) / 4));
      const [oldest] = this.#usual.keys();
      if (this.#usual.size > keptCosts && oldest !== undefined) this.#usual.delete(oldest);
    }
    this.#onEnd();
  }
}
