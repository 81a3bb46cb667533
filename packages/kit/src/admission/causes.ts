import { type Cause, sameJson } from "@capstan/schema";

export const invalid = (field: string, value: unknown, why: string): Cause => ({
  reason: "FieldValueInvalid",
  field,
  message: `Invalid value: ${JSON.stringify(value) ?? "null"}: ${why}${holdsVariable(value) ? replaceIt : ""}`,
});

/** A file with variables that was applied as it is. */
const holdsVariable = (value: unknown): boolean => typeof value === "string" && /\$\{[A-Z_]/.test(value);
const replaceIt = "; replace its variable first, for example by capstan generate yaml";

/** For content that may contain secrets: the message omits the value. */
export const invalidContent = (field: string, why: string): Cause => ({
  reason: "FieldValueInvalid",
  field,
  message: `Invalid value: ${why}`,
});

export const required = (field: string, why: string): Cause => ({
  reason: "FieldValueRequired",
  field,
  message: `Required value: ${why}`,
});

export const forbidden = (field: string, why: string): Cause => ({
  reason: "FieldValueForbidden",
  field,
  message: `Forbidden: ${why}`,
});

export const tooLong = (field: string, why: string): Cause => ({
  reason: "FieldValueTooLong",
  field,
  message: `Too long: ${why}`,
});

/** A field that keeps its first value. `before` is `undefined` for a new object. */
export const unchanged = (field: string, before: unknown, after: unknown): readonly Cause[] =>
  before === undefined || sameJson(before, after) ? [] : [invalid(field, after, "field is immutable")];
