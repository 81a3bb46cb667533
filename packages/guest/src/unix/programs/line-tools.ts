import { bytesOfText } from "../../boot/text-bytes.ts";
import { readOptions, type UnixContext, type UnixProgram, type UnixPrograms } from "../program.ts";
import { unescaped } from "../escapes.ts";
import { fileText, linesOf, textOf } from "./text-input.ts";

const perLine =
  (change: (lines: readonly string[]) => readonly string[]): UnixProgram =>
  (context) => {
    const text = textOf(
      context.args.filter((word) => word === "-" || !word.startsWith("-")),
      context,
    );
    if (text === undefined) return 1;
    context.write(
      change(linesOf(text))
        .map((line) => `${line}\n`)
        .join(""),
    );
    return 0;
  };

const paste: UnixProgram = (context) => {
  const { options, words } = readOptions(context.args, ["-d", "--delimiters"]);
  const signs = unescaped(options.get("-d") ?? options.get("--delimiters") ?? "\t");
  const columns: (readonly string[])[] = [];
  for (const path of words.length === 0 ? ["-"] : words) {
    const text = fileText(path, context);
    if (text === undefined) return 1;
    columns.push(linesOf(text));
  }
  const joined = (texts: readonly string[]): string =>
    texts.reduce(
      (all, text, index) =>
        index === 0 ? text : `${all}${signs.charAt((index - 1) % Math.max(signs.length, 1))}${text}`,
      "",
    );
  if (options.has("-s") || options.has("--serial")) {
    for (const lines of columns) context.write(`${joined(lines)}\n`);
    return 0;
  }
  const most = Math.max(...columns.map((lines) => lines.length));
  for (let row = 0; row < most; row += 1) context.write(`${joined(columns.map((lines) => lines[row] ?? ""))}\n`);
  return 0;
};

/** The lengths of the longest common lines of what is left of both from each place on. */
const commonTable = (one: readonly string[], other: readonly string[]): readonly (readonly number[])[] => {
  const table = Array.from({ length: one.length + 1 }, () => Array.from({ length: other.length + 1 }, () => 0));
  for (let left = one.length - 1; left >= 0; left -= 1) {
    for (let right = other.length - 1; right >= 0; right -= 1) {
      const row = table[left] ?? [];
      row[right] =
        one[left] === other[right]
          ? (table[left + 1]?.[right + 1] ?? 0) + 1
          : Math.max(table[left + 1]?.[right] ?? 0, row[right + 1] ?? 0);
    }
  }
  return table;
};

/** Lines of the largest texts that are compared line by line. */
const mostLines = 2000;

const range = (from: number, to: number): string => (to <= from + 1 ? String(Math.max(to, from)) : `${from + 1},${to}`);

const differences = (one: readonly string[], other: readonly string[]): string => {
  const table = commonTable(one, other);
  let [left, right, text] = [0, 0, ""];
  while (left < one.length || right < other.length) {
    if (left < one.length && right < other.length && one[left] === other[right]) {
      left += 1;
      right += 1;
      continue;
    }
    const [fromLeft, fromRight] = [left, right];
    while (
      (left < one.length || right < other.length) &&
      !(left < one.length && right < other.length && one[left] === other[right])
    ) {
      const drops =
        left < one.length &&
        (right >= other.length || (table[left + 1]?.[right] ?? 0) >= (table[left]?.[right + 1] ?? 0));
      if (drops) left += 1;
      else right += 1;
    }
    const sign = left === fromLeft ? "a" : right === fromRight ? "d" : "c";
    text += `${range(fromLeft, left)}${sign}${range(fromRight, right)}\n`;
    text += one
      .slice(fromLeft, left)
      .map((line) => `< ${line}\n`)
      .join("");
    if (sign === "c") text += "---\n";
    text += other
      .slice(fromRight, right)
      .map((line) => `> ${line}\n`)
      .join("");
  }
  return text;
};

const diff: UnixProgram = (context) => {
  const { options, words } = readOptions(context.args, ["-U", "-C"]);
  const [first = "", second = ""] = words;
  const [one, other] = [fileText(first, context), fileText(second, context)];
  if (one === undefined || other === undefined) return 2;
  if (one === other) return 0;
  const [left, right] = [linesOf(one), linesOf(other)];
  if (options.has("-q") || options.has("--brief") || Math.max(left.length, right.length) > mostLines) {
    context.write(`Files ${first} and ${second} differ\n`);
  } else context.write(differences(left, right));
  return 1;
};

