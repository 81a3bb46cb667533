import { isIP, isIPv4, isIPv6 } from "node:net";
import { isJsonObject } from "@capstan/schema";
import { invalid, type Refusal, violation } from "../http/refusal.ts";
import { isNetwork } from "../network/address-range.ts";
import type { ArrayShape, Format, NumberShape, ObjectShape, Shape, StringShape } from "./shape.ts";

/**
 * Throws for the first thing that does not fit. Unknown fields and wrong types are violations: no correct client sends
 * them. Values outside the limits are ordinary refusals.
 */
export const checkShape = (value: unknown, shape: Shape, field = ""): void => {
  if (value === null && shape.type !== "json") {
    if (shape.nullable === true) return;
    throw violation("must not be null", field);
  }
  checkers[shape.type](value, shape as never, field);
};

/** A value that came as text, in a query or a form. */
export const readText = (value: string, shape: Shape, field: string): unknown => {
  const read = fromText(value, shape, field);
  checkShape(read, shape, field);
  return read;
};

const fromText = (value: string, { type }: Shape, field: string): unknown => {
  if (type === "integer" || type === "number") {
    if (!/^-?\d+(?:\.\d+)?$/.test(value)) throw typeError(type === "integer" ? "an integer" : "a number", field);
    return Number(value);
  }
  if (type !== "boolean") return value;
  if (value !== "true" && value !== "false") throw typeError("true or false", field);
  return value === "true";
};

const child = (field: string, name: string | number): string => (field === "" ? String(name) : `${field}.${name}`);

const typeError = (expected: string, field: string): Refusal => violation(`must be ${expected}`, field);

const formats: Readonly<Record<Format, { readonly is: (value: string) => boolean; readonly wanted: string }>> = {
  digits: { is: (value) => /^\d+$/.test(value), wanted: "digits only" },
  email: { is: (value) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value), wanted: "a valid email address" },
  url: { is: (value) => URL.canParse(value), wanted: "a valid URL" },
  ip: { is: (value) => isIP(value) > 0, wanted: "a valid IP address" },
  ipv4: { is: isIPv4, wanted: "a valid IPv4 address" },
  ipv6: { is: isIPv6, wanted: "a valid IPv6 address" },
  network: { is: isNetwork, wanted: "a valid IP address with a prefix length" },
};

const boundsOf = ({ min, max }: NumberShape): string =>
  min === undefined ? `at most ${max}` : max === undefined ? `at least ${min}` : `${min}-${max}`;

const number = (value: unknown, shape: NumberShape, field: string): void => {
  const fits = shape.type === "integer" ? Number.isInteger(value) : Number.isFinite(value);
  if (!fits) throw typeError(shape.type === "integer" ? "an integer" : "a number", field);
  if ((value as number) < (shape.min ?? -Infinity) || (value as number) > (shape.max ?? Infinity)) {
    throw invalid(`Must be ${boundsOf(shape)}`, field);
  }
  if (shape.enum?.includes(value as number) === false) {
    throw invalid(`Must be one of ${shape.enum.join(", ")}`, field);
  }
};

const checkers = {
  string: (value: unknown, shape: StringShape, field: string): void => {
    if (typeof value !== "string") throw typeError("a string", field);
    if (shape.enum !== undefined && !shape.enum.includes(value)) {
      throw invalid(`Must be one of ${shape.enum.join(", ")}`, field);
    }
    if (value.length < (shape.min ?? 0) || value.length > (shape.max ?? Infinity)) {
      throw invalid(`Length must be ${shape.min ?? 0}-${shape.max ?? "any"} characters`, field);
    }
    if (shape.pattern !== undefined && !shape.pattern.test(value)) {
      throw invalid("Must only use valid characters", field);
    }
    const format = shape.format === undefined ? undefined : formats[shape.format];
    if (format?.is(value) === false) throw invalid(`Must be ${format.wanted}`, field);
  },
  integer: number,
  number,
  boolean: (value: unknown, _shape: Shape, field: string): void => {
    if (typeof value !== "boolean") throw typeError("a boolean", field);
  },
  array: (value: unknown, shape: ArrayShape, field: string): void => {
    if (!Array.isArray(value)) throw typeError("an array", field);
    if (value.length < (shape.min ?? 0)) throw invalid(`Must have at least ${shape.min} entries`, field);
    if (value.length > (shape.max ?? Infinity)) throw invalid(`Must have at most ${shape.max} entries`, field);
    for (const [index, item] of value.entries()) checkShape(item, shape.items, child(field, index));
  },
  object: (value: unknown, shape: ObjectShape, field: string): void => {
    if (!isJsonObject(value)) throw typeError("an object", field);
    for (const [name, entry] of Object.entries(value)) {
      const known = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
      if (known !== undefined) checkShape(entry, known, child(field, name));
      else if (shape.open !== true) throw violation("is not a field of this request", child(field, name));
    }
    for (const name of shape.required ?? []) {
      if (!Object.hasOwn(value, name)) throw invalid(`${name} is required.`, child(field, name));
    }
  },
  strings: (value: unknown, _shape: Shape, field: string): void => {
    if (!isJsonObject(value)) throw typeError("an object", field);
    for (const [name, entry] of Object.entries(value)) {
      if (typeof entry !== "string") throw typeError("a string", child(field, name));
    }
  },
  bytes: (value: unknown, _shape: Shape, field: string): void => {
    if (!(value instanceof Uint8Array)) throw typeError("bytes", field);
  },
  json: (): void => undefined,
};
