import { Uint } from "../values/value.ts";
import type { Value } from "../values/value.ts";
import { SyntaxFailure } from "./ast.ts";
import { parseBytes, parseText } from "./string-literal.ts";

export type Token =
  | { readonly kind: "literal"; readonly value: Value; readonly text: string; readonly at: number }
  | {
      readonly kind: "number" | "identifier" | "quoted" | "symbol" | "end";
      readonly text: string;
      readonly at: number;
    };

const space = /(?:[ \t\n\f\r]+|\/\/[^\n]*)+/y;
const number = /0x[0-9a-fA-F]+[uU]?|(?:\d*\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)|\d+[uU]?/y;
const rawString = /([bB]?[rR]|[rR][bB])("""[^]*?"""|'''[^]*?'''|"[^"\n\r]*"|'[^'\n\r]*')/y;
const string =
  /([bB]?)("""(?:[^\\]|\\[^])*?"""|'''(?:[^\\]|\\[^])*?'''|"(?:[^"\\\n\r]|\\[^\n\r])*"|'(?:[^'\\\n\r]|\\[^\n\r])*')/y;
const identifier = /[A-Za-z_][A-Za-z0-9_]*/y;
const quoted = /`[A-Za-z0-9_.\-/ ]+`/y;
const symbol = /==|!=|<=|>=|&&|\|\||[-+*/%!<>?:.,()[\]{}]/y;

const smallestInt = -9_223_372_036_854_775_808n;
const largestInt = 9_223_372_036_854_775_807n;
const largestUint = 18_446_744_073_709_551_615n;

/** The value of a numeric literal. `negative` belongs to the literal so that the smallest int can be written. */
export const numberValue = (text: string, negative: boolean, at: number): Value => {
  if (/[uU]$/.test(text)) {
    const value = BigInt(text.slice(0, -1));
    if (negative || value > largestUint) throw new SyntaxFailure("invalid uint literal", at);
    return new Uint(value);
  }
  if (/^(?:0x[0-9a-fA-F]+|\d+)$/.test(text)) {
    const value = negative ? -BigInt(text) : BigInt(text);
    if (value < smallestInt || value > largestInt) throw new SyntaxFailure("invalid int literal", at);
    return value;
  }
  const value = Number(text);
  if (!Number.isFinite(value)) throw new SyntaxFailure("invalid double literal", at);
  return negative ? -value : value;
};

const literalWords = new Map<string, Value>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

const wordToken = (text: string, at: number): Token => {
  const value = literalWords.get(text);
  if (value !== undefined) return { kind: "literal", value, text, at };
  return { kind: text === "in" ? "symbol" : "identifier", text, at };
};

const stringToken = ([text, prefix, body]: RegExpExecArray, raw: boolean, at: number): Token => {
  const quotes = body!.length >= 6 && /^(?:"""|''')/.test(body!) ? 3 : 1;
  const content = body!.slice(quotes, -quotes);
  const value = /[bB]/.test(prefix!) ? parseBytes(content, raw, at) : parseText(content, raw, at);
  return { kind: "literal", value, text, at };
};

const match = (pattern: RegExp, source: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(source);
};

const scan = (source: string, at: number): Token => {
  const raw = match(rawString, source, at);
  if (raw !== null) return stringToken(raw, true, at);
  const text = match(string, source, at);
  if (text !== null) return stringToken(text, false, at);
  const word = match(identifier, source, at)?.[0];
  if (word !== undefined) return wordToken(word, at);
  for (const [kind, pattern] of [
    ["quoted", quoted] as const,
    ["number", number] as const,
    ["symbol", symbol] as const,
  ]) {
    const found = match(pattern, source, at)?.[0];
    if (found !== undefined) return { kind, text: found, at };
  }
  throw new SyntaxFailure(`token recognition error at: '${String.fromCodePoint(source.codePointAt(at)!)}'`, at);
};

/** All tokens of an expression, the last of kind `end`. Throws `SyntaxFailure`. */
export const tokenize = (source: string): Token[] => {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at += match(space, source, at)?.[0].length ?? 0;
    if (at >= source.length) break;
    const token = scan(source, at);
    tokens.push(token);
    at += token.text.length;
  }
  tokens.push({ kind: "end", text: "<end>", at });
  return tokens;
};
