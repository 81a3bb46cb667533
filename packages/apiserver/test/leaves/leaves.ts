import type { StructuralSchema } from "@capstan/schema";
import type { ResourceDefinition } from "../../src/model/types.ts";

/** What a value is decoded as. */
export type LeafType =
  | "text"
  | "bytes"
  | "time"
  | "microTime"
  | "quantity"
  | "intOrString"
  | "int32"
  | "int64"
  | "number"
  | "flag"
  | "list"
  | "object"
  | "anything";

/** A place of a kind that holds a value of one type. */
export interface Leaf {
  readonly definition: ResourceDefinition;
  /** `spec.containers[].name`; the values of a map are `{}`. */
  readonly path: string;
  readonly type: LeafType;
  /** An object that is empty but for the way to this place, where `"@@"` stands. */
  readonly skeleton: Readonly<Record<string, unknown>>;
}

export const placeholder = "@@";

const stringType = ({ format, pattern }: StructuralSchema): LeafType => {
  if (format === "byte") return "bytes";
  if (format !== "date-time") return "text";
  return pattern === undefined ? "time" : "microTime";
};

const typeOf = (schema: StructuralSchema): LeafType => {
  if (schema["x-kubernetes-int-or-string"] === true) return schema.pattern === undefined ? "intOrString" : "quantity";
  switch (schema.type) {
    case "string":
      return stringType(schema);
    case "integer":
      return schema.format === "int32" ? "int32" : "int64";
    case "number":
      return "number";
    case "boolean":
      return "flag";
    case "array":
      return "list";
    case "object":
      return "object";
    default:
      return "anything";
  }
};

/** Values for the members that tell elements of a list apart, so that only the value in question is wrong. */
const identity = (list: StructuralSchema): Readonly<Record<string, unknown>> => {
  const keys = [...(list["x-kubernetes-list-map-keys"] ?? []), list["x-kubernetes-patch-merge-key"] ?? ""];
  const { properties = {} } = list.items ?? {};
  const known = keys.filter((key) => properties[key] !== undefined);
  return Object.fromEntries(known.map((key) => [key, properties[key]?.type === "integer" ? 1 : "k"]));
};

type Wrap = (value: unknown) => unknown;

/** Every place of the kinds, those of a type that several share once, in the first kind that has it. */
export const leavesOf = (definitions: readonly ResourceDefinition[]): readonly Leaf[] => {
  const leaves: Leaf[] = [];
  const seen = new Set<StructuralSchema>();
  for (const definition of definitions) {
    const visit = (schema: StructuralSchema, path: string, wrap: Wrap): void => {
      if (path !== "") {
        const skeleton = wrap(placeholder) as Leaf["skeleton"];
        leaves.push({ definition, path, type: typeOf(schema), skeleton });
      }
      const { additionalProperties, items, properties } = schema;
      if (items !== undefined) {
        const own = identity(schema);
        visit(items, `${path}[]`, (value) =>
          wrap([typeof value === "object" && !Array.isArray(value) ? { ...own, ...value } : value]),
        );
      }
      if (typeof additionalProperties === "object") {
        visit(additionalProperties, `${path}{}`, (value) => wrap({ k: value }));
      }
      if (properties === undefined || seen.has(schema)) return;
      seen.add(schema);
      for (const [name, member] of Object.entries(properties)) {
        if (path === "" && (name === "apiVersion" || name === "kind")) continue;
        visit(member, path === "" ? name : `${path}.${name}`, (value) => wrap({ [name]: value }));
      }
    };
    visit(definition.schema, "", (value) => value);
  }
  return leaves;
};
