import { runesOf } from "../values/bytes.ts";
import { define, times, type TemplateFunctions } from "../functions/define.ts";

const isSpace = (character: string): boolean => /\s/u.test(character);
const isSeparator = (character: string): boolean => !/[\p{L}\p{N}_]/u.test(character);

/** Changes letters that stand behind certain others; the first stands behind a space. */
const changed = (text: string, change: (letter: string) => string, isAfter: (before: string) => boolean): string => {
  const letters = runesOf(text);
  return letters.map((letter, index) => (isAfter(letters[index - 1] ?? " ") ? change(letter) : letter)).join("");
};

const swapped = (letter: string): string =>
  letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();

/** Functions about words and their letters. */
export const wordFunctions: TemplateFunctions = {
  initials: times(
    20,
    define(["string"], (text) => text.match(/(?<!\S)\S/gu)?.join("") ?? ""),
  ),
  swapcase: times(
    40,
    define(["string"], (text) => runesOf(text).map(swapped).join("")),
  ),
  title: times(
    40,
    define(["string"], (text) => changed(text, (letter) => letter.toUpperCase(), isSeparator)),
  ),
  untitle: times(
    40,
    define(["string"], (text) => changed(text, (letter) => letter.toLowerCase(), isSpace)),
  ),
};
