/** Steps, characters and items that rendering one document may take beside those of the document itself: below 50 ms. */
const most = 4_000_000;

/** What a step costs in characters. */
const stepCost = 100;

/** Counts what rendering costs before it is spent. */
export class Budget {
  #left: number;

  constructor(document: string) {
    this.#left = most + document.length;
  }

  /** Pays for a step that handles as many characters or items. Throws when too much was spent. */
  pay(size: number): void {
    this.#left -= stepCost + size;
    if (!(this.#left >= 0)) throw new Error("it takes too many steps or makes too long a text");
  }
}
