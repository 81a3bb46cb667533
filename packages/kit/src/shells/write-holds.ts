import type { Clock } from "@capstan/contract";
import { CapstanError, isCapstanError } from "@capstan/contract";

/** Remembers, by object, how long the outside world asked not to be called again. */
export class WriteHolds {
  readonly #clock: Clock;
  readonly #holds = new Map<string, { readonly until: number; readonly error: CapstanError }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws the error that asked for the wait again, with the time that is left, while it is not over. */
  check(uid: string): void {
    const hold = this.#holds.get(uid);
    if (hold === undefined) return;
    const left = hold.until - this.#clock.now();
    if (left <= 0) {
      this.#holds.delete(uid);
      return;
    }
    const { code, details, message, reason } = hold.error;
    throw new CapstanError({ code, reason, message, details, retry: { kind: "after", ms: left }, cause: hold.error });
  }

  note(uid: string, error: unknown): void {
    if (!isCapstanError(error) || error.retry.kind !== "after") return;
    this.#holds.set(uid, { until: this.#clock.now() + error.retry.ms, error });
  }

  forget(uid: string): void {
    this.#holds.delete(uid);
  }
}