const cmp: UnixProgram = (context) => {
  const { options, words } = readOptions(context.args);
  const [first = "", second = ""] = words;
  const [one, other] = [fileText(first, context), fileText(second, context)];
  if (one === undefined || other === undefined) return 2;
  if (one === other) return 0;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  if (!options.has("-s") && !options.has("--silent")) {
    if (at >= Math.min(one.length, other.length)) {
      context.fail(`EOF on ${one.length < other.length ? first : second} after byte ${at}`);
    } else context.write(`${first} ${second} differ: byte ${at + 1}, line ${one.slice(0, at).split("\n").length}\n`);
  }
  return 1;
};

const comm: UnixProgram = (context) => {
  const flags = context.args.filter((word) => /^-[123]+$/.test(word)).join("");
  const [first = "", second = ""] = context.args.filter((word) => !/^-[123]+$/.test(word));
  const [one, other] = [fileText(first, context), fileText(second, context)];
  if (one === undefined || other === undefined) return 1;
  const [left, right] = [[...linesOf(one)], [...linesOf(other)]];
  const say = (column: number, line: string): void => {
    if (flags.includes(String(column))) return;
    const before = [1, 2, 3].filter((each) => each < column && !flags.includes(String(each)));
    context.write(`${"\t".repeat(before.length)}${line}\n`);
  };
  while (left.length > 0 || right.length > 0) {
    const [a, b] = [left[0], right[0]];
    if (a !== undefined && a === b) {
      say(3, a);
      left.shift();
      right.shift();
    } else if (b === undefined || (a !== undefined && a < b)) say(1, left.shift() ?? "");
    else say(2, right.shift() ?? "");
  }
  return 0;
};

const characters: Readonly<Record<number, string>> = {
  0: "\\0",
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  32: " ",
};

const od: UnixProgram = (context) => {
  const { options, words } = readOptions(context.args, ["-A", "-t", "-N", "-j"]);
  const text = textOf(words, context);
  if (text === undefined) return 1;
  const bytes = bytesOfText(text).subarray(0, options.has("-N") ? Number(options.get("-N")) : undefined);
  const type = options.has("-c") ? "c" : (options.get("-t") ?? "o2");
  const address = (at: number): string => (options.get("-A") === "n" ? "" : at.toString(8).padStart(7, "0"));
  const size = type.startsWith("x4") || type.startsWith("u4") ? 4 : 1;
  for (let at = 0; at < bytes.length; at += 16) {
    const row = bytes.subarray(at, at + 16);
    const cells: string[] = [];
    for (let each = 0; each < row.length; each += size) {
      const value = row.readUIntLE(each, Math.min(size, row.length - each));
      if (type === "c") {
        cells.push(
          (
            characters[value] ??
            (value < 127 && value > 32 ? String.fromCharCode(value) : value.toString(8).padStart(3, "0"))
          ).padStart(4),
        );
      } else if (type.startsWith("x")) cells.push(` ${value.toString(16).padStart(size * 2, "0")}`);
      else if (type.startsWith("u") || type.startsWith("d")) cells.push(String(value).padStart(size === 4 ? 11 : 4));
      else cells.push(` ${value.toString(8).padStart(3, "0")}`);
    }
    context.write(`${address(at)}${cells.join("")}\n`);
  }
  if (options.get("-A") !== "n") context.write(`${address(bytes.length)}\n`);
  return 0;
};

const fold: UnixProgram = (context) => {
  const { options, words } = readOptions(context.args, ["-w", "--width"]);
  const text = textOf(words, context);
  if (text === undefined) return 1;
  const width = Number(options.get("-w") ?? options.get("--width") ?? 80);
  context.write(text.replace(new RegExp(`[^\\n]{${width}}(?=[^\\n])`, "g"), "$&\n"));
  return 0;
};

const expand = (context: UnixContext): number => {
  const text = textOf(
    context.args.filter((word) => !word.startsWith("-")),
    context,
  );
  if (text === undefined) return 1;
  let column = 0;
  for (const sign of text) {
    const width = 8 - (column % 8);
    context.write(sign === "\t" ? " ".repeat(width) : sign);
    column = sign === "\n" ? 0 : column + (sign === "\t" ? width : 1);
  }
  return 0;
};

/** Programs that lay lines out, and compare them. */
export const linePrograms: UnixPrograms = {
  paste,
  diff,
  cmp,
  comm,
  od,
  fold,
  expand,
  rev: perLine((lines) => lines.map((line) => Array.from(line).toReversed().join(""))),
  tac: perLine((lines) => lines.toReversed()),
  nl: (context) => {
    const text = textOf(
      context.args.filter((word) => !word.startsWith("-")),
      context,
    );
    if (text === undefined) return 1;
    const isAll = context.args.includes("-ba");
    let count = 0;
    for (const line of linesOf(text)) {
      const isCounted = isAll || line !== "";
      if (isCounted) count += 1;
      context.write(`${isCounted ? `${String(count).padStart(6)}\t` : "       "}${line}\n`);
    }
    return 0;
  },
  shuf: perLine((lines) => lines),
};
