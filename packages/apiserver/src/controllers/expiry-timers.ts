import type { Clock } from "@capstan/contract";

/** The longest wait of a timer; longer ones are made of several. */
const longestMs = 2 ** 31 - 1;

/** One timer per key. */
export class ExpiryTimers {
  readonly #clock: Clock;
  readonly #expire: (key: string) => void;
  readonly #timers = new Map<string, () => void>();

  constructor(clock: Clock, expire: (key: string) => void) {
    this.#clock = clock;
    this.#expire = expire;
  }

  /** Expires the key at a time in milliseconds since the epoch; replaces what was set before. */
  set(key: string, at: number): void {
    this.clear(key);
    const wait = Math.max(0, at - this.#clock.now());
    const next = wait > longestMs ? () => this.set(key, at) : () => this.#fire(key);
    this.#timers.set(key, this.#clock.schedule(Math.min(wait, longestMs), next));
  }

  clear(key: string): void {
    this.#timers.get(key)?.();
    this.#timers.delete(key);
  }

  clearAll(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #fire(key: string): void {
    this.#timers.delete(key);
    this.#expire(key);
  }
}
