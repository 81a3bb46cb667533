import { isJsonObject } from "@capstan/schema";

export interface JsonPatchOperation {
  readonly op: "add" | "remove" | "replace";
  /** JSON pointer. */
  readonly path: string;
  readonly value?: unknown;
}

type Json = Readonly<Record<string, unknown>>;

const escape = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** The JSON patch that turns one object into another; lists are replaced as a whole. Equal objects give an empty patch. */
export const jsonPatchOf = (before: object, after: object, at = ""): readonly JsonPatchOperation[] => {
  const old = before as Json;
  const wanted = after as Json;
  return [...new Set([...Object.keys(old), ...Object.keys(wanted)])].flatMap((name): readonly JsonPatchOperation[] => {
    const path = `${at}/${escape(name)}`;
    const from = old[name];
    const to = wanted[name];
    if (to === undefined) return from === undefined ? [] : [{ op: "remove", path }];
    if (from === undefined) return [{ op: "add", path, value: to }];
    if (isJsonObject(from) && isJsonObject(to)) return jsonPatchOf(from, to, path);
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ op: "replace", path, value: to }];
  });
};
