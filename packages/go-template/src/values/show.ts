import { runesOf } from "./bytes.ts";
import { GoObject } from "./go-object.ts";
import { isList, isMap, member, sortedKeys, typeOf } from "./kinds.ts";
import { floatText, isFloat, toNumber } from "./numbers.ts";

/** A text between double quotes, as `%q` and `strconv.Quote` write it. */
export const quoted = (text: string): string => {
  const escapes: Readonly<Record<string, string>> = {
    "\u0007": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    "\\": "\\\\",
    '"': '\\"',
  };
  const inner = runesOf(text).map((character) => {
    const code = character.codePointAt(0) ?? 0;
    if (escapes[character] !== undefined) return escapes[character];
    if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, "0")}`;
    if (character === " " || /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character)) return character;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
  return `"${inner.join("")}"`;
};

/** A character between single quotes, as `%q` writes it. */
export const quotedCharacter = (character: string): string => {
  const inner = quoted(character).slice(1, -1);
  return `'${inner === "'" ? "\\'" : inner === '\\"' ? '"' : inner}'`;
};

/** A value as `%v` writes it, or as `%#v` when `syntax` is set. */
export const show = (value: unknown, syntax = false): string => {
  if (value === undefined || value === null) return "<nil>";
  if (typeof value === "string") return syntax ? quoted(value) : value;
  if (isFloat(value)) return floatText(toNumber(value));
  if (value instanceof GoObject) return value.text;
  if (isList(value)) {
    const items = value.map((item) => show(item, syntax));
    return syntax ? `${typeOf(value)}{${items.join(", ")}}` : `[${items.join(" ")}]`;
  }
  if (isMap(value)) {
    const items = sortedKeys(value).map((key) => {
      const of = show(member(value, key).value, syntax);
      return syntax ? `${quoted(key)}:${of}` : `${key}:${of}`;
    });
    return syntax ? `${typeOf(value)}{${items.join(", ")}}` : `map[${items.join(" ")}]`;
  }
  return String(value);
};
