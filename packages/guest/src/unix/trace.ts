import type { Value } from "./shell-array.ts";
import { inSingleQuotes } from "./quoting.ts";

const quoted = (word: string): string =>
  /^[\w@%+=:,./^-]+$/.test(word) ? word : word === "" ? "''" : inSingleQuotes(word);

/** Returns the line that a shell prints before a command while `set -x` is on. */
export const traced = (words: readonly string[], assigned: ReadonlyMap<string, Value>): string => {
  const values = [...assigned].map(([name, value]) => {
    if (typeof value === "string") return `${name}=${value === "" ? "" : quoted(value)}`;
    return `${name}=(${[...value.entries.values()].map(quoted).join(" ")})`;
  });
  const isTogether = words.length > 0;
  const lines = isTogether ? [[...values, ...words.map(quoted)].join(" ")] : values;
  return lines.map((line) => `+ ${line}\n`).join("");
};
