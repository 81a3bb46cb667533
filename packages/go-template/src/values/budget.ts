import { isList, isMap } from "./kinds.ts";

/** Units in which templates are charged: about a character that is copied, and about 50 ms for all of them. */
const defaultUnits = 4_000_000;

/** Budget that nearly all templates stay below, and that takes no more than 50 ms even on the first run. */
export const shortUnits = 500_000;

/** Cost of copying a value of the data: values are copied before a template may change them. */
const copiedUnits = 80;

/** An item costs more than a character. */
const itemUnits = 8;

/**
 * Remaining budget of a template, or of several together. Characters and items are paid for before they are handled.
 */
export class Budget {
  #left: number;

  constructor(units: number = defaultUnits) {
    this.#left = units;
  }

  /** True if more was asked for than there was; what failed since says nothing about the template. */
  get isSpent(): boolean {
    return !(this.#left >= 0);
  }

  /** Throws when there is not so much left. */
  pay(units: number): void {
    this.#left -= units;
    if (!(this.#left >= 0)) throw new Error("the template handles too many characters and items");
  }

  /** Pays for a copy of data: characters are not copied. */
  payForCopy(value: unknown, depth = 0): void {
    this.pay(copiedUnits);
    if (typeof value !== "object" || value === null) return;
    if (depth > deepestValue) throw new Error("a value is nested too deep");
    for (const item of Object.values(value)) this.payForCopy(item, depth + 1);
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
