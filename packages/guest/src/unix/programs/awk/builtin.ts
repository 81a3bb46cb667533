import type { Value } from "./values.ts";

const calculations: Readonly<Record<string, (value: number) => number>> = {
  int: Math.trunc,
  sqrt: Math.sqrt,
  exp: Math.exp,
  log: Math.log,
  sin: Math.sin,
  cos: Math.cos,
};

const part = (text: string, from: number, length: number): string => {
  const start = Math.round(from);
  const end = length === Infinity ? Infinity : start + Math.round(length);
  return Array.from(text)
    .slice(Math.max(start, 1) - 1, Math.max(end - 1, 0))
    .join("");
};

/** Returns the result of an awk function that only needs its arguments, read by position as `text` or `number`. Throws for others. */
export const builtin = (
  name: string,
  text: (at: number) => string,
  number: (at: number) => number,
  count: number,
): Value => {
  switch (name) {
    case "substr":
      return part(text(0), number(1), count > 2 ? number(2) : Infinity);
    case "index":
      return text(0).indexOf(text(1)) + 1;
    case "toupper":
      return text(0).toUpperCase();
    case "tolower":
      return text(0).toLowerCase();
    case "close":
    case "fflush":
      return 0;
    default: {
      const calculate = calculations[name];
      if (calculate !== undefined) return calculate(number(0));
      const known = ["rand", "srand", "system", "systime"];
      throw new Error(known.includes(name) ? `${name}() is not modelled` : `line 1: function ${name} never defined`);
    }
  }
};
