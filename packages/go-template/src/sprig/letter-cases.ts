import { define, times, type TemplateFunctions } from "../functions/define.ts";
import { runesOf } from "../values/bytes.ts";

type WordType = "alphabet" | "connector" | "number" | "other" | "punctuation" | "upper";

interface Word {
  readonly type: WordType;
  readonly text: string;
}

const isConnector = (rune: string): boolean => /^[-_\s\u0085]$/u.test(rune);
const isUpper = (rune: string): boolean => /^\p{Lu}$/u.test(rune);
const isNumber = (rune: string): boolean => /^\p{N}$/u.test(rune);
const isPunctuation = (rune: string): boolean => /^\p{P}$/u.test(rune);

/** Chinese characters count as no alphabet. */
const isAlphabet = (rune: string): boolean =>
  /^\p{L}$/u.test(rune) && !/^[\u3400-\u4d85\u4e00-\u9fcc\u{20000}-\u{2b81d}]$/u.test(rune);
const isLower = (rune: string): boolean => isAlphabet(rune) && !isUpper(rune);
const isOther = (rune: string): boolean => ![isConnector, isAlphabet, isNumber, isPunctuation].some((is) => is(rune));

/** The end of the runes from `start` on that fit. */
const endOf = (runes: readonly string[], start: number, fits: (rune: string) => boolean): number => {
  let end = start;
  while (end < runes.length && fits(runes[end]!)) end += 1;
  return end;
};

/** The end of a word that begins with a capital: `HTTPServer` is `HTTP` and `Server`. */
const endOfUpper = (runes: readonly string[], start: number): number => {
  const next = runes[start + 1];
  if (next === undefined || !isAlphabet(next)) return start + 1;
  if (!isUpper(next)) return endOf(runes, start + 1, isLower);
  const end = endOf(runes, start, isUpper);
  return end < runes.length && isAlphabet(runes[end]!) ? end - 1 : end;
};

const wordEnd = (runes: readonly string[], start: number): readonly [WordType, number] => {
  const first = runes[start]!;
  if (isConnector(first)) return ["connector", endOf(runes, start, isConnector)];
  if (isPunctuation(first)) return ["punctuation", endOf(runes, start, isPunctuation)];
  if (isUpper(first)) return ["upper", endOfUpper(runes, start)];
  if (isAlphabet(first)) return ["alphabet", endOf(runes, start, isLower)];
  return isNumber(first) ? ["number", endOf(runes, start, isNumber)] : ["other", endOf(runes, start + 1, isOther)];
};

const wordsOf = (text: string): readonly Word[] => {
  const runes = runesOf(text);
  const words: Word[] = [];
  for (let start = 0; start < runes.length;) {
    const [type, end] = wordEnd(runes, start);
    words.push({ type, text: runes.slice(start, end).join("") });
    start = end;
  }
  return words;
};

const lowered = ({ text, type }: Word, connector: string): string => {
  if (type === "connector") return connector.repeat(runesOf(text).length);
  return type === "upper" ? text.toLowerCase() : text;
};

const endsGroup = (word: Word | undefined): boolean =>
  word === undefined || word.type === "connector" || word.type === "punctuation";

/** Joins words by a connector. A number belongs to the word before it, unless small letters follow: `Bld4Floor3rd` is `bld4_floor_3rd`. */
const joined = (text: string, connector: string): string => {
  const words = wordsOf(text);
  let result = "";
  let at = 0;
  /** Writes a number with everything that follows in small letters and digits. */
  const numbered = (): void => {
    while (words[at]?.type === "number" || words[at]?.type === "alphabet") {
      result += words[at]!.text;
      at += 1;
    }
    if (!endsGroup(words[at])) result += connector;
  };
  while (at < words.length) {
    const word = words[at]!;
    if (word.type === "number") {
      numbered();
      continue;
    }
    result += lowered(word, connector);
    at += 1;
    if (endsGroup(word)) continue;
    const next = words[at];
    if (next?.type !== "number") {
      if (!endsGroup(next)) result += connector;
    } else if (words[at + 1]?.type === "alphabet") {
      result += connector;
      numbered();
    } else {
      result += next.text;
      at += 1;
      if (!endsGroup(words[at])) result += connector;
    }
  }
  return result;
};

/** `some_name` as `SomeName`; connectors at the beginning stay, and of several in the middle all but one. */
const pascal = (text: string): string => {
  const runes = runesOf(text);
  const start = endOf(runes, 0, isConnector);
  // Sprig repeats the last of nothing but connectors.
  if (start >= runes.length) return text + (runes.at(-1) ?? "");
  let result = runes.slice(0, start).join("");
  let isInCapitals = isUpper(runes[start]!);
  let before = runes[start]!.toUpperCase();
  for (const rune of runes.slice(start + 1)) {
    let present = rune;
    if (isConnector(rune) && isConnector(before)) {
      result += before;
    } else if (isConnector(before)) {
      isInCapitals = isUpper(rune);
      present = rune.toUpperCase();
    } else {
      if (isInCapitals && isUpper(rune)) present = rune.toLowerCase();
      else isInCapitals = false;
      result += before;
    }
    before = present;
  }
  return result + before;
};

/** Names in the notations of programming languages. */
export const letterCaseFunctions: TemplateFunctions = {
  camelcase: times(40, define(["string"], pascal)),
  kebabcase: times(
    80,
    define(["string"], (text) => joined(text, "-")),
  ),
  snakecase: times(
    80,
    define(["string"], (text) => joined(text, "_")),
  ),
};
