import { isJsonObject, type JsonObject } from "../json-object.ts";
import { sameJson } from "../same-json.ts";
import { invalid, notSupported, required, tooLong, tooMany, typeInvalid } from "./causes.ts";
import { itemsBefore, memberBefore } from "./correlate.ts";
import type { Before } from "./correlate.ts";
import { fitsFormat, hasFormat } from "./formats.ts";
import { own } from "./json.ts";
import { duplicates } from "./list-types.ts";
import { objectMetaSchema } from "./object-meta.ts";
import { childPath, indexPath } from "./path.ts";
import { matchesPattern } from "./patterns.ts";
import type { Cause, StructuralSchema } from "./structural-schema.ts";

export interface ValidateOptions {
  /** The value before the update; absent on create. Faults of parts that did not change are then tolerated. */
  readonly oldValue?: unknown;
  /** Path of `value` in its object. Default: the object itself. */
  readonly path?: string;
  /** True if items of sets and keys of maps may be repeated. Default false. */
  readonly repeated?: boolean;
}

/**
 * Everything but CEL that the API server checks of a value already pruned and defaulted: types, limits, formats, enums,
 * list types, embedded resources. Faults of `anyOf`, `oneOf`, `allOf` and `not` have the field `<nil>`.
 */
export const validate = (schema: StructuralSchema, value: unknown, options: ValidateOptions = {}): readonly Cause[] => {
  const path = options.path ?? "";
  const updating = options.oldValue !== undefined;
  const causes: Cause[] = [];
  check(schema, value, path, updating ? { value: options.oldValue } : undefined, causes);
  const repeated = options.repeated === true ? [] : duplicates(schema, value, path);
  const tolerated = repeated.length > 0 && updating && duplicates(schema, options.oldValue, path).length > 0;
  return tolerated ? causes : [...causes, ...repeated];
};

const blocking: ReadonlySet<Cause["reason"]> = new Set([
  "FieldValueRequired",
  "FieldValueNotSupported",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** Returns whether the value is so far off that CEL rules are not evaluated. */
export const blocksRules = (causes: readonly Cause[]): boolean => causes.some(({ reason }) => blocking.has(reason));

const check = (
  schema: StructuralSchema,
  value: unknown,
  path: string,
  before: Before | undefined,
  causes: Cause[],
): void => {
  if (before !== undefined && sameJson(before.value, value)) return;
  checkType(schema, value, path, causes);
  // Null is never one of the values, not even where the list names it.
  if (schema.enum !== undefined && (value === null || !schema.enum.some((allowed) => sameJson(allowed, value)))) {
    causes.push(notSupported(path, value, schema.enum));
  }
  if (value === null) return;
  checkJunctors(schema, value, path, causes);
  if (typeof value === "string") checkString(schema, value, path, causes);
  else if (typeof value === "number" || typeof value === "bigint") checkNumber(schema, value, path, causes);
  else if (Array.isArray(value)) checkList(schema, value, path, before, causes);
  else if (isJsonObject(value)) checkObject(schema, value, path, before, causes);
};

/** Integers that a number cannot hold are a bigint. */
const isInteger = (value: unknown): boolean => Number.isInteger(value) || typeof value === "bigint";

const typeOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return isInteger(value) ? "integer" : typeof value;
};

const checkType = (schema: StructuralSchema, value: unknown, path: string, causes: Cause[]): void => {
  const wanted: readonly string[] =
    schema["x-kubernetes-int-or-string"] === true
      ? ["integer", "string"]
      : schema.type === undefined
        ? []
        : [schema.type];
  const actual = typeOf(value);
  if (wanted.length === 0 || wanted.includes(actual)) return;
  if (actual === "integer" && wanted.includes("number")) return;
  if (actual === "null" && schema.nullable === true) return;
  causes.push(typeInvalid(path, actual, `${path} in body must be of type ${wanted.join(",")}: "${actual}"`));
};

/** Unicode code points, which is what length limits count: at most the UTF-16 units, and at least half of them. */
const characters = (value: string): number => Array.from(value).length;

const checkString = (schema: StructuralSchema, value: string, path: string, causes: Cause[]): void => {
  const { minLength, maxLength, format, pattern } = schema;
  if (maxLength !== undefined && value.length > maxLength && characters(value) > maxLength) {
    causes.push(tooLong(path, maxLength));
  } else if (minLength !== undefined && value.length < 2 * minLength && characters(value) < minLength) {
    causes.push(invalid(path, value, `${path} in body should be at least ${minLength} chars long`));
  } else if (!matchesPattern(schema, value)) {
    causes.push(invalid(path, value, `${path} in body should match '${pattern}'`));
  }
  if (format === "byte" && !hasFormat(format, value)) {
    // What should be bytes is often secret, and written plainly by mistake: it does not belong in a message.
    causes.push(typeInvalid(path, "string", `${path} in body must be of type byte, which is base64`));
  } else if (format !== undefined && !hasFormat(format, value)) {
    causes.push(typeInvalid(path, value, `${path} in body must be of type ${format}: ${JSON.stringify(value)}`));
  }
};

const isMultiple = (value: number | bigint, of: number | bigint): boolean => {
  const isExact = isInteger(value) && isInteger(of) && Number(of) !== 0;
  return isExact ? BigInt(value) % BigInt(of) === 0n : Number.isInteger(Number(value) / Number(of));
};

const checkNumber = (schema: StructuralSchema, value: number | bigint, path: string, causes: Cause[]): void => {
  const { minimum, maximum, exclusiveMinimum = false, exclusiveMaximum = false, multipleOf, format } = schema;
  const fail = (detail: string) => causes.push(invalid(path, value, `${path} in body ${detail}`));
  if (minimum !== undefined && (value < minimum || (exclusiveMinimum && value <= minimum))) {
    fail(`should be greater than ${exclusiveMinimum ? "" : "or equal to "}${minimum}`);
  }
  if (maximum !== undefined && (value > maximum || (exclusiveMaximum && value >= maximum))) {
    fail(`should be less than ${exclusiveMaximum ? "" : "or equal to "}${maximum}`);
  }
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) fail(`should be a multiple of ${multipleOf}`);
  if (schema.type === "integer" && !(isInteger(value) && fitsFormat(format ?? "int64", value))) {
    causes.push(invalid("<nil>", "", `${path} must be of type integer with format ${format ?? "int64"}`));
  }
};

