import { invalid, notSupported, required } from "./causes.ts";
import { own } from "./json.ts";
import { childPath, indexPath, keyPath } from "./path.ts";
import type { Cause, StructuralSchema, ValidationRule } from "./structural-schema.ts";

const reasons: readonly string[] = [
  "FieldValueDuplicate",
  "FieldValueForbidden",
  "FieldValueInvalid",
  "FieldValueRequired",
];

/** Everything about CEL rules that can be told without CEL. */
export const checkRules = (schema: StructuralSchema, path: string, causes: Cause[]): void => {
  for (const [index, rule] of (schema["x-kubernetes-validations"] ?? []).entries()) {
    const at = indexPath(childPath(path, "x-kubernetes-validations"), index);
    if (rule.rule.trim() === "") causes.push(required(childPath(at, "rule"), "rule is not specified"));
    if (rule.message !== undefined && rule.message.trim() === "") {
      causes.push(invalid(childPath(at, "message"), rule.message, "message must be non-empty if specified"));
    }
    if (rule.message?.includes("\n") === true) {
      causes.push(invalid(childPath(at, "message"), rule.message, "message must not contain line breaks"));
    }
    if (rule.message === undefined && rule.rule.includes("\n")) {
      causes.push(required(childPath(at, "message"), "message must be specified if rule contains line breaks"));
    }
    if (rule.reason !== undefined && !reasons.includes(rule.reason)) {
      causes.push(notSupported(childPath(at, "reason"), rule.reason, reasons));
    }
    if (rule.fieldPath !== undefined && ruleFieldPath(schema, rule.fieldPath) === undefined) {
      const detail = "fieldPath must be the path of a field below the rule, for example .spec.size";
      causes.push(invalid(childPath(at, "fieldPath"), rule.fieldPath, detail));
    }
  }
};

/**
 * A rule's `fieldPath`, a JSON path such as `.a['b.c']`, as a path relative to the rule's value; `undefined` if the
 * schema has no such field. List items cannot be named.
 */
export const ruleFieldPath = (schema: StructuralSchema, fieldPath: string): string | undefined => {
  const step = /\.([A-Za-z_]\w*)|\['((?:[^'\\]|\\.)*)'\]/y;
  let of: StructuralSchema | undefined = schema;
  let path = "";
  while (step.lastIndex < fieldPath.length) {
    const match = step.exec(fieldPath);
    if (match === null) return undefined;
    const name = match[1] ?? match[2]!.replaceAll(/\\(.)/g, "$1");
    const property: StructuralSchema | undefined = own(of.properties, name);
    const values: StructuralSchema | undefined =
      typeof of.additionalProperties === "object" ? of.additionalProperties : undefined;
    path = property === undefined ? keyPath(path, name) : childPath(path, name);
    of = property ?? values;
    if (of === undefined) return undefined;
  }
  return path === "" ? undefined : path;
};

/** A node of a schema that has CEL rules. */
export interface RuleNode {
  readonly path: string;
  readonly schema: StructuralSchema;
  readonly rules: readonly ValidationRule[];
  /** True if values of this node can be told apart across an update, so that rules may use oldSelf. */
  readonly correlatable: boolean;
  readonly resource: boolean;
}

/** Every node of a schema that has CEL rules, to compile them. `path` is where the schema stands. */
export const ruleNodes = (schema: StructuralSchema, path: string): readonly RuleNode[] => {
  const nodes: RuleNode[] = [];
  collect(schema, { path, correlatable: true, resource: true }, nodes);
  return nodes;
};

const collect = (
  schema: StructuralSchema,
  place: Pick<RuleNode, "path" | "correlatable" | "resource">,
  nodes: RuleNode[],
): void => {
  const { items, properties, additionalProperties } = schema;
  const rules = schema["x-kubernetes-validations"] ?? [];
  if (rules.length > 0) nodes.push({ ...place, schema, rules });
  const into = (of: StructuralSchema, path: string, correlatable = place.correlatable): void =>
    collect(of, { path, correlatable, resource: of["x-kubernetes-embedded-resource"] === true }, nodes);
  if (items !== undefined) {
    const keyed = schema["x-kubernetes-list-type"] === "map";
    into(items, childPath(place.path, "items"), place.correlatable && keyed);
  }
  if (typeof additionalProperties === "object") {
    into(additionalProperties, childPath(place.path, "additionalProperties"));
  }
  for (const [name, property] of Object.entries(properties ?? {})) {
    into(property, keyPath(childPath(place.path, "properties"), name));
  }
};
