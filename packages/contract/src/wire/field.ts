import { isJsonObject, type JsonObject, type KubeObject } from "@capstan/schema";
import { CapstanError } from "../error.ts";
import { describeObject } from "./describe.ts";
import type { MergePatch } from "../patch/merge-patch.ts";

/** Reads a JSON value as `T`; `undefined` when it has another shape. */
export type Parse<T> = (value: unknown) => T | undefined;

/** One field of the wire contract: where it is, how it is read and what a patch of it looks like. */
export interface Field<T> {
  /** Dotted, for messages: `status.initialization.provisioned`. */
  readonly path: string;
  /** `undefined` when absent. Throws `wire.field_invalid` when the value has another shape than the contract's. */
  readonly get: (object: KubeObject) => T | undefined;
  /** As `get`, but absence throws `wire.field_missing`. */
  readonly require: (object: KubeObject) => T;
  /** The merge patch that sets the field; `null` removes it. */
  readonly patch: (value: T | null) => MergePatch;
}

/** The value at a dotted path, whatever it is. */
export const valueAt = (object: unknown, path: string): unknown => {
  let value: unknown = object;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value === null ? undefined : value;
};

/** The merge patch that puts `value` at a dotted path. */
export const patchAt = (path: string, value: unknown): MergePatch =>
  path.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as MergePatch;

/** A field whose wire form is the value itself. */
export const field = <T>(path: string, parse: Parse<T>): Field<T> => encodedField(path, parse, (value) => value);

/** A field whose wire form differs from the value that callers see. */
export const encodedField = <T>(path: string, parse: Parse<T>, encode: (value: T) => unknown): Field<T> => {
  const get = (object: KubeObject): T | undefined => {
    const raw = valueAt(object, path);
    if (raw === undefined) return undefined;
    const value = parse(raw);
    if (value !== undefined) return value;
    throw new CapstanError({
      code: "wire.field_invalid",
      reason: "InvalidField",
      message: `${describeObject(object)}: ${path} does not have the shape of the contract; check the contract label of its CRD`,
      details: { path },
    });
  };
  return {
    path,
    get,
    require: (object) => {
      const value = get(object);
      if (value !== undefined) return value;
      throw new CapstanError({
        code: "wire.field_missing",
        reason: "FieldMissing",
        message: `${describeObject(object)}: ${path} is not set`,
        details: { path },
      });
    },
    patch: (value) => patchAt(path, value === null ? null : encode(value)),
  };
};

export const text: Parse<string> = (value) => (typeof value === "string" ? value : undefined);
export const flag: Parse<boolean> = (value) => (typeof value === "boolean" ? value : undefined);
export const integer: Parse<number> = (value) => (Number.isInteger(value) ? (value as number) : undefined);

export const record: Parse<JsonObject> = (value) => (isJsonObject(value) ? value : undefined);

export const textMap: Parse<Readonly<Record<string, string>>> = (value) => {
  const entries = record(value);
  if (entries === undefined) return undefined;
  return Object.values(entries).every((entry) => typeof entry === "string")
    ? (entries as Readonly<Record<string, string>>)
    : undefined;
};

/** A list of which every item parses. */
export const listOf =
  <T>(parse: Parse<T>): Parse<readonly T[]> =>
  (value) => {
    if (!Array.isArray(value)) return undefined;
    const items = value.map(parse);
    return items.every((item) => item !== undefined) ? items : undefined;
  };

/** An object with the given parts; parts that are absent are left out. */
export const parts =
  <T extends object>(
    parsers: { readonly [K in keyof T]-?: Parse<NonNullable<T[K]>> },
    required: readonly (keyof T)[],
  ): Parse<T> =>
  (value) => {
    const source = record(value);
    if (source === undefined) return undefined;
    const result: Partial<T> = {};
    for (const key of Object.keys(parsers) as (keyof T & string)[]) {
      const raw = source[key];
      if (raw === undefined || raw === null) {
        if (required.includes(key)) return undefined;
        continue;
      }
      const parsed = parsers[key](raw);
      if (parsed === undefined) return undefined;
      result[key] = parsed;
    }
    return result as T;
  };
