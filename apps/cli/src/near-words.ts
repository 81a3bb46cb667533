/** Counts the letters to add, drop, change or swap with the next one to turn one word into another. */
const distance = (from: string, to: string): number => {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line++) {
    const next: number[] = [line];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[line - 1] === to[column - 1];
      const isSwapped = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1];
      next.push(
        Math.min(
          (row[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (row[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] ?? Infinity) + 1 : Infinity,
        ),
      );
    }
    before = row;
    row = next;
  }
  return row[to.length] ?? 0;
};

/** More are no help. */
const most = 3;

/** Longer words are no one's typing. */
const longest = 253;

/** The candidates that someone who typed `word` may have meant, the nearest first: at most a third of its letters wrong, or cut off. */
export const nearWords = (word: string, candidates: readonly string[]): readonly string[] => {
  if (word.length > longest) return [];
  return [...new Set(candidates)]
    .map((candidate) => ({
      candidate,
      wrong:
        word.length > 2 && candidate.length > word.length && candidate.startsWith(word) ? 1 : distance(word, candidate),
    }))
    .filter(({ candidate, wrong }) => wrong <= Math.min(3, Math.max(word.length, candidate.length) / 3))
    .toSorted((a, b) => a.wrong - b.wrong || a.candidate.length - b.candidate.length)
    .filter(({ wrong }, _index, [nearest]) => wrong <= (nearest?.wrong ?? 0) + 1)
    .slice(0, most)
    .map(({ candidate }) => candidate);
};

/** `a`, `a or b`, `a, b or c`. */
export const anyOf = (words: readonly string[]): string =>
  [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" or ");
