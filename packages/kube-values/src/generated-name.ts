import { isLabelValue, maxLabelLength } from "./dns-name.ts";
import { fnv1a } from "./fnv1a.ts";

/** Randomness for a suffix: `next` returns a number in [0, 1). */
export interface SuffixRandom {
  next(): number;
}

const suffixLength = 5;
const suffixAlphabet = "bcdfghjklmnpqrstvwxz2456789";

/** Five characters that form no words. */
export const randomSuffix = (random: SuffixRandom): string =>
  Array.from({ length: suffixLength }, () => suffixAlphabet[Math.floor(random.next() * suffixAlphabet.length)]).join(
    "",
  );

/** `prefix` and `suffix`, with the prefix cut so that the whole is no longer than a label. */
const fitted = (prefix: string, suffix: string): string =>
  `${prefix.slice(0, maxLabelLength - suffix.length)}${suffix}`;

/**
 * Returns the name that a server generates for `generateName`: the prefix and a random suffix, at most as long as a
 * label.
 */
export const generatedName = (prefix: string, random: SuffixRandom): string => fitted(prefix, randomSuffix(random));

/** `<base>-<suffix>`, with the base cut so that the whole is no longer than a label. */
export const suffixedName = (base: string, suffix: string): string => fitted(`${base}-`, suffix);

/** The name itself where it is a valid label value, else `hash_<FNV-1a in base64url>_z`. */
export const nameAsLabel = (name: string): string => {
  if (isLabelValue(name)) return name;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(fnv1a(name));
  return `hash_${bytes.toString("base64url")}_z`;
};
