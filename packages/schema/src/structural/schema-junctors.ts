import { sameJson } from "../same-json.ts";
import { forbidden, required } from "./causes.ts";
import { own } from "./json.ts";
import { childPath, indexPath, keyPath } from "./path.ts";
import type { Cause, StructuralSchema } from "./structural-schema.ts";

/** Keywords that shape values; they belong outside of anyOf, oneOf, allOf and not. */
const shaping = [
  "type",
  "description",
  "title",
  "default",
  "nullable",
  "additionalProperties",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-map-type",
  "x-kubernetes-validations",
] as const;

const intOrString: readonly StructuralSchema[] = [{ type: "integer" }, { type: "string" }];

const isIntOrString = (parts: readonly StructuralSchema[] | undefined): boolean => sameJson(parts, intOrString);

/** The parts of anyOf, oneOf, allOf and not may only restrict what the node itself declares. */
export const checkJunctorParts = (schema: StructuralSchema, path: string, isRoot: boolean, causes: Cause[]): void => {
  const declared = isRoot ? { schema, path } : undefined;
  const exempt = schema["x-kubernetes-int-or-string"] === true;
  for (const junctor of ["allOf", "anyOf", "oneOf"] as const) {
    const parts = schema[junctor];
    if (exempt && junctor === "anyOf" && isIntOrString(parts)) continue;
    for (const [index, part] of (parts ?? []).entries()) {
      if (exempt && junctor === "allOf" && sameJson(part, { anyOf: intOrString })) continue;
      checkPart(part, declared, indexPath(childPath(path, junctor), index), causes);
    }
  }
  if (schema.not !== undefined) checkPart(schema.not, declared, childPath(path, "not"), causes);
};

/** Where what a part restricts is declared; that it is counts for parts at the root only. */
interface Declared {
  readonly schema: StructuralSchema;
  readonly path: string;
}

const checkPart = (part: StructuralSchema, declared: Declared | undefined, path: string, causes: Cause[]): void => {
  for (const keyword of shaping) {
    if ((part as Readonly<Record<string, unknown>>)[keyword] !== undefined) {
      causes.push(forbidden(childPath(path, keyword), "must be empty to be structural"));
    }
  }
  for (const [name, property] of Object.entries(part.properties ?? {})) {
    const restricted = keyPath(childPath(path, "properties"), name);
    if (name === "metadata") causes.push(forbidden(restricted, "must not be specified in a nested context"));
    const at = declared && {
      schema: own(declared.schema.properties, name),
      path: keyPath(childPath(declared.path, "properties"), name),
    };
    checkRestricted(property, at, restricted, causes);
  }
  if (part.items !== undefined) {
    const at = declared && { schema: declared.schema.items, path: childPath(declared.path, "items") };
    checkRestricted(part.items, at, childPath(path, "items"), causes);
  }
  for (const junctor of ["allOf", "anyOf", "oneOf"] as const) {
    for (const [index, inner] of (part[junctor] ?? []).entries()) {
      checkPart(inner, declared, indexPath(childPath(path, junctor), index), causes);
    }
  }
  if (part.not !== undefined) checkPart(part.not, declared, childPath(path, "not"), causes);
};

const checkRestricted = (
  part: StructuralSchema,
  declared: { readonly schema: StructuralSchema | undefined; readonly path: string } | undefined,
  path: string,
  causes: Cause[],
): void => {
  if (declared === undefined) checkPart(part, undefined, path, causes);
  else if (declared.schema === undefined) causes.push(required(declared.path, `because it is defined in ${path}`));
  else checkPart(part, { schema: declared.schema, path: declared.path }, path, causes);
};
