import { isJsonObject } from "../json-object.ts";
import { sameJson } from "../same-json.ts";
import { itemsBefore, memberBefore } from "./correlate.ts";
import type { Before } from "./correlate.ts";
import { own } from "./json.ts";
import { childPath, indexPath, keyPath } from "./path.ts";
import type { StructuralSchema, ValidationRule } from "./structural-schema.ts";

/** A value that CEL rules apply to. */
export interface RuleSite {
  readonly path: string;
  readonly schema: StructuralSchema;
  readonly rules: readonly ValidationRule[];
  readonly self: unknown;
  /** The value before; absent on create, for a new part, and where parts cannot be told apart (lists not of type map). */
  readonly oldSelf?: unknown;
  /** True if `oldSelf` is there: rules that use it apply only then, unless they have `optionalOldSelf`. */
  readonly correlated: boolean;
  /** True if `self` equals `oldSelf`: failures of rules that do not use oldSelf are then tolerated. */
  readonly unchanged: boolean;
  /** True if `self` is a whole object, of which rules also see apiVersion, kind and metadata. */
  readonly resource: boolean;
}

/** Visits every value with rules, outer ones first. `oldValue` is `undefined` on create. */
export const walkRules = (
  schema: StructuralSchema,
  value: unknown,
  oldValue: unknown,
  visit: (site: RuleSite) => void,
): void => {
  walk(schema, value, "", oldValue === undefined ? undefined : { value: oldValue }, true, visit);
};

const walk = (
  schema: StructuralSchema,
  value: unknown,
  path: string,
  before: Before | undefined,
  resource: boolean,
  visit: (site: RuleSite) => void,
): void => {
  if (!containsRules(schema)) return;
  const rules = schema["x-kubernetes-validations"];
  if (rules !== undefined && rules.length > 0) {
    visit({
      path,
      schema,
      rules,
      self: value,
      ...(before !== undefined && { oldSelf: before.value }),
      correlated: before !== undefined,
      unchanged: before !== undefined && sameJson(before.value, value),
      resource,
    });
  }
  const into = (of: StructuralSchema, member: unknown, at: string, memberOld: Before | undefined): void =>
    walk(of, member, at, memberOld, of["x-kubernetes-embedded-resource"] === true, visit);
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    const itemBefore = itemsBefore(schema, before);
    for (const [index, item] of value.entries()) into(items, item, indexPath(path, index), itemBefore(item));
  } else if (isJsonObject(value)) {
    const { additionalProperties } = schema;
    for (const [name, member] of Object.entries(value)) {
      const property = own(schema.properties, name);
      const memberOld = memberBefore(before, name);
      if (property !== undefined) into(property, member, childPath(path, name), memberOld);
      else if (typeof additionalProperties === "object") {
        into(additionalProperties, member, keyPath(path, name), memberOld);
      }
    }
  }
};

/** Remembered per schema node, so that parts without rules cost nothing; a cache that goes with the schema. */
const known = new WeakMap<StructuralSchema, boolean>();

const containsRules = (schema: StructuralSchema): boolean => {
  const remembered = known.get(schema);
  if (remembered !== undefined) return remembered;
  const { items, properties, additionalProperties } = schema;
  const contains =
    (schema["x-kubernetes-validations"] ?? []).length > 0 ||
    (items !== undefined && containsRules(items)) ||
    (typeof additionalProperties === "object" && containsRules(additionalProperties)) ||
    Object.values(properties ?? {}).some(containsRules);
  known.set(schema, contains);
  return contains;
};
