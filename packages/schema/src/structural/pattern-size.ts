/** Size of a Unicode class, by the time that compiling it takes. */
const unicodeClass = 200;

const repetition = /\{(\d{1,9})(?:,(\d{0,9}))?\}/y;

/** Returns the number of repetitions at a position, and where the repetition ends; `undefined` if there is none. */
const repeatedAt = (pattern: string, at: number): { readonly times: number; readonly end: number } | undefined => {
  repetition.lastIndex = at;
  const [whole, least, most] = repetition.exec(pattern) ?? [];
  return whole === undefined
    ? undefined
    : { times: Math.max(Number(least), Number(most ?? 0)), end: at + whole.length };
};

/** Where a class in brackets ends, and how many classes of Unicode it holds. */
const bracketed = (pattern: string, start: number): { readonly end: number; readonly classes: number } => {
  let at = pattern[start + 1] === "^" ? start + 2 : start + 1;
  let classes = 0;
  // A bracket that closes at once is one of its characters.
  for (const first = at; at < pattern.length && (pattern[at] !== "]" || at === first); at++) {
    if (pattern.startsWith("[:", at)) at = Math.max(at, pattern.indexOf(":]", at + 2) + 1);
    else if (pattern[at] === "\\") {
      at += 1;
      if (pattern[at] === "p" || pattern[at] === "P") classes += 1;
    }
  }
  return { end: at + 1, classes };
};

/**
 * Returns the approximate maximum number of instructions that a pattern of RE2 is compiled to: the cost of compiling
 * it, and of matching it against one character. Repetitions count as often as they repeat. Accepts any text, in time
 * that depends on its length only.
 */
export const patternSize = (pattern: string): number => {
  const outer: number[] = [];
  let size = 3;
  let last = 0;
  const add = (units: number): void => {
    size += units;
    last = units;
  };
  let at = 0;
  while (at < pattern.length) {
    const character = pattern[at];
    const repeated = character === "{" ? repeatedAt(pattern, at) : undefined;
    if (repeated !== undefined) {
      const { end, times } = repeated;
      // Each that may be left out has one instruction more, which leaves it out.
      const more = (last + 1) * times;
      size += more;
      last += more;
      at = end;
      continue;
    }
    at += 1;
    if (character === "(") {
      outer.push(size);
      [size, last] = [3, 0];
    } else if (character === ")" && outer.length > 0) {
      const inner = size;
      size = outer.pop() ?? 0;
      add(inner);
    } else if (character === "[") {
      const { classes, end } = bracketed(pattern, at - 1);
      add(1 + unicodeClass * classes);
      at = end;
    } else if (character === "\\") {
      const isClass = pattern[at] === "p" || pattern[at] === "P";
      add(isClass ? unicodeClass : 1);
      at += 1;
    } else add(1);
  }
  return outer.reduce((all, each) => all + each, size);
};
