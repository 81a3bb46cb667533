import { objectMetaSchema } from "@capstan/schema/structural";
import type { StructuralSchema } from "@capstan/schema/structural";
import type { ResourceDefinition } from "../model/types.ts";

const preserve = "x-kubernetes-preserve-unknown-fields";

const identity: Readonly<Record<string, StructuralSchema>> = {
  apiVersion: { type: "string" },
  kind: { type: "string" },
  metadata: objectMetaSchema,
};

const mapped = (
  schemas: Readonly<Record<string, StructuralSchema>>,
  preserving: boolean,
): Readonly<Record<string, StructuralSchema>> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, typedNode(schema, preserving)]));

/**
 * A node as server-side apply types it, which is laxer than pruning: what is inside of something that preserves unknown fields does so
 * too, an object of which nothing is declared may hold anything, and an int-or-string, or a string with a format, is of any scalar type.
 * In an embedded resource, metadata is ObjectMeta.
 */
const typedNode = (schema: StructuralSchema, inherited: boolean): StructuralSchema => {
  const {
    type,
    items,
    properties,
    additionalProperties,
    [preserve]: own,
    "x-kubernetes-int-or-string": isAnyType,
    ...rest
  } = schema;
  const preserving = inherited || own === true;
  const isResource = schema["x-kubernetes-embedded-resource"] === true;
  const declared = properties === undefined ? undefined : mapped(properties, preserving);
  const members = isResource ? { ...declared, ...identity } : declared;
  const isFree = additionalProperties === undefined && Object.keys(members ?? {}).length === 0;
  return {
    ...rest,
    ...(type !== undefined && isAnyType !== true && { type }),
    ...(members !== undefined && { properties: members }),
    ...(items !== undefined && { items: typedNode(items, preserving) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === "object" ? typedNode(additionalProperties, preserving) : additionalProperties,
    }),
    ...(((preserving && additionalProperties !== false) || (type === "object" && isFree)) && { [preserve]: true }),
  };
};

const known = new WeakMap<StructuralSchema, StructuralSchema>();

/** The schema by which fields of a kind are owned and applied. */
export const typedSchema = ({ origin, schema }: Pick<ResourceDefinition, "origin" | "schema">): StructuralSchema => {
  if (origin === "builtin") {
    return schema;
  }
  const typed = known.get(schema) ?? typedNode(schema, false);
  known.set(schema, typed);
  return typed;
};
