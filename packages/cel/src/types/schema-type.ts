import type { CelField, CelType } from "./cel-type.ts";
import { bool, bytes, double, duration, dyn, int, list, map, object, string, timestamp } from "./cel-type.ts";

/** The members of a structural schema that decide the CEL type. Any structural schema is one. */
export interface SchemaNode {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
}

/** The largest request body, in bytes: the bound of everything that has no bound of its own. */
const maxRequest = 3 * 1024 * 1024;

/** Words of the grammar, which no selection can spell. */
const keywords = new Set(["true", "false", "null", "in"]);
/** Words no variable may be named; members of these names can be selected escaped and, since Kubernetes 1.32, as they are. */
const reservedWords = new Set(
  "as break const continue else for function if import let loop package namespace return var void while".split(" "),
);

const substitutes: readonly (readonly [RegExp, string])[] = [
  [/__/g, "__underscores__"],
  [/\./g, "__dot__"],
  [/-/g, "__dash__"],
  [/\//g, "__slash__"],
];

/** The name under which a member can always be selected, or undefined if it cannot. */
export const escapeName = (name: string): string | undefined => {
  if (!/^[A-Za-z_][A-Za-z0-9_.\-/]*$/.test(name)) return undefined;
  if (keywords.has(name) || reservedWords.has(name)) return `__${name}__`;
  return substitutes.reduce((escaped, [pattern, substitute]) => escaped.replace(pattern, substitute), name);
};

/** A type and the fewest bytes its JSON takes, which bounds how many of it fit in a request. */
interface Sized {
  readonly type: CelType;
  readonly minBytes: number;
}

const longestWord = (schema: SchemaNode): number =>
  Math.max(0, ...(schema.enum ?? []).map((word) => (typeof word === "string" ? word.length : 0)));

const stringType = (schema: SchemaNode): Sized => {
  switch (schema.format) {
    case "byte":
      return { type: { ...bytes, maxSize: schema.maxLength ?? maxRequest - 2, format: "byte" }, minBytes: 2 };
    case "duration":
      return { type: { ...duration, maxSize: 23, format: "duration" }, minBytes: 2 };
    case "date":
      return { type: { ...timestamp, maxSize: 10, format: "date" }, minBytes: 12 };
    case "date-time":
      return { type: { ...timestamp, maxSize: 35, format: "date-time" }, minBytes: 22 };
  }
  // Lengths of schemas count code points, of which each may take four bytes.
  const bound = schema.maxLength !== undefined ? schema.maxLength * 4 : schema.enum && longestWord(schema);
  return { type: { ...string, maxSize: bound ?? maxRequest - 2 }, minBytes: 2 };
};

const listType = (schema: SchemaNode): Sized | undefined => {
  const element = schema.items && sized(schema.items, schema.items["x-kubernetes-embedded-resource"] === true);
  if (element === undefined) return undefined;
  const maxSize = schema.maxItems ?? Math.floor((maxRequest - 2) / (element.minBytes + 1));
  const kind = schema["x-kubernetes-list-type"];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (kind === "set") return { type: list(element.type, { maxSize, identity: { type: "set" } }), minBytes: 2 };
  if (kind === "map") return { type: list(element.type, { maxSize, identity: { type: "map", keys } }), minBytes: 2 };
  return { type: list(element.type, { maxSize }), minBytes: 2 };
};

const resourceMembers: Readonly<Record<string, SchemaNode>> = {
  apiVersion: { type: "string" },
  kind: { type: "string" },
  metadata: { type: "object", properties: { name: { type: "string" }, generateName: { type: "string" } } },
};

const objectType = (schema: SchemaNode, isResource: boolean): Sized => {
  const fields = new Map<string, CelField>();
  const properties = isResource ? { ...schema.properties, ...resourceMembers } : (schema.properties ?? {});
  let minBytes = 2;
  for (const [name, property] of Object.entries(properties)) {
    const member = sized(property, property["x-kubernetes-embedded-resource"] === true);
    if (member === undefined) continue;
    const escaped = escapeName(name);
    if (escaped !== undefined) fields.set(escaped, { jsonName: name, type: member.type });
    if (reservedWords.has(name)) fields.set(name, { jsonName: name, type: member.type, alias: true });
    const isWritten = schema.required?.includes(name) === true && property.default === undefined;
    if (isWritten) minBytes += name.length + 4 + member.minBytes;
  }
  return { type: object("object", fields), minBytes };
};

const mapType = (value: SchemaNode, schema: SchemaNode): Sized | undefined => {
  const entry = sized(value, value["x-kubernetes-embedded-resource"] === true);
  if (entry === undefined) return undefined;
  const maxSize = schema.maxProperties ?? Math.floor((maxRequest - 2) / (entry.minBytes + 6));
  return { type: map(string, entry.type, { maxSize }), minBytes: 2 };
};

const scalars: Readonly<Record<string, Sized>> = {
  boolean: { type: bool, minBytes: 4 },
  number: { type: double, minBytes: 1 },
  integer: { type: int, minBytes: 1 },
};

const untyped = (schema: SchemaNode, isResource: boolean): Sized | undefined => {
  if (schema["x-kubernetes-int-or-string"] === true) {
    const maxSize = schema.maxLength === undefined ? maxRequest - 2 : schema.maxLength * 4;
    return { type: { ...dyn, maxSize }, minBytes: 1 };
  }
  const type = isResource ? "object" : schema.type;
  if (type === "array") return listType(schema);
  if (type === "string") return stringType(schema);
  if (type !== "object") return scalars[type ?? ""];
  const { additionalProperties } = schema;
  if (typeof additionalProperties === "object") return mapType(additionalProperties, schema);
  return objectType(schema, isResource);
};

const sized = (schema: SchemaNode, isResource: boolean): Sized | undefined => {
  const result = untyped(schema, isResource);
  if (result === undefined || schema.nullable !== true) return result;
  return { ...result, type: { ...result.type, nullable: true } };
};

export interface SchemaTypeOptions {
  /** The root of a resource: `apiVersion`, `kind`, `metadata.name` and `metadata.generateName` are always readable. */
  readonly isResource?: boolean;
}

/**
 * The CEL type of the data a structural schema describes, or undefined if rules cannot see it: content without a known
 * type (`x-kubernetes-preserve-unknown-fields`), and lists and maps of such content. int-or-string is `dyn`. Members whose
 * type is unknown or whose name cannot be written do not exist. Use one result for all variables of the same node.
 */
export const celTypeOf = (schema: SchemaNode, options: SchemaTypeOptions = {}): CelType | undefined =>
  sized(schema, options.isResource === true || schema["x-kubernetes-embedded-resource"] === true)?.type;

/** The most values of this node that fit in one request, however many lists and maps they are spread over. */
export const maxOccurrences = (schema: SchemaNode, options: SchemaTypeOptions = {}): number =>
  Math.floor(maxRequest / ((sized(schema, options.isResource === true)?.minBytes ?? 1) + 1));
