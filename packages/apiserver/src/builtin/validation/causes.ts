import { isDnsLabel } from "@capstan/kube-values";
import { type Cause, jsonText } from "@capstan/schema/structural";

export type Causes = readonly Cause[];

export const required = (field: string, message = ""): Cause => ({
  reason: "FieldValueRequired",
  field,
  message: message === "" ? "Required value" : `Required value: ${message}`,
});

export const invalid = (field: string, value: unknown, message: string): Cause => ({
  reason: "FieldValueInvalid",
  field,
  message: `Invalid value: ${jsonText(value)}: ${message}`,
});

export const forbidden = (field: string, message: string): Cause => ({
  reason: "FieldValueForbidden",
  field,
  message: `Forbidden: ${message}`,
});

export const duplicate = (field: string, value: unknown): Cause => ({
  reason: "FieldValueDuplicate",
  field,
  message: `Duplicate value: ${jsonText(value)}`,
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

export const notSupported = (field: string, value: unknown, allowed: readonly string[]): Cause => ({
  reason: "FieldValueNotSupported",
  field,
  message: `Unsupported value: ${jsonText(value)}: supported values: ${allowed.map((one) => `"${one}"`).join(", ")}`,
});

export const notFound = (field: string, value: unknown): Cause => ({
  reason: "FieldValueNotFound",
  field,
  message: `Not found: ${jsonText(value)}`,
});

export const immutable = (field: string, value: unknown): Cause => invalid(field, value, "field is immutable");

/** A cause when a value that is present is none of the allowed ones. */
export const oneOf = (field: string, value: unknown, allowed: readonly string[]): Causes =>
  value === undefined || value === null || allowed.includes(value as string)
    ? []
    : [notSupported(field, value, allowed)];

/** A cause when a number that is present lies outside. */
export const between = (field: string, value: unknown, least: number, most = Infinity): Causes => {
  if ((typeof value !== "number" && typeof value !== "bigint") || (value >= least && value <= most)) {
    return [];
  }
  const range =
    most === Infinity ? `must be greater than or equal to ${least}` : `must be between ${least} and ${most}, inclusive`;
  return [invalid(field, value, range)];
};

/** A cause for every element whose identity stood before. */
export const unique = (
  list: readonly unknown[],
  identity: (item: unknown) => unknown,
  field: (index: number) => string,
): Causes => {
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    const id = identity(item);
    const key = jsonText(id) ?? "";
    const known = seen.has(key);
    seen.add(key);
    return known && id !== undefined && id !== "" ? [duplicate(field(index), id)] : [];
  });
};

/** A cause when a name that is present is not a DNS label. */
export const dnsLabel = (field: string, value: unknown): Causes =>
  typeof value !== "string" || value === "" || isDnsLabel(value)
    ? []
    : [
        invalid(
          field,
          value,
          "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
        ),
      ];
