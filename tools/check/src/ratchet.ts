import type { FileTree } from "./file-tree.ts";
import type { Finding } from "./repository.ts";

const path = "tools/check/ratchet.json";

/** Maximum number of occurrences of things that we are getting rid of. A count may go down, never up. */
export type Ratchet = Readonly<Record<string, number>>;

/** Returns the limits on record, or none when the file is missing. */
const readRatchet = (tree: FileTree): Ratchet => JSON.parse(tree.read(path) ?? "{}") as Ratchet;

/** One finding for each count that is above its limit; a name without a limit must not occur. */
export const aboveLimit = (
  rule: string,
  tree: FileTree,
  counts: Ratchet,
  advice: (name: string) => string,
): readonly Finding[] => {
  const limits = readRatchet(tree);
  return Object.entries(counts).flatMap(([name, count]) => {
    const limit = limits[name] ?? 0;
    if (count <= limit) return [];
    return [
      { rule, where: path, message: `"${name}" occurs ${count} times, at most ${limit} allowed: ${advice(name)}` },
    ];
  });
};

/** The text of the file with every limit lowered to its count. Limits are never raised. */
export const lowered = (tree: FileTree, counts: Ratchet): string => {
  const limits = readRatchet(tree);
  const entries = Object.entries(counts).map(([name, count]) => [name, Math.min(count, limits[name] ?? count)]);
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
};
