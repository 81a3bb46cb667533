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
export const checkJunctorParts = (schema: StructuralSchema, path: string, causes: Cause[]): void => {
  const exempt = schema["x-kubernetes-int-or-string"] === true;
  for (const junctor of ["allOf", "anyOf", "oneOf"] as const) {
    const parts = schema[junctor];
    if (exempt && junctor === "anyOf" && isIntOrString(parts)) continue;
    for (const [index, part] of (parts ?? []).entries()) {
      if (exempt && junctor === "allOf" && sameJson(part, { anyOf: intOrString })) continue;
      checkPart(part, schema, indexPath(childPath(path, junctor), index), path, causes);
    }
  }
  if (schema.not !== undefined) checkPart(schema.not, schema, childPath(path, "not"), path, causes);
};

const checkPart = (
  part: StructuralSchema,
  declared: StructuralSchema,
  path: string,
  declaredPath: string,
  causes: Cause[],
): void => {
  for (const keyword of shaping) {
    if ((part as Readonly<Record<string, unknown>>)[keyword] !== undefined) {
      causes.push(forbidden(childPath(path, keyword), "must be empty to be structural"));
    }
  }
  for (const [name, property] of Object.entries(part.properties ?? {})) {
    const at = keyPath(childPath(declaredPath, "properties"), name);
    const restricted = keyPath(childPath(path, "properties"), name);
    const base = own(declared.properties, name);
    if (base === undefined) causes.push(required(at, `because it is defined in ${restricted}`));
    else checkPart(property, base, restricted, at, causes);
  }
  if (part.items !== undefined) {
    const at = childPath(declaredPath, "items");
    if (declared.items === undefined) causes.push(required(at, `because it is defined in ${childPath(path, "items")}`));
    else checkPart(part.items, declared.items, childPath(path, "items"), at, causes);
  }
  for (const junctor of ["allOf", "anyOf", "oneOf"] as const) {
    for (const [index, inner] of (part[junctor] ?? []).entries()) {
      checkPart(inner, declared, indexPath(childPath(path, junctor), index), declaredPath, causes);
    }
  }
  if (part.not !== undefined) checkPart(part.not, declared, childPath(path, "not"), declaredPath, causes);
};
