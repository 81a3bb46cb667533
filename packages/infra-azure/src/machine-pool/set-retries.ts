/** Between two tries: what the fix is, such as more quota, is not seen from here. */
const pauseMs = 300_000;

/** Scale sets that could not make all of their machines, and when each is retried. Another process begins to wait again. */
export class SetRetries {
  /** When the last try failed, or was begun, by uid of the object. */
  readonly #since = new Map<string, number>();

  /** Returns the time until the next retry in milliseconds; 0 means that it is due, and counts it as begun. */
  waitMs(uid: string, now: number): number {
    const since = this.#since.get(uid);
    if (since === undefined) {
      this.#since.set(uid, now);
      return pauseMs;
    }
    const left = Math.max(0, since + pauseMs - now);
    if (left === 0) this.#since.set(uid, now);
    return left;
  }

  /** All is well, or the object is gone. */
  forget(uid: string): void {
    this.#since.delete(uid);
  }
}
