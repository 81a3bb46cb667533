import { isJsonObject } from "../json-object.ts";
import { own, canonicalJson } from "./json.ts";
import { itemIdentity } from "./list-types.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** The value a place had before the update; absent when there was none or it cannot be told which it was. */
export interface Before {
  readonly value: unknown;
}

/** Returns the value that the member of that name had before. */
export const memberBefore = (before: Before | undefined, name: string): Before | undefined => {
  if (before === undefined || !isJsonObject(before.value) || !Object.hasOwn(before.value, name)) return undefined;
  return { value: own(before.value, name) };
};

/** Finds what a list item was before: items of a list of type map are told by their keys, others not at all. */
export const itemsBefore = (
  schema: StructuralSchema,
  before: Before | undefined,
): ((item: unknown) => Before | undefined) => {
  const identity = schema["x-kubernetes-list-type"] === "map" ? itemIdentity(schema) : undefined;
  if (identity === undefined || before === undefined || !Array.isArray(before.value)) return () => undefined;
  const byIdentity = new Map(before.value.map((item) => [canonicalJson(identity(item)), { value: item as unknown }]));
  return (item) => byIdentity.get(canonicalJson(identity(item)));
};
