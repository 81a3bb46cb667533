import type { Budget } from "./budget.ts";
import { shown, sizeOf, textOf, type Value } from "./value.ts";

/** A text as many times as said. */
export const filled = (text: string, count: number, budget: Budget): string => {
  budget.pay(text.length * Math.max(0, count));
  return text.repeat(Math.max(0, Math.trunc(count)));
};

export const joined = (separator: string, items: readonly Value[], budget: Budget): string => {
  budget.pay(items.length * separator.length + sizeOf(items));
  return items.map(shown).join(separator);
};

/** Python's `replace`: the first `count` occurrences, all when that is negative. */
export const replaced = (text: string, [old, by]: readonly [string, string], count: number, budget: Budget): string => {
  budget.pay(text.length);
  const parts = old === "" ? ["", ...Array.from(text), ""] : text.split(old);
  const times = count < 0 ? parts.length - 1 : Math.min(count, parts.length - 1);
  budget.pay(text.length + times * by.length);
  return [parts.slice(0, times + 1).join(by), ...parts.slice(times + 1)].join(old);
};

/** A text without blanks, or without the given characters, at its ends. */
export const stripped = (text: string, characters: Value | undefined, side: "both" | "left" | "right"): string => {
  const cut = characters === undefined || characters === null ? undefined : new Set(textOf(characters, "chars"));
  const goes = (index: number): boolean => {
    const letter = text[index] ?? "";
    return cut === undefined ? /\s/.test(letter) : cut.has(letter);
  };
  let [begin, end] = [0, text.length];
  if (side !== "right") while (begin < end && goes(begin)) begin += 1;
  if (side !== "left") while (end > begin && goes(end - 1)) end -= 1;
  return text.slice(begin, end);
};

/** Python's `split`: at blanks without a separator. */
export const split = (text: string, separator: Value | undefined, most: number): readonly string[] => {
  const isBlank = separator === undefined || separator === null;
  if (!isBlank && textOf(separator, "the separator") === "") throw new Error("the separator of split is empty");
  const parts = isBlank
    ? text.split(/\s+/).filter((part) => part !== "")
    : text.split(textOf(separator, "the separator"));
  if (most < 0 || parts.length <= most + 1) return parts;
  return [...parts.slice(0, most), parts.slice(most).join(isBlank ? " " : textOf(separator, "the separator"))];
};
