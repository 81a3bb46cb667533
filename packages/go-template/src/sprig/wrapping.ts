import { longestText } from "../execute/limits.ts";
import { define, times, type TemplateFunctions } from "../functions/define.ts";

const space = 0x20;

interface Wrapping {
  /** The longest line, in bytes. */
  readonly length: number;
  readonly newLine: string;
  /** Divide words that are longer. */
  readonly dividesWords: boolean;
}

/** Divides a text into lines at spaces; lengths are counted in bytes. */
const wrapped = (text: string, { dividesWords, length, newLine }: Wrapping): string => {
  const bytes = Buffer.from(text, "utf8");
  const most = Math.max(1, length);
  const parts: Buffer[] = [];
  const separator = Buffer.from(newLine === "" ? "\n" : newLine);
  let size = bytes.length;
  const line = (start: number, end: number): void => {
    size += separator.length;
    if (size > longestText) throw new Error("the result is too large");
    parts.push(bytes.subarray(start, end), separator);
  };
  let start = 0;
  while (bytes.length - start > most) {
    if (bytes[start] === space) {
      start += 1;
      continue;
    }
    const last = bytes.subarray(start, start + most + 1).lastIndexOf(space);
    if (last >= 0) {
      line(start, start + last);
      start += last + 1;
      continue;
    }
    if (dividesWords) {
      line(start, start + most);
      start += most;
      continue;
    }
    const next = bytes.indexOf(space, start + most);
    if (next < 0) break;
    line(start, next);
    start = next + 1;
  }
  return Buffer.concat([...parts, bytes.subarray(start)]).toString("utf8");
};

/** Functions that divide texts into lines. */
export const wrappingFunctions: TemplateFunctions = {
  wrap: times(
    40,
    define(["int", "string"], (length, text) => wrapped(text, { length, newLine: "", dividesWords: false })),
  ),
  wrapWith: times(
    80,
    define(["int", "string", "string"], (length, newLine, text) =>
      wrapped(text, { length, newLine, dividesWords: true }),
    ),
  ),
};