const checkList = (
  schema: StructuralSchema,
  value: readonly unknown[],
  path: string,
  before: Before | undefined,
  causes: Cause[],
): void => {
  const { minItems, maxItems, items } = schema;
  if (maxItems !== undefined && value.length > maxItems) causes.push(tooMany(path, value.length, maxItems));
  if (minItems !== undefined && value.length < minItems) {
    causes.push(invalid(path, value.length, `${path} in body should have at least ${minItems} items`));
  }
  if (items === undefined) return;
  const itemBefore = itemsBefore(schema, before);
  for (const [index, item] of value.entries()) {
    check(items, item, indexPath(path, index), itemBefore(item), causes);
  }
};

const checkObject = (
  schema: StructuralSchema,
  value: JsonObject,
  path: string,
  before: Before | undefined,
  causes: Cause[],
): void => {
  const { minProperties, maxProperties, properties, additionalProperties } = schema;
  const names = Object.keys(value);
  if (maxProperties !== undefined && names.length > maxProperties) {
    causes.push(tooMany(path, names.length, maxProperties));
  }
  if (minProperties !== undefined && names.length < minProperties) {
    causes.push(invalid(path, names.length, `${path} in body should have at least ${minProperties} properties`));
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) causes.push(required(childPath(path, name)));
  }
  const isClosed = additionalProperties === false;
  for (const name of isClosed ? names.filter((each) => own(properties, each) === undefined) : []) {
    causes.push(invalid(path, "", `${path}.${name} in body is a forbidden property`));
  }
  if (schema["x-kubernetes-embedded-resource"] === true) checkResource(value, path, before, causes);
  for (const name of names) {
    const of = own(properties, name) ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
    if (of !== undefined) check(of, own(value, name), childPath(path, name), memberBefore(before, name), causes);
  }
};

/** An embedded resource names its type, and its metadata is an ObjectMeta. */
const checkResource = (value: JsonObject, path: string, before: Before | undefined, causes: Cause[]): void => {
  for (const name of ["apiVersion", "kind"]) {
    const member = own(value, name);
    const at = childPath(path, name);
    if (member === undefined || member === "") causes.push(required(at, "must not be empty"));
    else if (typeof member !== "string") causes.push(invalid(at, member, "must be a string"));
  }
  const metadata = own(value, "metadata");
  if (metadata !== undefined) {
    check(objectMetaSchema, metadata, childPath(path, "metadata"), memberBefore(before, "metadata"), causes);
  }
};

const causesOf = (schema: StructuralSchema, value: unknown, path: string): Cause[] => {
  const causes: Cause[] = [];
  check(schema, value, path, undefined, causes);
  return causes;
};

const checkJunctors = (schema: StructuralSchema, value: unknown, path: string, causes: Cause[]): void => {
  const { anyOf, oneOf, allOf, not } = schema;
  const fail = (detail: string) => causes.push(invalid("<nil>", "", `"${path}" ${detail}`));
  if (anyOf !== undefined) {
    const outcomes = anyOf.map((alternative) => causesOf(alternative, value, path));
    if (outcomes.every((outcome) => outcome.length > 0)) {
      fail("must validate at least one schema (anyOf)");
      causes.push(...(outcomes[0] ?? []));
    }
  }
  if (oneOf !== undefined) {
    const outcomes = oneOf.map((alternative) => causesOf(alternative, value, path));
    const valid = outcomes.filter((outcome) => outcome.length === 0).length;
    if (valid === 0) {
      fail("must validate one and only one schema (oneOf). Found none valid");
      causes.push(...(outcomes[0] ?? []));
    } else if (valid > 1) {
      fail(`must validate one and only one schema (oneOf). Found ${valid} valid alternatives`);
    }
  }
  if (allOf !== undefined) {
    const failed = allOf.map((part) => causesOf(part, value, path)).filter((outcome) => outcome.length > 0);
    if (failed.length > 0) {
      fail(`must validate all the schemas (allOf)${failed.length === allOf.length ? ". None validated" : ""}`);
      causes.push(...failed.flat());
    }
  }
  if (not !== undefined && causesOf(not, value, path).length === 0) fail("must not validate the schema (not)");
};
