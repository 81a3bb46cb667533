import { createHash } from "node:crypto";
import {
  costing,
  define,
  times,
  wholeSizeOf,
  type TemplateFunction,
  type TemplateFunctions,
} from "../functions/define.ts";
import { bytesOf, runesOf, textOf, withoutEnd } from "../values/bytes.ts";
import { GoObject } from "../values/go-object.ts";
import { isList, isMap, sortedKeys } from "../values/kinds.ts";
import { fromJsonValue } from "../values/json-values.ts";
import { isFloat, toNumber } from "../values/numbers.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

const toBase32 = (text: string): string => {
  const bits = [...bytesOf(text)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, "0"), 2)]);
  return letters.join("").padEnd(Math.ceil(letters.length / 8) * 8, "=");
};

const fromBase32 = (text: string): string => {
  const letters = text.replace(/[\r\n]/g, "");
  const bad = /[^A-Z2-7=]/.exec(letters)?.index;
  if (bad !== undefined || letters.length % 8 !== 0) {
    return `illegal base32 data at input byte ${bad ?? letters.length}`;
  }
  const bits = runesOf(withoutEnd(letters, "=")).map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0"));
  return textOf(new Uint8Array((bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))));
};

const fromBase64 = (text: string): string => {
  const letters = text.replace(/[\r\n]/g, "");
  const bad = /[^A-Za-z0-9+/=]/.exec(letters)?.index;
  const sound = bad === undefined && letters.length % 4 === 0 && /^[^=]*={0,2}$/.test(letters);
  return sound ? textOf(Buffer.from(letters, "base64")) : `illegal base64 data at input byte ${bad ?? letters.length}`;
};

const adler32 = (text: string): string => {
  let [a, b] = [1, 0];
  for (const byte of bytesOf(text)) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return String(b * 65_536 + a);
};

const sum = (algorithm: string): TemplateFunction =>
  times(
    10,
    define(["string"], (text) => createHash(algorithm).update(text).digest("hex")),
  );

const safe = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** JSON as Go writes it: with the keys in order. */
const jsonOf = (value: unknown, indent: string, at = ""): string => {
  const inner = at + indent;
  const [open, between, close] = indent === "" ? ["", ",", ""] : [`\n${inner}`, `,\n${inner}`, `\n${at}`];
  if (value === undefined || value === null) return "null";
  if (isFloat(value)) return JSON.stringify(toNumber(value));
  if (value instanceof GoObject) return value.json;
  if (typeof value === "bigint") return value.toString();
  if (isList(value)) {
    return value.length === 0
      ? "[]"
      : `[${open}${value.map((item) => jsonOf(item, indent, inner)).join(between)}${close}]`;
  }
  if (!isMap(value)) return JSON.stringify(value);
  const colon = indent === "" ? ":" : ": ";
  const members = sortedKeys(value).map((key) => `${JSON.stringify(key)}${colon}${jsonOf(value[key], indent, inner)}`);
  return members.length === 0 ? "{}" : `{${open}${members.join(between)}${close}}`;
};

const parsed = (text: string): unknown => fromJsonValue(JSON.parse(text));

const parsedOrNothing = (text: string): unknown => {
  try {
    return parsed(text);
  } catch {
    return null;
  }
};

const writing = (write: (value: unknown) => string): TemplateFunction =>
  costing((values) => 20 * wholeSizeOf(values), define(["any"], write));

const toJson = writing((value) => safe(jsonOf(value, "")));
const toPrettyJson = writing((value) => safe(jsonOf(value, "  ")));
const toRawJson = writing((value) => jsonOf(value, ""));

/** Functions that encode, decode and hash. */
export const encodingFunctions: TemplateFunctions = {
  adler32sum: times(10, define(["string"], adler32)),
  b32dec: times(60, define(["string"], fromBase32)),
  b32enc: times(100, define(["string"], toBase32)),
  b64dec: times(6, define(["string"], fromBase64)),
  b64enc: define(["string"], (text) => Buffer.from(text).toString("base64")),
  fromJson: times(40, define(["string"], parsedOrNothing)),
  mustFromJson: times(40, define(["string"], parsed)),
  mustToJson: toJson,
  mustToPrettyJson: toPrettyJson,
  mustToRawJson: toRawJson,
  sha1sum: sum("sha1"),
  sha256sum: sum("sha256"),
  sha512sum: sum("sha512"),
  toJson,
  toPrettyJson,
  toRawJson,
};
