import { bytesOfText, textOfBytes } from "../boot/text-bytes.ts";

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

/** A byte as a sign: above 127 the lone surrogate that stands for it. */
const signOf = (byte: number): string => String.fromCharCode(byte > 127 ? 0xdc00 + byte : byte);

/** `\n` and the like of `$'...'`, `printf` and `echo -e`. Bytes that are UTF-8 together are the character that they write. */
export const unescaped = (text: string): string => {
  let hasBytes = false;
  const byteOf = (digits: string, base: number): string => {
    const byte = Number.parseInt(digits, base) & 0xff;
    hasBytes ||= byte > 127;
    return signOf(byte);
  };
  const result = text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|([^]))/g,
    (whole, ...[byte, short, long, octal, plain]: readonly (string | undefined)[]) => {
      if (byte !== undefined) return byteOf(byte, 16);
      if (octal !== undefined) return byteOf(octal, 8);
      const hex = short ?? long;
      if (hex !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10_ff_ff));
      return escapes[plain ?? ""] ?? whole;
    },
  );
  return hasBytes ? textOfBytes(bytesOfText(result)) : result;
};
