import { FairQueue } from "@capstan/evaluation";

/** Milliseconds of work before the event loop looks at its connections again. */
const longestMs = 10;

/** Asked before each piece of work, which takes a few milliseconds at most. */
export interface Turn {
  /**
   * `undefined` when the piece may be done now, else a promise that resolves when it may. The piece ends where it waits for anything
   * other than promises that resolve at once.
   */
  readonly wait: () => Promise<void> | undefined;
  /** Returns whether a piece may be done at once by a caller that does it before it asks for anything else. */
  readonly hasRoom: () => boolean;
}

/**
 * Divides the event loop among those who have work for it. In one turn of the loop pieces of work are done until 10 ms are spent; what is
 * left waits by flow, and flows take turns, so that a thousand requests of one user delay another user's by a few pieces.
 */
export class FairTurns {
  readonly #now: () => number;
  readonly #waiting = new FairQueue<{ readonly flow: string; readonly go: () => void }>();
  /** When the first piece of this turn of the loop began; `undefined` before it. */
  #began: number | undefined;
  #isArmed = false;
  /** A piece is under way. */
  #isGranted = false;

  /** `now` is in milliseconds, from any start. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The turns of one flow: a user. */
  of(flow: string): Turn {
    const mayGo = (): boolean => this.#hasTime() && this.#waiting.waiting(flow) === 0;
    return {
      hasRoom: mayGo,
      wait: () => {
        if (mayGo() && !this.#isGranted) {
          this.#grant();
          return undefined;
        }
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#waiting.add({ flow, go: resolve });
        return promise;
      },
    };
  }

  #hasTime(): boolean {
    const now = this.#now();
    this.#began ??= now;
    this.#arm();
    return now - this.#began < longestMs;
  }

  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    setImmediate(() => {
      this.#isArmed = false;
      this.#began = undefined;
      this.#next();
    });
  }

  /** The next piece may be done when the one that is granted here has done everything that it does before it waits. */
  #grant(): void {
    this.#isGranted = true;
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#isGranted = false;
        this.#next();
      }),
    );
  }

  #next(): void {
    if (this.#isGranted || this.#waiting.isEmpty || !this.#hasTime()) return;
    this.#waiting.take(() => true)?.go();
    this.#grant();
  }
}
