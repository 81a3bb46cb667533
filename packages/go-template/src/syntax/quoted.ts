const named: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
};

/** Digits and base of an escape by number. */
const numbered = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3}))/;

const utf8 = new TextDecoder();

/** The value of what stands between quotes in a Go program, or `undefined` when it is no such text. */
export const unquoted = (inner: string, quote: '"' | "'"): string | undefined => {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  let rest = inner;
  while (rest !== "") {
    const [plain = ""] = /^[^\\]+/.exec(rest) ?? [];
    bytes.push(...encoder.encode(plain));
    rest = rest.slice(plain.length);
    if (rest === "") break;
    const escape = numbered.exec(rest.slice(1));
    if (escape !== null) {
      const [whole, hex, short, long, octal] = escape;
      const code = Number.parseInt(hex ?? short ?? long ?? octal ?? "", octal === undefined ? 16 : 8);
      if (octal !== undefined ? code > 255 : code > 0x10ffff) return undefined;
      // Escapes of bytes give bytes, those of characters give their UTF-8.
      bytes.push(...(hex === undefined && octal === undefined ? encoder.encode(String.fromCodePoint(code)) : [code]));
      rest = rest.slice(1 + whole.length);
      continue;
    }
    const character = named[rest[1] ?? ""];
    const otherQuote = quote === '"' ? "'" : '"';
    if (character === undefined || character === otherQuote) return undefined;
    bytes.push(...encoder.encode(character));
    rest = rest.slice(2);
  }
  return utf8.decode(new Uint8Array(bytes));
};
