import type { Clock, Logger } from "@capstan/contract";

/** What happens by itself after a while: one timer per id; the state is saved after each. */
export class Timers {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #save: () => Promise<void>;
  readonly #pending = new Map<number, () => void>();

  constructor(options: { readonly clock: Clock; readonly log: Logger; readonly save: () => Promise<void> }) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#save = options.save;
  }

  /** A later call with the same id replaces the earlier one. */
  later(id: number, ms: number, then: () => void): void {
    this.#pending.get(id)?.();
    const cancel = this.#clock.schedule(ms, () => {
      this.#pending.delete(id);
      then();
      this.#save().catch((error: unknown) => {
        this.#log.error("state could not be saved", { error: String(error) });
      });
    });
    this.#pending.set(id, cancel);
  }

  cancelAll(): void {
    for (const cancel of this.#pending.values()) cancel();
    this.#pending.clear();
  }
}
