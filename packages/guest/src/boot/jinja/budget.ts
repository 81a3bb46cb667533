import type { Effort } from "@capstan/evaluation";

/** Steps, characters and items that rendering one document may take beside those of the document itself: below 50 ms. */
const most = 4_000_000;

/** Cost of a step, in characters. */
const stepCost = 100;

/** The same of documents that are rendered at once. */
const mostAtOnce = 500_000;

/** Counts what rendering costs before it is spent. */
export class Budget {
  #left: number;

  constructor(document: string, effort: Effort) {
    this.#left = (effort === "short" ? mostAtOnce : most) + document.length;
  }

  /** True if more was asked for than there was. */
  get isSpent(): boolean {
    return !(this.#left >= 0);
  }

  /** Pays for a step that handles as many characters or items. Throws when too much was spent. */
  pay(size: number): void {
    this.#left -= stepCost + size;
    if (!(this.#left >= 0)) throw new Error("it takes too many steps or makes too long a text");
  }
}
