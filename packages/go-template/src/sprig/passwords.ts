import { createDecipheriv, createHmac, scryptSync } from "node:crypto";
import { costing, define, times, type TemplateFunctions } from "../functions/define.ts";

const seedName = "com.lyndir.masterpassword";

const long =
  "CvcvnoCvcvCvcv CvcvCvcvnoCvcv CvcvCvcvCvcvno CvccnoCvcvCvcv CvccCvcvnoCvcv CvccCvcvCvcvno CvcvnoCvccCvcv CvcvCvccnoCvcv CvcvCvccCvcvno CvcvnoCvcvCvcc CvcvCvcvnoCvcc CvcvCvcvCvccno CvccnoCvccCvcv CvccCvccnoCvcv CvccCvccCvcvno CvcvnoCvccCvcc CvcvCvccnoCvcc CvcvCvccCvccno CvccnoCvcvCvcc CvccCvcvnoCvcc CvccCvcvCvccno";

/** Forms of passwords; each letter stands for a class of characters. */
const forms = new Map([
  ["maximum", "anoxxxxxxxxxxxxxxxxx axxxxxxxxxxxxxxxxxno"],
  ["long", long],
  ["medium", "CvcnoCvc CvcCvcno"],
  ["short", "Cvcn"],
  ["basic", "aaanaaan aannaaan aaannaaa"],
  ["pin", "nnnn"],
]);

const classes: Readonly<Record<string, string>> = {
  V: "AEIOU",
  C: "BCDFGHJKLMNPQRSTVWXYZ",
  v: "aeiou",
  c: "bcdfghjklmnpqrstvwxyz",
  A: "AEIOUBCDFGHJKLMNPQRSTVWXYZ",
  a: "AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz",
  n: "0123456789",
  o: "@&%?,=[]_:-+*$#!'^~;()/.",
  x: "AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()",
};

/** A text behind its length, after the name of the algorithm. */
const salted = (text: string, ...counter: readonly number[]): Buffer => {
  const bytes = Buffer.from(text);
  const numbers = counter.map(bigEndian);
  return Buffer.concat([Buffer.from(seedName), bigEndian(bytes.length), bytes, ...numbers]);
};

const bigEndian = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const derived = (counter: number, type: string, password: string, user: string, site: string): string => {
  if (counter < 0 || counter > 0xffff_ffff) throw new Error(`${counter} overflows uint32`);
  const templates = forms.get(type)?.split(" ");
  if (templates === undefined) return `cannot find password template ${type}`;
  const key = scryptSync(password, salted(user), 64, { N: 32_768, r: 8, p: 2, maxmem: 2 ** 27 });
  const seed = createHmac("sha256", key).update(salted(site, counter)).digest();
  const template = templates[seed[0]! % templates.length]!;
  return Array.from(template)
    .map((letter, index) => classes[letter]![seed[index + 1]! % classes[letter]!.length])
    .join("");
};

/** The password as a key of AES-256: cut, or filled up with zeros. */
export const aesKey = (password: string): Buffer => {
  const key = Buffer.alloc(32);
  Buffer.from(password).copy(key, 0, 0, 32);
  return key;
};

const decrypted = (password: string, text: string): string => {
  if (text === "") return "";
  const bytes = Buffer.from(text, "base64");
  if (bytes.length < 32 || bytes.length % 16 !== 0) throw new Error("the text is not whole blocks of AES");
  const decipher = createDecipheriv("aes-256-cbc", aesKey(password), bytes.subarray(0, 16)).setAutoPadding(false);
  const plain = Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]);
  const padding = plain.at(-1) ?? 0;
  if (padding > plain.length) throw new Error("the text was encrypted with another password");
  return plain.subarray(0, plain.length - padding).toString();
};

/** Cost of deriving one password: more than a short template may spend. */
const derivingUnits = 1_000_000;

/** Deterministic password functions. */
export const passwordFunctions: TemplateFunctions = {
  decryptAES: times(10, define(["string", "string"], decrypted)),
  derivePassword: costing(() => derivingUnits, define(["int", "string", "string", "string", "string"], derived)),
};
