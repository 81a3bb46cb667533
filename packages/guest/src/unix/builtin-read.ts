import type { Builtin } from "./builtin.ts";
import { splitBy } from "./fields.ts";
import { setValue, valuesOf } from "./parameters.ts";
import type { Input, Session, Streams } from "./session.ts";
import { arrayOf } from "./shell-array.ts";

interface Asked {
  readonly names: readonly string[];
  readonly array: string | undefined;
  readonly isRaw: boolean;
  readonly ending: string;
  readonly count: number | undefined;
  readonly descriptor: number;
}

const asked = (args: readonly string[]): Asked => {
  const names: string[] = [];
  const options = new Map<string, string>();
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? "";
    if (!/^-\w/.test(word) || names.length > 0) {
      if (word !== "--") names.push(word);
      continue;
    }
    for (let at = 1; at < word.length; at += 1) {
      const letter = word.charAt(at);
      if (!"adnNptu".includes(letter)) {
        options.set(letter, "");
        continue;
      }
      const attached = word.slice(at + 1);
      options.set(letter, attached === "" ? (args[(index += 1)] ?? "") : attached);
      break;
    }
  }
  const ending = options.get("d");
  const count = options.get("n") ?? options.get("N");
  return {
    names,
    array: options.get("a"),
    isRaw: options.has("r"),
    ending: ending === undefined ? "\n" : ending === "" ? "\0" : ending.charAt(0),
    count: count === undefined ? undefined : Number(count),
    descriptor: Number(options.get("u") ?? 0),
  };
};

/** A line, with those that a backslash at its end joins to it. */
const lineOf = (input: Input, { count, ending, isRaw }: Asked): { text: string; isEnded: boolean } | undefined => {
  if (count !== undefined) {
    const text = input.take(count);
    return text === "" ? undefined : { text, isEnded: true };
  }
  const first = input.line(ending);
  if (first === undefined || isRaw) return first;
  let { isEnded, text } = first;
  while (isEnded && /(?<!\\)(?:\\\\)*\\$/.test(text)) {
    const next = input.line(ending);
    text = text.slice(0, -1) + (next?.text ?? "");
    isEnded = next?.isEnded ?? false;
  }
  return { text: text.replace(/\\(.)/g, "$1"), isEnded };
};

/** The texts of a line for so many names: the last has all that is left. */
const fieldsFor = (line: string, count: number, separators: string): readonly string[] => {
  const blanks = Array.from(separators)
    .filter((sign) => " \t\n".includes(sign))
    .join("");
  const isBlank = (sign: string): boolean => blanks.includes(sign);
  let [begin, end] = [0, line.length];
  while (begin < end && isBlank(line.charAt(begin))) begin += 1;
  while (end > begin && isBlank(line.charAt(end - 1))) end -= 1;
  let rest = line.slice(begin, end);
  const fields: string[] = [];
  while (fields.length < count - 1) {
    const [first = ""] = splitBy(separators, rest);
    if (first === rest) break;
    fields.push(first);
    rest = rest.slice(first.length);
    const [, separator] = splitSeparator(rest, separators, blanks);
    rest = rest.slice(separator.length);
  }
  if (fields.length < count) {
    // One separator at the very end counts for nothing.
    const isLast =
      splitBy(separators, rest).length === 2 && /[^\s]/.test(rest.slice(-1)) && separators.includes(rest.slice(-1));
    fields.push(isLast ? rest.slice(0, -1) : rest);
  }
  return fields;
};

/** The separator that a text begins with: blanks, with at most one other sign among them. */
const splitSeparator = (text: string, separators: string, blanks: string): readonly [string, string] => {
  let at = 0;
  let others = 0;
  while (at < text.length && separators.includes(text.charAt(at))) {
    if (!blanks.includes(text.charAt(at))) {
      if (others > 0) break;
      others += 1;
    }
    at += 1;
  }
  return [text.slice(at), text.slice(0, at)];
};

const separatorsOf = (session: Session): string => valuesOf("IFS", undefined, session)[0] ?? " \t\n";

const inputOf = (streams: Streams, descriptor: number): Input | undefined =>
  descriptor === 0 ? streams.input : streams.more?.get(descriptor)?.input;

export const read: Builtin = ({ args, session, streams }) => {
  const order = asked(args);
  const input = inputOf(streams, order.descriptor);
  const line = input === undefined ? undefined : lineOf(input, order);
  const separators = separatorsOf(session);
  if (order.array !== undefined) {
    const words = splitBy(separators, (line?.text ?? "").replace(/^[ \t\n]+|[ \t\n]+$/g, ""));
    session.set(order.array, arrayOf(line?.text.trim() === "" ? [] : words.at(-1) === "" ? words.slice(0, -1) : words));
  } else if (order.names.length === 0) session.set("REPLY", line?.text ?? "");
  else {
    const fields = fieldsFor(line?.text ?? "", order.names.length, separators);
    for (const [index, name] of order.names.entries()) setValue(name, undefined, fields[index] ?? "", session);
  }
  return line?.isEnded === true ? 0 : 1;
};

/** `mapfile` and `readarray`. */
export const mapfile: Builtin = ({ args, session, streams }) => {
  const words = args.filter((word, index) => !word.startsWith("-") && !/^-[dnOsu]$/.test(args[index - 1] ?? ""));
  const ending = args[args.indexOf("-d") + 1];
  const delimiter = args.includes("-d") ? (ending === "" ? "\0" : (ending ?? "\n")) : "\n";
  const keepsEnd = !args.some((word) => /^-\w*t/.test(word));
  const lines: string[] = [];
  for (let line = streams.input.line(delimiter); line !== undefined; line = streams.input.line(delimiter)) {
    lines.push(line.text + (keepsEnd && line.isEnded ? delimiter : ""));
  }
  session.set(words[0] ?? "MAPFILE", arrayOf(lines));
  return 0;
};
