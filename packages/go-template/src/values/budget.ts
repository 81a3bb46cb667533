import { isList, isMap } from "./kinds.ts";

/** Units in which renderings are charged: about a character that is copied, and at most 50 ms for all of them. */
const defaultUnits = 4_000_000;

/** An item costs more than a character. */
const itemUnits = 8;

/** What a rendering, or several together, may still cost. Characters and items are paid for before they are handled. */
export class Budget {
  #left: number;

  constructor(units: number = defaultUnits) {
    this.#left = units;
  }

  /** Throws when there is not so much left. */
  pay(units: number): void {
    this.#left -= units;
    if (!(this.#left >= 0)) throw new Error("the template handles too many characters and items");
  }

  /** Pays for all characters and items of a value, each as often as it would be printed; one without end is too large. */
  payFor(value: unknown, weight = 1, depth = 0): void {
    if (typeof value === "string") return this.pay(weight * value.length);
    this.pay(itemUnits * weight);
    if (depth > deepestValue) throw new Error("a value is nested too deep");
    if (isList(value)) for (const item of value) this.payFor(item, weight, depth + 1);
    else if (isMap(value)) {
      for (const key of Object.keys(value)) {
        this.pay(weight * key.length);
        this.payFor(value[key], weight, depth + 1);
      }
    }
  }
}

/** Lists and maps in one another. */
const deepestValue = 500;
