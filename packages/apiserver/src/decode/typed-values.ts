import { isJsonObject, own, type StructuralSchema } from "@capstan/schema";
import { canonicalQuantity, isQuantity } from "../values/quantity.ts";
import { storedTime } from "./go-time.ts";

/** An object as Kubernetes stores it, or why it cannot be decoded. */
export type TypedValue = { readonly value: unknown } | { readonly fault: string };

/**
 * Reads the values of an object of a built-in kind as the types of its fields do, and writes them in the one form in which they are
 * stored: base64 in one line, times in UTC, amounts of resources shortened, lists and maps without anything in them left out. Null stands for an absent value. Parts without a change are
 * shared with the input. The first value that its field cannot hold is the fault; what it is stays out of the message when it may be secret.
 */
export const typedValues = (schema: StructuralSchema, value: unknown): TypedValue => {
  try {
    return { value: read(schema, value, "") };
  } catch (error) {
    if (error instanceof Misfit) return { fault: error.message };
    throw error;
  }
};

class Misfit extends Error {}

const misfit = (path: string, expected: string, value: unknown): Misfit =>
  new Misfit(`${path === "" ? "the object" : path} must be ${expected}, not ${nameOf(value)}`);

const nameOf = (value: unknown): string => {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  return typeof value === "string" ? "this string" : "an object";
};

const read = (schema: StructuralSchema, value: unknown, path: string): unknown => {
  if (value === null || value === undefined) return value;
  if (schema["x-kubernetes-int-or-string"] === true) {
    return schema.pattern === undefined ? readIntOrString(value, path) : readQuantity(value, path);
  }
  switch (schema.type) {
    case "object":
      return readObject(schema, value, path);
    case "array":
      return readList(schema, value, path);
    case "string":
      return readString(schema, value, path);
    case "integer":
      return readInteger(value, schema.format === "int32" ? 32 : 64, path);
    case "number":
      if (typeof value !== "number" && typeof value !== "bigint") throw misfit(path, "a number", value);
      return value;
    case "boolean":
      if (typeof value !== "boolean") throw misfit(path, "true or false", value);
      return value;
    default:
      return value;
  }
};

/** A list or a map without anything in it. An object with members of its own is a value even where it has none of them. */
const isEmpty = ({ additionalProperties, type }: StructuralSchema, value: unknown): boolean =>
  type === "array"
    ? Array.isArray(value) && value.length === 0
    : additionalProperties !== undefined && isJsonObject(value) && Object.keys(value).length === 0;

const readObject = (schema: StructuralSchema, value: unknown, path: string): unknown => {
  if (!isJsonObject(value)) throw misfit(path, "an object", value);
  const { additionalProperties, properties } = schema;
  const others = typeof additionalProperties === "object" ? additionalProperties : undefined;
  const changes = new Map<string, unknown>();
  for (const name of Object.keys(value)) {
    const member = own(value, name);
    const of = own(properties, name) ?? others;
    if (of === undefined) continue;
    const stored = read(of, member, path === "" ? name : `${path}.${name}`);
    const isLeftOut =
      isEmpty(of, stored) && own(properties, name) !== undefined && schema.required?.includes(name) !== true;
    if (isLeftOut) changes.set(name, null);
    else if (stored !== member) changes.set(name, stored);
  }
  if (changes.size === 0) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    if (!changes.has(name)) return [[name, member] as const];
    const stored = changes.get(name);
    return stored === null ? [] : [[name, stored] as const];
  });
  return Object.fromEntries(members);
};

const readList = (schema: StructuralSchema, value: unknown, path: string): unknown => {
  if (!Array.isArray(value)) throw misfit(path, "a list", value);
  const { items } = schema;
  if (items === undefined) return value;
  const stored = value.map((item: unknown, index) => read(items, item, `${path}[${index}]`));
  return stored.every((item, index) => item === value[index]) ? value : stored;
};

const readString = (schema: StructuralSchema, value: unknown, path: string): unknown => {
  if (schema.format === "byte") return readBytes(value, path);
  if (typeof value !== "string") throw misfit(path, "a string", value);
  if (schema.format !== "date-time") return value;
  // What says how a time has to look is a MicroTime.
  const digits = schema.pattern === undefined ? 0 : 6;
  const time = storedTime(value, digits);
  if (time === undefined) {
    throw misfit(
      path,
      digits === 0 ? "an RFC 3339 time" : "an RFC 3339 time with microseconds, such as 2026-01-02T03:04:05.000000Z",
      value,
    );
  }
  return time;
};

/** Base64 without line breaks, whose last bits no one looks at. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Bytes may come in lines, as `base64` and kustomize write them, and as a list of numbers. */
const readBytes = (value: unknown, path: string): string => {
  if (Array.isArray(value)) {
    const isByte = (item: unknown): boolean => item === null || (Number.isInteger(item) && (item as number) >= 0);
    if (!value.every((item) => isByte(item) && Number(item) < 256)) throw misfit(path, "base64", value);
    return Buffer.from(value.map(Number)).toString("base64");
  }
  if (typeof value !== "string") throw misfit(path, "base64", value);
  const line = /[\r\n]/.test(value) ? value.replaceAll(/[\r\n]+/g, "") : value;
  if (!base64.test(line)) throw misfit(path, "base64", value);
  // Without padding there are no bits to spare.
  return line.endsWith("=") ? Buffer.from(line, "base64").toString("base64") : line;
};

const limits = { 32: 2n ** 31n, 64: 2n ** 63n } as const;

/** Returns an integer, as a bigint if a number cannot represent it exactly. */
const readInteger = (value: unknown, bits: 32 | 64, path: string): number | bigint => {
  const isInteger = typeof value === "bigint" || Number.isInteger(value);
  if (!isInteger) throw misfit(path, "an integer", value);
  const integer = BigInt(value as number | bigint);
  if (integer < -limits[bits] || integer >= limits[bits]) throw misfit(path, `a ${bits}-bit integer`, value);
  return typeof value === "number" && !Number.isSafeInteger(value) ? integer : (value as number | bigint);
};

const readIntOrString = (value: unknown, path: string): unknown => {
  if (typeof value === "string") return value;
  if (typeof value !== "number" && typeof value !== "bigint") throw misfit(path, "an integer or a string", value);
  return readInteger(value, 32, path);
};

const readQuantity = (value: unknown, path: string): unknown => {
  const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "bigint";
  if (!isScalar || !isQuantity(value)) throw misfit(path, "a quantity such as 500m or 1Gi", value);
  return canonicalQuantity(value);
};
