const escapes: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001B",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
};

/** `\n` and the like of `$'...'`, `printf` and `echo -e`. */
export const unescaped = (text: string): string =>
  text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|([^]))/g,
    (whole, ...[byte, short, long, octal, plain]: readonly (string | undefined)[]) => {
      const hex = byte ?? short ?? long;
      if (hex !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10_ff_ff));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      return escapes[plain ?? ""] ?? whole;
    },
  );
