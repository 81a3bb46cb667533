import { isJsonObject } from "../json-object.ts";
import { invalid, required, typeInvalid } from "./causes.ts";
import { childPath, indexPath, keyPath } from "./path.ts";
import { patternError } from "./patterns.ts";
import type { Cause } from "./structural-schema.ts";

/** Reports what is wrong with the value of a keyword. */
type Check = (value: unknown, path: string, causes: Cause[]) => void;

const typeName = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "bigint" ? "integer" : typeof value;

const isA =
  (what: string, holds: (value: unknown) => boolean): Check =>
  (value, path, causes) => {
    if (!holds(value)) causes.push(typeInvalid(path, typeName(value), `must be ${what}`));
  };

/** Null stands for an absent value, as it does when a definition is read. */
const orNull =
  (check: Check): Check =>
  (value, path, causes) => {
    if (value !== null) check(value, path, causes);
  };

const text = isA("a text", (value) => typeof value === "string");
const flag = isA("true or false", (value) => typeof value === "boolean");
const limit = isA("a number", (value) => typeof value === "number" || typeof value === "bigint");
const count = isA(`an integer of at most ${Number.MAX_SAFE_INTEGER}`, Number.isSafeInteger);
const list = isA("a list", Array.isArray);
const object = isA("an object", isJsonObject);

const listOf =
  (item: Check): Check =>
  (value, path, causes) => {
    list(value, path, causes);
    if (Array.isArray(value)) value.forEach((entry, index) => item(entry, indexPath(path, index), causes));
  };

const mapOf =
  (member: Check): Check =>
  (value, path, causes) => {
    object(value, path, causes);
    if (!isJsonObject(value)) return;
    for (const [name, entry] of Object.entries(value)) member(entry, keyPath(path, name), causes);
  };

const members = (value: unknown, path: string, checks: Readonly<Record<string, Check>>, causes: Cause[]): void => {
  object(value, path, causes);
  if (!isJsonObject(value)) return;
  for (const [name, check] of Object.entries(checks)) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member !== undefined) check(member, childPath(path, name), causes);
  }
};

const pattern: Check = (value, path, causes) => {
  text(value, path, causes);
  const fault = typeof value === "string" ? patternError(value) : undefined;
  if (fault !== undefined) {
    causes.push(invalid(path, value, `must be a valid regular expression, but isn't: ${fault}`));
  }
};

const rule: Check = (value, path, causes) => {
  members(value, path, ruleMembers, causes);
  if (isJsonObject(value) && value["rule"] === undefined) {
    causes.push(required(childPath(path, "rule"), "rule is not specified"));
  }
};

const ruleMembers: Readonly<Record<string, Check>> = {
  rule: text,
  message: text,
  messageExpression: text,
  reason: text,
  fieldPath: text,
  optionalOldSelf: flag,
};

/** Returns whether the keywords of a schema, and of every schema in it, have values of the right type; without that nothing else can be told. */
export const checkShape: Check = (schema, path, causes) => members(schema, path, keywords, causes);

const schemas = listOf(checkShape);

const keywords: Readonly<Record<string, Check>> = {
  description: orNull(text),
  format: orNull(text),
  pattern: orNull(pattern),
  nullable: orNull(flag),
  uniqueItems: orNull(flag),
  exclusiveMinimum: orNull(flag),
  exclusiveMaximum: orNull(flag),
  minimum: limit,
  maximum: limit,
  multipleOf: limit,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minProperties: count,
  maxProperties: count,
  enum: list,
  required: orNull(listOf(text)),
  properties: orNull(mapOf(checkShape)),
  // A list of schemas is refused as not structural.
  items: (value, path, causes) => (Array.isArray(value) ? undefined : checkShape(value, path, causes)),
  additionalProperties: (value, path, causes) =>
    typeof value === "boolean" ? undefined : checkShape(value, path, causes),
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  not: checkShape,
  "x-kubernetes-list-map-keys": orNull(listOf(text)),
  "x-kubernetes-embedded-resource": orNull(flag),
  "x-kubernetes-int-or-string": orNull(flag),
  "x-kubernetes-preserve-unknown-fields": orNull(flag),
  "x-kubernetes-validations": orNull(listOf(rule)),
};
