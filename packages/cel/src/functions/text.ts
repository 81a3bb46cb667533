/** Code points of a string; surrogate pairs count as one, as everywhere in CEL. */
export const codePoints = (text: string): string[] => Array.from(text);

const astral = /[\ud800-\udfff]/;

/** Returns whether UTF-16 units and code points are the same thing in this string. */
export const isPlain = (text: string): boolean => !astral.test(text);

/** CEL's `size` of a string. */
export const codePointCount = (text: string): number => {
  if (isPlain(text)) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/** UTF-8, or undefined if the bytes are not valid. */
export const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** A double as CEL prints it: the shortest digits that read back the same, an exponent outside 1e-4 to 1e6. */
export const formatDouble = (value: number): string => {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (Object.is(value, -0)) return "-0";
  const [digits, exponentText] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  if (exponent >= 0 && exponent < 6) return String(value);
  if (exponent >= -4 && exponent < 0) return value.toFixed(digits!.replace(/\D/g, "").length - 1 - exponent);
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
};
