const shownLines = 20;
const contextLines = 3;

/** The lines from the first to the last difference of two texts, in the style of a unified diff, cut when long. */
export const differingLines = (before: string, after: string): string => {
  const old = before.split("\n");
  const wanted = after.split("\n");
  let start = 0;
  while (start < old.length && start < wanted.length && old[start] === wanted[start]) start += 1;
  let same = 0;
  while (
    same < Math.min(old.length, wanted.length) - start &&
    old[old.length - 1 - same] === wanted[wanted.length - 1 - same]
  ) {
    same += 1;
  }
  const removed = old.slice(start, old.length - same);
  const added = wanted.slice(start, wanted.length - same);
  return [
    `@@ line ${start + 1} @@`,
    ...old.slice(Math.max(0, start - contextLines), start).map((line) => `  ${line}`),
    ...cut(removed).map((line) => `- ${line}`),
    ...cut(added).map((line) => `+ ${line}`),
  ].join("\n");
};

const cut = (lines: readonly string[]): readonly string[] =>
  lines.length <= shownLines ? lines : [...lines.slice(0, shownLines), `... ${lines.length - shownLines} more`];
