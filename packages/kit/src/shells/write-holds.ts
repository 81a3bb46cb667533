import type { Clock } from "@capstan/contract";
import { CapstanError, isCapstanError } from "@capstan/contract";

/** Remembers, by object, how long the outside world asked not to be called again. */
export class WriteHolds {
  readonly #clock: Clock;
  readonly #holds = new Map<string, { readonly until: number; readonly error: CapstanError }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does the work, unless the wait is not over: then the error that asked for it is thrown again, with the time that is left. */
  async around<T>(id: string, work: () => Promise<T>): Promise<T> {
    this.#check(id);
    try {
      return await work();
    } catch (error) {
      if (isCapstanError(error) && error.retry.kind === "after") {
        this.#holds.set(id, { until: this.#clock.now() + error.retry.ms, error });
      }
      throw error;
    }
  }

  forget(id: string): void {
    this.#holds.delete(id);
  }

  #check(id: string): void {
    const hold = this.#holds.get(id);
    if (hold === undefined) return;
    const left = hold.until - this.#clock.now();
    if (left <= 0) {
      this.#holds.delete(id);
      return;
    }
    const { code, details, message, reason } = hold.error;
    throw new CapstanError({ code, reason, message, details, retry: { kind: "after", ms: left }, cause: hold.error });
  }
}
