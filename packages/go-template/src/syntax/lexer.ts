import type { Budget } from "../values/budget.ts";
import { runesOf } from "../values/bytes.ts";
import { TemplateError, type Position } from "../template-error.ts";
import { unquoted } from "./quoted.ts";
import type { Token, TokenType } from "./token.ts";

const space = /[ \t\r\n]/;

/** Forms of a token inside an action; the first match counts. */
const shapes: readonly (readonly [TokenType | "space" | "char" | "raw" | "quoted" | "number", RegExp])[] = [
  ["space", /[ \t\r\n]+/y],
  ["quoted", /"(?:[^"\\\n]|\\[^\n])*"/y],
  ["raw", /`[^`]*`/y],
  ["char", /'(?:[^'\\\n]|\\[^\n])+'/y],
  [
    "number",
    /[+-]?(?:0[xX][0-9a-fA-F_.]+(?:[pP][+-]?\d+)?|0[oObB][0-9_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)/y,
  ],
  ["variable", /\$[\p{L}\p{Nd}_]*/uy],
  ["field", /\.[\p{L}_][\p{L}\p{Nd}_]*/uy],
  ["dot", /\./y],
  ["identifier", /[\p{L}_][\p{L}\p{Nd}_]*/uy],
  ["symbol", /:=|[=(),|]/y],
];

const beginOf = (source: string, from: number): number => source.indexOf("{{", from);

/** Reads one source from the left, and knows where it is. */
const positions = (source: string) => {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  return (index: number): Position => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= index) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: index - starts[low]! + 1 };
  };
};

/** Characters of the longest number. */
const longestNumber = 400;

const numberOf = (text: string): number | bigint | undefined => {
  if (text.length > longestNumber) return undefined;
  if (/[^\d]_|_$|__/.test(text.replace(/^[+-]?0[xXoObB]_/, "0x0"))) return undefined;
  const plain = text.replaceAll("_", "").replace(/^\+/, "");
  if (/^-?0[xX]/.test(plain) && /[pP.]/.test(plain)) return undefined;
  if (/^-?(?:0[xXoObB][0-9a-fA-F]+|\d+)$/.test(plain)) {
    const negative = plain.startsWith("-");
    const digits = plain.replace("-", "").replace(/^0+(?=[0-7]+$)/, "0o");
    try {
      const value = BigInt(digits === "0o" ? "0" : digits) * (negative ? -1n : 1n);
      if (BigInt.asIntN(64, value) !== value) return undefined;
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    } catch {
      return undefined;
    }
  }
  return undefined;
};

/** Letter by letter: a pattern would begin again at every blank. */
const withoutBlankEnd = (text: string): string => {
  let end = text.length;
  while (end > 0 && " \t\r\n".includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
};

const isFloatText = (text: string): boolean =>
  text.length <= longestNumber &&
  /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text.replaceAll("_", "")) &&
  /[.eE]/.test(text);

/** Cost of reading one token, and of everything made from it. */
const tokenUnits = 60;

/**
 * The tokens of a template: text, and what stands in its actions. Comments and trimmed white space are gone. Throws a `TemplateError`, also
 * when the budget does not suffice for them.
 */
export const tokensOf = (name: string, source: string, budget: Budget): readonly Token[] => {
  const at = positions(source);
  const failed = (index: number, problem: string) => new TemplateError(name, at(index), problem);
  const tokens: Token[] = [];
  const pay = (index: number): void => {
    try {
      budget.pay(tokenUnits);
    } catch (error) {
      throw failed(index, (error as Error).message);
    }
  };
  let index = 0;
  let trimNext = false;

  const text = (from: number, to: number, trimEnd: boolean): void => {
    let raw = source.slice(from, to);
    if (trimNext) raw = raw.replace(/^[ \t\r\n]+/, "");
    if (trimEnd) raw = withoutBlankEnd(raw);
    if (raw !== "") tokens.push({ type: "text", text: raw, at: at(from), spaced: false });
  };

  const closeLength = (from: number): number => {
    if (source.startsWith("}}", from)) return 2;
    return /[ \t\r\n]/.test(source[from] ?? "") && /^[ \t\r\n]-\}\}/.test(source.slice(from, from + 4)) ? 4 : 0;
  };

  while (index < source.length) {
    const begin = beginOf(source, index);
    if (begin < 0) {
      text(index, source.length, false);
      break;
    }
    const trims = source[begin + 2] === "-" && space.test(source[begin + 3] ?? "");
    text(index, begin, trims);
    trimNext = false;
    index = begin + (trims ? 4 : 2);
    if (source.startsWith("/*", index)) {
      const end = source.indexOf("*/", index);
      if (end < 0) throw failed(begin, "unclosed comment");
      const closed = closeLength(end + 2);
      if (closed === 0) throw failed(begin, "comment ends before closing delimiter");
      trimNext = closed === 4;
      index = end + 2 + closed;
      pay(begin);
      continue;
    }
    tokens.push({ type: "left", text: "{{", at: at(begin), spaced: false });
    pay(begin);
    const action = actionTokens({ source, from: index, at, failed, closeLength, pay });
    for (const token of action.tokens) tokens.push(token);
    trimNext = action.trims;
    index = action.next;
  }
  return tokens;
};

interface Action {
  readonly source: string;
  readonly from: number;
  readonly at: (index: number) => Position;
  readonly failed: (index: number, problem: string) => TemplateError;
  readonly closeLength: (from: number) => number;
  /** Pays for the token at a place. */
  readonly pay: (index: number) => void;
}

const actionTokens = ({ source, from, at, failed, closeLength, pay }: Action) => {
  const tokens: Token[] = [];
  let index = from;
  let spaced = true;
  for (;;) {
    if (index >= source.length) throw failed(from, "unclosed action");
    pay(index);
    const closed = closeLength(index);
    if (closed > 0) {
      tokens.push({ type: "right", text: "}}", at: at(index), spaced });
      return { tokens, trims: closed === 4, next: index + closed };
    }
    const found = matched(source, index);
    if (found === undefined) throw failed(index, unexpected(source, index));
    const { shape, text } = found;
    index += text.length;
    if (shape === "space") {
      spaced = true;
      continue;
    }
    const token = tokenOf(shape, text);
    if (token === undefined) {
      throw failed(index - text.length, `bad ${shape === "number" ? "number syntax" : "text"}: ${text}`);
    }
    tokens.push({ ...token, at: at(index - text.length), spaced });
    spaced = false;
  }
};

const matched = (source: string, index: number) => {
  for (const [shape, pattern] of shapes) {
    pattern.lastIndex = index;
    const text = pattern.exec(source)?.[0];
    if (text !== undefined) return { shape, text };
  }
  return undefined;
};

const unexpected = (source: string, index: number): string => {
  const character = source[index] ?? "";
  if (character === '"') return "unterminated quoted string";
  if (character === "`") return "unterminated raw quoted string";
  if (character === "'") return "unterminated character constant";
  return `unexpected ${JSON.stringify(character)} in an action`;
};

const tokenOf = (shape: string, text: string): Omit<Token, "at" | "spaced"> | undefined => {
  switch (shape) {
    case "raw":
      return { type: "string", text, value: text.slice(1, -1).replaceAll("\r", "") };
    case "quoted":
    case "char": {
      const value = unquoted(text.slice(1, -1), shape === "char" ? "'" : '"');
      if (value === undefined) return undefined;
      if (shape === "quoted") return { type: "string", text, value };
      return runesOf(value).length === 1 ? { type: "integer", text, value: value.codePointAt(0) ?? 0 } : undefined;
    }
    case "number": {
      const value = numberOf(text);
      if (value !== undefined) return { type: "integer", text, value };
      return isFloatText(text) ? { type: "float", text, value: Number(text.replaceAll("_", "")) } : undefined;
    }
    default:
      return { type: shape as TokenType, text };
  }
};
