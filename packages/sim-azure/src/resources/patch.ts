import { isJsonObject } from "@capstan/schema";
import { object, type ObjectShape, type Shape } from "@capstan/simulation";
import type { Json, StoredResource } from "../state.ts";
import type { ResourceKind } from "./resource-kind.ts";
import { bodyOf } from "./write-resource.ts";
import { readOnly } from "./writable.ts";

/** A shape of which nothing has to be there; lists are given whole. */
const partial = (shape: Shape): Shape => {
  if (shape === readOnly || shape.type !== "object") return shape;
  return object(Object.fromEntries(Object.entries(shape.fields).map(([name, field]) => [name, partial(field)])));
};

/** Returns the allowed body of a request that changes some fields of a resource. */
export const patchOf = (kind: ResourceKind): ObjectShape => partial(bodyOf(kind)) as ObjectShape;

/** Merges JSON objects recursively. Fields that are `null` in the request are removed. */
const merged = (before: unknown, given: unknown): unknown => {
  if (!isJsonObject(before) || !isJsonObject(given)) return given;
  const after = {
    ...before,
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, merged(before[name], value)])),
  };
  return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null));
};

/** A resource with what a request changes of it; its tags are given whole. */
export const patched = (
  { location, tags, outer, properties }: Pick<StoredResource, "location" | "tags" | "outer" | "properties">,
  body: unknown,
): Json => {
  const { tags: given = tags, ...rest } = body as Json;
  return {
    ...(merged({ location, ...outer, properties }, rest) as Json),
    ...(given === undefined ? {} : { tags: given }),
  };
};
