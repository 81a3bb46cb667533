/** Maximum number of bytes that may wait for slow clients: for those of one user, and for all. */
export interface WaitingLimits {
  readonly perUser: number;
  readonly inAll: number;
}

const mebibyte = 2 ** 20;
const defaultLimits: WaitingLimits = { perUser: 256 * mebibyte, inAll: 512 * mebibyte };

/** The bytes of answers that clients have not taken yet, by user. */
export class WaitingBytes {
  readonly #limits: WaitingLimits;
  readonly #byUser = new Map<string, number>();
  #all = 0;

  constructor(limits: WaitingLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** Counts bytes that begin to wait, or, when negative, wait no longer. */
  add(user: string, bytes: number): void {
    const own = (this.#byUser.get(user) ?? 0) + bytes;
    this.#all += bytes;
    if (own === 0) {
      this.#byUser.delete(user);
    } else {
      this.#byUser.set(user, own);
    }
  }

  /** Returns whether so many more of that user would be too many. */
  isFull(user: string, more = 0): boolean {
    return (this.#byUser.get(user) ?? 0) + more > this.#limits.perUser || this.#all + more > this.#limits.inAll;
  }
}
