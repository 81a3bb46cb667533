import { stripVTControlCharacters } from "node:util";

/** Characters that control a terminal, and those that let a text run the other way. */
const controls = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/** A text as one line that a terminal shows and does not obey: what others wrote may hold sequences that control it. */
export const plainText = (text: string): string => stripVTControlCharacters(text).replaceAll(controls, " ");

/** As `plainText`, of a text of several lines, which remain. Tabs become blanks. */
export const plainLines = (text: string): string =>
  text
    .split(/\r*\n/)
    .map((line) => plainText(line))
    .join("\n");
