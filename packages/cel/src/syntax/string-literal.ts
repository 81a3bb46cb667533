import { SyntaxFailure } from "./ast.ts";

const simpleEscapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  "\\": 92,
  "?": 63,
  '"': 34,
  "'": 39,
  "`": 96,
};

const escape =
  /\\(?:x([0-9a-fA-F]{2})|X([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([abfnrtv\\?"'`]))/y;

interface Unit {
  readonly code: number;
  /** A byte escape: in bytes it stands for itself, elsewhere for a code point. */
  readonly byte: boolean;
}

const readEscape = (content: string, index: number, at: number): { unit: Unit; length: number } => {
  escape.lastIndex = index;
  const found = escape.exec(content);
  if (found === null) throw new SyntaxFailure("unable to unescape string", at);
  const [text, lowerHex, upperHex, short, long, octal, letter] = found;
  const hex = lowerHex ?? upperHex;
  const unit =
    hex !== undefined
      ? { code: Number.parseInt(hex, 16), byte: true }
      : octal !== undefined
        ? { code: Number.parseInt(octal, 8), byte: true }
        : letter !== undefined
          ? { code: simpleEscapes[letter]!, byte: false }
          : { code: Number.parseInt((short ?? long)!, 16), byte: false };
  const isUnicode = short !== undefined || long !== undefined;
  if (isUnicode && (unit.code > 0x10ffff || (unit.code >= 0xd800 && unit.code <= 0xdfff))) {
    throw new SyntaxFailure("invalid unicode code point", at);
  }
  return { unit: isUnicode ? { ...unit, byte: false } : unit, length: text.length };
};

function* units(content: string, raw: boolean, at: number): Iterable<Unit> {
  for (let index = 0; index < content.length;) {
    if (content[index] === "\\" && !raw) {
      const { unit, length } = readEscape(content, index, at);
      yield unit;
      index += length;
    } else {
      const code = content.codePointAt(index)!;
      yield { code, byte: false };
      index += code > 0xffff ? 2 : 1;
    }
  }
}

/** The text between the quotes of a string literal, unescaped. */
export const parseText = (content: string, raw: boolean, at: number): string => {
  const normalized = content.replace(/\r\n?/g, "\n");
  if (raw || !normalized.includes("\\")) return normalized;
  return Array.from(units(normalized, raw, at), (unit) => String.fromCodePoint(unit.code)).join("");
};

/** The text between the quotes of a bytes literal: UTF-8, with byte escapes as single bytes. */
export const parseBytes = (content: string, raw: boolean, at: number): Uint8Array => {
  const encoder = new TextEncoder();
  const bytes: number[] = [];
  for (const unit of units(content.replace(/\r\n?/g, "\n"), raw, at)) {
    if (unit.byte) bytes.push(unit.code);
    else bytes.push(...encoder.encode(String.fromCodePoint(unit.code)));
  }
  return Uint8Array.from(bytes);
};
