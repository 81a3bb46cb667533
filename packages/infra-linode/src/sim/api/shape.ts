import { isJsonObject } from "@capstan/schema";
import { invalid, violation } from "./api-error.ts";

/** What the API accepts for one value of a request body. */
export type Shape =
  | StringShape
  | { readonly type: "integer"; readonly min?: number; readonly max?: number; readonly nullable?: boolean }
  | { readonly type: "boolean"; readonly nullable?: boolean }
  | { readonly type: "array"; readonly items: Shape; readonly max?: number; readonly nullable?: boolean }
  | ObjectShape
  | { readonly type: "strings"; readonly nullable?: boolean };

interface StringShape {
  readonly type: "string";
  readonly min?: number;
  readonly max?: number;
  readonly enum?: readonly string[];
  readonly pattern?: RegExp;
  readonly nullable?: boolean;
}

export interface ObjectShape {
  readonly type: "object";
  readonly fields: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly nullable?: boolean;
}

export const text = (limits: Omit<StringShape, "type"> = {}): Shape => ({ type: "string", ...limits });
export const integer: Shape = { type: "integer" };
export const boolean: Shape = { type: "boolean" };
export const list = (items: Shape, max?: number): Shape =>
  max === undefined ? { type: "array", items } : { type: "array", items, max };
export const object = (fields: ObjectShape["fields"], required: readonly string[] = []): ObjectShape => ({
  type: "object",
  fields,
  required,
});

export const tags: Shape = list(text({ min: 3, max: 50 }));
export const port: Shape = { type: "integer", min: 1, max: 65_535 };

/**
 * Throws for the first thing that does not fit. Unknown fields and wrong types are violations: no correct client sends
 * them. Values outside the limits are ordinary refusals.
 */
export const checkShape = (value: unknown, shape: Shape, field = ""): void => {
  if (value === null) {
    if (shape.nullable === true) return;
    throw violation("must not be null", field);
  }
  checkers[shape.type](value, shape as never, field);
};

const child = (field: string, name: string | number): string => (field === "" ? String(name) : `${field}.${name}`);

const typeError = (expected: string, field: string) => violation(`must be ${expected}`, field);

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
  },
  integer: (value: unknown, shape: Extract<Shape, { type: "integer" }>, field: string): void => {
    if (!Number.isInteger(value)) throw typeError("an integer", field);
    if ((value as number) < (shape.min ?? -Infinity) || (value as number) > (shape.max ?? Infinity)) {
      throw invalid(`Must be ${shape.min ?? "any"}-${shape.max ?? "any"}`, field);
    }
  },
  boolean: (value: unknown, _shape: Shape, field: string): void => {
    if (typeof value !== "boolean") throw typeError("a boolean", field);
  },
  array: (value: unknown, shape: Extract<Shape, { type: "array" }>, field: string): void => {
    if (!Array.isArray(value)) throw typeError("an array", field);
    if (value.length > (shape.max ?? Infinity)) throw invalid(`Must have at most ${shape.max} entries`, field);
    for (const [index, item] of value.entries()) checkShape(item, shape.items, child(field, index));
  },
  object: (value: unknown, shape: ObjectShape, field: string): void => {
    if (!isJsonObject(value)) throw typeError("an object", field);
    for (const [name, entry] of Object.entries(value)) {
      const known = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
      if (known === undefined) throw violation("is not a field of this request", child(field, name));
      checkShape(entry, known, child(field, name));
    }
    for (const name of shape.required ?? []) {
      if (!Object.hasOwn(value, name)) throw invalid(`${name} is required.`, child(field, name));
    }
  },
  /** An object of strings with any names. */
  strings: (value: unknown, _shape: Shape, field: string): void => {
    if (!isJsonObject(value)) throw typeError("an object", field);
    for (const [name, entry] of Object.entries(value)) {
      if (typeof entry !== "string") throw typeError("a string", child(field, name));
    }
  },
};
