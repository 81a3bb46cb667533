import { isJsonObject } from "@capstan/schema";
import { jsonIfPossible, unescapedIfPossible } from "../text/lenient-text.ts";

const redacted = "[redacted]";

/** Takes secrets out of what a request log keeps. */
export interface Redaction {
  /**
   * A body of JSON, whatever type it says it has, or of a form, as an object. Any other cannot be searched for secrets and is not kept:
   * `undefined`.
   */
  body(body: Uint8Array, contentType: string | undefined): unknown;
  query(query: string): string;
}

/** A form as an object; `undefined` when what stands for its names cannot be names, since it is something else then. */
const formOf = (text: string): Readonly<Record<string, string>> | undefined => {
  const pairs = [...new URLSearchParams(text)];
  return pairs.every(([name]) => /^[\w.[\]-]+$/.test(name)) ? Object.fromEntries(pairs) : undefined;
};

/** Redacts every field and query parameter of these names, however deep, in any letter case. */
export const redaction = (names: readonly string[]): Redaction => {
  const secret = new Set(names.map((name) => name.toLowerCase()));
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [name, secret.has(name.toLowerCase()) ? redacted : clean(entry)]),
    );
  };
  return {
    body: (body, contentType = "") => {
      if (body.length === 0) return undefined;
      const text = Buffer.from(body).toString();
      const json = jsonIfPossible(text);
      if (typeof json === "object") return clean(json);
      return contentType.startsWith("application/x-www-form-urlencoded") ? clean(formOf(text)) : undefined;
    },
    query: (query) =>
      query
        .split("&")
        .map((pair) => {
          const [name = ""] = pair.split("=", 1);
          return secret.has(unescapedIfPossible(name).toLowerCase()) ? `${name}=${redacted}` : pair;
        })
        .join("&"),
  };
};
