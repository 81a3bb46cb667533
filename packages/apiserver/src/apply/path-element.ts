import { isJsonObject } from "@capstan/schema";
import { jsonText, parseJson, canonicalJson } from "@capstan/schema/structural";

/**
 * One step of a path, spelled as in `fieldsV1`: `f:name` a member, `k:{"name":"a"}` an element of a list with keys, `v:"a"` an
 * element of a set, `i:0` an element by index. The JSON in it is canonical (sorted keys), so equal steps are equal strings.
 */
export type PathElement = string;

export const fieldElement = (name: string): PathElement => `f:${name}`;
export const keyElement = (keys: Readonly<Record<string, unknown>>): PathElement => `k:${canonicalJson(keys)}`;
export const valueElement = (value: unknown): PathElement => `v:${canonicalJson(value)}`;

/** Reads a key of a `fieldsV1` object; undefined when it is malformed. */
export const parsePathElement = (text: string): PathElement | undefined => {
  const [kind, rest] = [text.slice(0, 2), text.slice(2)];
  if (kind === "f:") {
    return text;
  }
  if (kind === "i:") {
    return /^\d+$/.test(rest) ? text : undefined;
  }
  if (kind !== "k:" && kind !== "v:") {
    return undefined;
  }
  const value = readJson(rest);
  if (value === undefined || (kind === "k:" && !isJsonObject(value))) {
    return undefined;
  }
  return `${kind}${canonicalJson(value)}`;
};

/** As messages show it: `.name`, `[port=80,protocol="TCP"]`, `[="a"]`, `[0]`. */
export const displayElement = (element: PathElement): string => {
  const rest = element.slice(2);
  switch (element.slice(0, 2)) {
    case "f:":
      return `.${rest}`;
    case "k:": {
      const keys = Object.entries(parseJson(rest) as object);
      return `[${keys.map(([name, value]) => `${name}=${jsonText(value)}`).join(",")}]`;
    }
    case "v:":
      return `[=${rest}]`;
    default:
      return `[${rest}]`;
  }
};

const readJson = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};
