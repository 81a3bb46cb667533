import type { Random } from "@capstan/contract";

/** Longest name that is still a valid label value and host name. */
export const maxNameLength = 63;

const suffixLength = 5;
const suffixAlphabet = "bcdfghjklmnpqrstvwxz2456789";

/** Five characters that form no words. */
export const randomSuffix = (random: Random): string =>
  Array.from({ length: suffixLength }, () => suffixAlphabet[Math.floor(random.next() * suffixAlphabet.length)]).join(
    "",
  );

/** `<base>-<suffix>`, with the base cut so that the whole stays a valid name. */
export const suffixedName = (base: string, suffix: string): string =>
  `${`${base}-`.slice(0, maxNameLength - suffix.length)}${suffix}`;

/** 32-bit FNV-1a of the UTF-8 bytes. */
export const fnv1a = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, "utf8")) {
    hash ^= byte;
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return hash;
};

const labelValue = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;

/** The name itself where it is a valid label value, else `hash_<FNV-1a in base64url>_z`. */
export const nameAsLabel = (name: string): string => {
  if (name.length <= maxNameLength && labelValue.test(name)) return name;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(fnv1a(name));
  return `hash_${bytes.toString("base64url")}_z`;
};

/** Compares by UTF-16 code units: the same order on every machine, unlike `localeCompare`. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
