import { forbidden, invalid, notSupported, required } from "./causes.ts";
import { checkDefault } from "./schema-defaults.ts";
import { checkJunctorParts } from "./schema-junctors.ts";
import { checkLists } from "./schema-lists.ts";
import { checkRules } from "./schema-rules.ts";
import { checkShape } from "./schema-shape.ts";
import { childPath, keyPath } from "./path.ts";
import { resourceMembers } from "./object-meta.ts";
import type { Cause, StructuralSchema } from "./structural-schema.ts";

const types: readonly string[] = ["array", "boolean", "integer", "number", "object", "string"];

/** JSON-schema keywords that are not structural, and why. */
const unsupported: readonly (readonly [keyword: string, detail: string])[] = [
  ["$ref", "$ref is not supported"],
  ["$schema", "$schema is not supported"],
  ["id", "id is not supported"],
  ["definitions", "definitions is not supported"],
  ["dependencies", "dependencies is not supported"],
  ["patternProperties", "patternProperties is not supported"],
  ["additionalItems", "additionalItems is not supported"],
];

/**
 * Validates the schema of a CustomResourceDefinition as the API server does, except for the rules in CEL. `path` is
 * where the schema is, for example `spec.validation.openAPIV3Schema`.
 */
export const validateSchema = (schema: StructuralSchema, path: string): readonly Cause[] => {
  const causes: Cause[] = [];
  checkShape(schema, path, causes);
  if (causes.length > 0) return causes;
  if (schema.type === undefined) causes.push(required(childPath(path, "type"), "must not be empty at the root"));
  else if (schema.type !== "object") {
    causes.push(invalid(childPath(path, "type"), schema.type, "must be object at the root"));
  }
  if (schema.nullable === true) causes.push(forbidden(childPath(path, "nullable"), "cannot be true at the root"));
  if (schema.additionalProperties !== undefined) {
    causes.push(forbidden(childPath(path, "additionalProperties"), "must not be used at the root"));
  }
  checkNode(schema, path, { root: true }, causes);
  return causes;
};

interface Place {
  readonly root?: boolean;
  /** Name under which a missing type is reported. */
  readonly what?: string;
  /** apiVersion, kind and metadata of a resource, and what is in them: `top` of the whole object, `value` of a map in them. */
  readonly identity?: "top" | "embedded" | "value" | undefined;
  /** Defaults are not looked at where they apply to any key. */
  readonly isInMap?: boolean;
}

const checkNode = (schema: StructuralSchema, path: string, place: Place, causes: Cause[]): void => {
  checkKeywords(schema, path, causes);
  checkType(schema, path, place, causes);
  checkExtensions(schema, path, causes);
  checkLists(schema, path, causes);
  checkJunctorParts(schema, path, place.root === true, causes);
  checkRules(schema, path, causes);
  if (place.root === true || schema["x-kubernetes-embedded-resource"] === true) {
    checkResourceMembers(schema, path, place, causes);
  }
  if (schema.default !== undefined && schema.default !== null) checkDefaultAt(schema, path, place, causes);
  checkInner(schema, path, place, causes);
};

/** In metadata, values of a map have no defaults, nor has anything at the top: what they would be is not known there. */
const checkDefaultAt = (schema: StructuralSchema, path: string, place: Place, causes: Cause[]): void => {
  const { identity, isInMap = false } = place;
  if (identity === "top" || identity === "value") {
    const detail = identity === "top" ? "in top-level metadata" : "inside additionalProperties of object metadata";
    causes.push(forbidden(childPath(path, "default"), `must not be set ${detail}`));
  } else if (!isInMap) {
    checkDefault(schema, path, causes);
  }
};

const checkInner = (schema: StructuralSchema, path: string, place: Place, causes: Cause[]): void => {
  const { identity, isInMap = false, root = false } = place;
  const isResource = schema["x-kubernetes-embedded-resource"] === true;
  const { items, properties, additionalProperties } = schema;
  if (items !== undefined && !Array.isArray(items)) {
    checkNode(items, childPath(path, "items"), { what: "specified array items", identity, isInMap }, causes);
  }
  if (typeof additionalProperties === "object") {
    const at = childPath(path, "additionalProperties");
    checkNode(
      additionalProperties,
      at,
      { what: "specified object fields", identity: identity === "embedded" ? "value" : identity, isInMap: true },
      causes,
    );
  }
  for (const [name, property] of Object.entries(properties ?? {})) {
    const at = keyPath(childPath(path, "properties"), name);
    const isIdentity = (root || isResource) && resourceMembers.has(name);
    const inside = isIdentity ? (root ? "top" : "embedded") : identity;
    checkNode(property, at, { what: "specified object fields", identity: inside, isInMap }, causes);
  }
};

