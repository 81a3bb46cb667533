/** However long a cloud or a store asks to be left alone, it is retried after this time. */
export const longestWaitMs = 600_000;

/** Limit of calls of one kind. */
export interface RateRule {
  /** Calls at once after a pause, or in one window. */
  readonly burst: number;
  /** Refills so fast. One of `perSecond` and `windowMs` is given. */
  readonly perSecond?: number;
  /** Refills as a whole after this time, in milliseconds. */
  readonly windowMs?: number;
}

/** Remaining quota, as reported by a response. */
export interface RateLeft {
  /** Calls after the one that was answered. */
  readonly remaining: number;
  /** Calls in a whole window, or at once. Default: as known. */
  readonly limit?: number;
  /** When a window is refilled, in milliseconds since the epoch. */
  readonly resetAt?: number;
}

/** Windows of others begin later than they say, because clocks differ. */
const graceMs = 1000;
/** Until a limit that is used up is looked at again, where no one has said how it refills. */
const unknownRefillMs = 1000;
/** From so many calls in flight without a refusal on, any number may be. */
const calmWindow = 32;

/** One limit, as far as it is known: by rule, by what answers say is left, and by refusals. */
export class RateBucket {
  #rule: RateRule | undefined;
  #level: number;
  #at: number;
  #heldUntil = 0;
  #refillAt: number | undefined;
  #inFlight = 0;
  /** Calls that may be in flight. After a refusal one call goes first, then two, and so on. */
  #window: number;

  constructor(rule: RateRule | undefined, options: { readonly now: number; readonly firstAlone: boolean }) {
    this.#rule = rule;
    this.#level = rule?.burst ?? Number.POSITIVE_INFINITY;
    this.#at = options.now;
    const isLearned = rule?.perSecond === undefined;
    this.#window = options.firstAlone && isLearned ? 1 : Number.POSITIVE_INFINITY;
  }

  /** Calls in one window, or at once. */
  get burst(): number {
    return this.#rule?.burst ?? Number.POSITIVE_INFINITY;
  }

  get windowMs(): number | undefined {
    return this.#rule?.windowMs;
  }

  /** As many calls are in flight as may be: an answer decides. */
  get isFull(): boolean {
    return this.#inFlight >= this.#window;
  }

  /** Nothing is known of it, and nothing is going on. */
  isForgettable(now: number): boolean {
    return this.#rule === undefined && this.#inFlight === 0 && this.#heldUntil <= now && !Number.isFinite(this.#window);
  }

  /** Milliseconds until nothing more holds calls as a whole: a refusal, or a window at its end. 0: nothing does. */
  heldMs(now: number): number {
    this.#refresh(now);
    const refillMs = this.#level < 1 && this.#refillAt !== undefined ? this.#refillAt - now : 0;
    return Math.max(this.#heldUntil - now, refillMs, 0);
  }

  /** Milliseconds until so many calls may be made. */
  waitMs(calls: number, now: number): number {
    const heldMs = this.heldMs(now);
    if (heldMs > 0) return heldMs;
    const missing = Math.min(calls, this.burst) - this.#level;
    if (missing <= 0) return 0;
    const { perSecond } = this.#rule ?? {};
    return perSecond === undefined ? unknownRefillMs : Math.ceil((missing * 1000) / perSecond);
  }

  take(now: number): void {
    this.#refresh(now);
    if (this.windowMs !== undefined) this.#refillAt ??= now + this.windowMs;
    this.#level -= 1;
    this.#inFlight += 1;
  }

  /** A call ended, with whatever answer. */
  ended(): void {
    this.#inFlight -= 1;
  }

  /** A call was not made. */
  giveBack(): void {
    this.#level = Math.min(this.burst, this.#level + 1);
  }

  /** A call was not refused. */
  accepted(): void {
    this.#window = this.#window >= calmWindow ? Number.POSITIVE_INFINITY : this.#window * 2;
  }

  /** Called with the remaining quota of a response. Calls in flight are subtracted. */
  learn({ limit, remaining, resetAt }: RateLeft, now: number): void {
    this.#refresh(now);
    // Without a word on how it refills, a limit is not worth knowing.
    if (resetAt === undefined && this.#rule === undefined) return;
    const before = this.#rule?.burst ?? remaining;
    const burst = Math.max(limit ?? before, remaining);
    if (burst !== this.#rule?.burst) this.#rule = { ...this.#rule, burst };
    const left = remaining - this.#inFlight;
    // Answers come in another order than calls were counted in: what was known to be less is.
    const isMore = resetAt !== undefined || remaining > before;
    this.#level = isMore ? left : Math.min(this.#level, left);
    if (resetAt !== undefined) this.#refillAt = Math.min(resetAt + graceMs, now + longestWaitMs);
  }

  /** A call was refused: others would be, too. */
  refused(ms: number, now: number): void {
    this.hold(ms, now);
    if (this.#rule?.perSecond !== undefined) this.#level = Math.min(this.#level, 0);
    this.#window = 1;
  }

  /** Holds calls for so long, and never for longer than the longest wait. */
  hold(ms: number, now: number): void {
    this.#refresh(now);
    this.#heldUntil = Math.max(this.#heldUntil, now + Math.min(ms, longestWaitMs));
  }

  #refresh(now: number): void {
    const { burst = Number.POSITIVE_INFINITY, perSecond = 0 } = this.#rule ?? {};
    if (this.#refillAt !== undefined && now >= this.#refillAt) {
      this.#level = burst;
      this.#refillAt = undefined;
    }
    this.#level = Math.min(burst, this.#level + ((now - this.#at) * perSecond) / 1000);
    this.#at = now;
  }
}
