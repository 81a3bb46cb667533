import type { Cause } from "./structural-schema.ts";
import { jsonText } from "./json-text.ts";

const shown = (value: unknown): string => (value === undefined ? "null" : jsonText(value));

export const required = (field: string, detail = ""): Cause => ({
  reason: "FieldValueRequired",
  field,
  message: detail === "" ? "Required value" : `Required value: ${detail}`,
});

export const invalid = (field: string, value: unknown, detail: string): Cause => ({
  reason: "FieldValueInvalid",
  field,
  message: `Invalid value: ${shown(value)}: ${detail}`,
});

export const typeInvalid = (field: string, value: unknown, detail: string): Cause => ({
  ...invalid(field, value, detail),
  reason: "FieldValueTypeInvalid",
});

export const notSupported = (field: string, value: unknown, supported: readonly unknown[]): Cause => ({
  reason: "FieldValueNotSupported",
  field,
  message: `Unsupported value: ${shown(value)}: supported values: ${supported.map(shown).join(", ")}`,
});

export const duplicate = (field: string, value: unknown): Cause => ({
  reason: "FieldValueDuplicate",
  field,
  message: `Duplicate value: ${shown(value)}`,
});

export const forbidden = (field: string, detail: string): Cause => ({
  reason: "FieldValueForbidden",
  field,
  message: `Forbidden: ${detail}`,
});

export const tooLong = (field: string, limit: number): Cause => ({
  reason: "FieldValueTooLong",
  field,
  message: `Too long: may not be more than ${limit} bytes`,
});

export const tooMany = (field: string, actual: number, limit: number): Cause => ({
  reason: "FieldValueTooMany",
  field,
  message: `Too many: ${actual}: must have at most ${limit} items`,
});