const checkKeywords = (schema: StructuralSchema, path: string, causes: Cause[]): void => {
  const { additionalProperties, items, properties, type, uniqueItems } = schema;
  for (const [keyword, detail] of unsupported) {
    if (Object.hasOwn(schema, keyword)) causes.push(forbidden(childPath(path, keyword), detail));
  }
  if (uniqueItems === true) {
    causes.push(forbidden(childPath(path, "uniqueItems"), "uniqueItems cannot be set to true; use list type set"));
  }
  const hasProperties = Object.keys(properties ?? {}).length > 0;
  if (additionalProperties !== undefined && additionalProperties !== true && hasProperties) {
    causes.push(
      forbidden(childPath(path, "additionalProperties"), "additionalProperties and properties are mutual exclusive"),
    );
  }
  if (Array.isArray(items)) {
    causes.push(forbidden(childPath(path, "items"), "items must be a schema object and not an array"));
  } else if (type === "array" && items === undefined) {
    causes.push(required(childPath(path, "items"), "must be specified"));
  }
};

const checkType = (schema: StructuralSchema, path: string, place: Place, causes: Cause[]): void => {
  const at = childPath(path, "type");
  const { type } = schema;
  const open = schema["x-kubernetes-int-or-string"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
  if (type === undefined) {
    // A reference stands for a type, and is refused itself.
    if (place.root !== true && !open && !Object.hasOwn(schema, "$ref")) {
      causes.push(required(at, `must not be empty for ${place.what ?? "values"}`));
    }
  } else if (!types.includes(type)) {
    if ((type as string) === "null") causes.push(forbidden(at, "type cannot be set to null, use nullable instead"));
    causes.push(notSupported(at, type, types));
  }
};

const checkExtensions = (schema: StructuralSchema, path: string, causes: Cause[]): void => {
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    const at = childPath(path, "x-kubernetes-preserve-unknown-fields");
    causes.push(invalid(at, false, "must be true or undefined"));
  }
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType !== undefined && mapType !== "granular" && mapType !== "atomic") {
    causes.push(notSupported(childPath(path, "x-kubernetes-map-type"), mapType, ["atomic", "granular"]));
  }
  if (mapType !== undefined) checkIsObject(schema, path, "x-kubernetes-map-type is specified", causes);
  for (const other of ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] as const) {
    if (schema["x-kubernetes-int-or-string"] === true && schema[other] === true) {
      causes.push(invalid(childPath(path, other), true, "must be false if x-kubernetes-int-or-string is true"));
    }
  }
  if (schema["x-kubernetes-embedded-resource"] === true) checkEmbedded(schema, path, causes);
};

const checkIsObject = ({ type }: StructuralSchema, path: string, why: string, causes: Cause[]): void => {
  const at = childPath(path, "type");
  if (type === undefined) causes.push(required(at, `must be object if ${why}`));
  else if (type !== "object") causes.push(invalid(at, type, `must be object if ${why}`));
};

const checkEmbedded = (schema: StructuralSchema, path: string, causes: Cause[]): void => {
  checkIsObject(schema, path, "x-kubernetes-embedded-resource is true", causes);
  if (schema.additionalProperties !== undefined) {
    const detail = "must not be used if x-kubernetes-embedded-resource is set";
    causes.push(forbidden(childPath(path, "additionalProperties"), detail));
  }
  const empty = Object.keys(schema.properties ?? {}).length === 0;
  if (empty && schema["x-kubernetes-preserve-unknown-fields"] !== true) {
    const detail =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    causes.push(required(childPath(path, "properties"), detail));
  }
};

/** apiVersion and kind are strings. At the root, metadata has nothing but its type and restrictions of name and generateName. */
const checkResourceMembers = (schema: StructuralSchema, path: string, place: Place, causes: Cause[]): void => {
  for (const name of resourceMembers) {
    const member = schema.properties?.[name];
    if (member === undefined) continue;
    const at = keyPath(childPath(path, "properties"), name);
    const type = name === "metadata" ? "object" : "string";
    if (member.type !== type) causes.push(invalid(childPath(at, "type"), member.type ?? "", `must be ${type}`));
    if (name !== "metadata" || place.root !== true) continue;
    const { type: _type, default: _default, properties, ...others } = member;
    const restricted = Object.keys(properties ?? {}).some((key) => key !== "name" && key !== "generateName");
    if (restricted || Object.keys(others).length > 0) {
      const detail = "must not specify anything other than name and generateName, but metadata is implicitly specified";
      causes.push(forbidden(at, detail));
    }
  }
};
