import type { ObjectMeta } from "../resource.ts";
import type { StructuralSchema, ValidationRule } from "../structural/structural-schema.ts";
import { isDefaulted, isOptional, node, nodeOf } from "./node.ts";
import type { Fields, Node, ObjectType } from "./node.ts";
import type { Described } from "./scalars.ts";

export interface ObjectOptions {
  /** May be left out for `spec` and `status`, which `kind()` describes. */
  readonly description?: string;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** Replaced as a whole by server-side apply. */
  readonly atomic?: boolean;
  /** Unknown fields are kept instead of pruned. */
  readonly preserveUnknown?: boolean;
  readonly rules?: readonly ValidationRule[];
}

/** An object with named fields. A field is required unless it is `optional()` or `defaulted()`. */
export const object = <const F extends Fields>(fields: F, options: ObjectOptions = {}): Node<ObjectType<F>> => {
  const { atomic, preserveUnknown, rules, ...limits } = options;
  const names = Object.keys(fields);
  const required = names.filter((name) => !isOptional(fields[name]!) && !isDefaulted(fields[name]!)).sort();
  const schema: StructuralSchema = {
    type: "object",
    ...limits,
    ...(required.length > 0 && { required }),
    ...(names.length > 0 && { properties: Object.fromEntries(names.map((name) => [name, nodeOf(fields[name]!)])) }),
    ...(atomic === true && { "x-kubernetes-map-type": "atomic" as const }),
    ...(preserveUnknown === true && { "x-kubernetes-preserve-unknown-fields": true }),
    ...(rules !== undefined && { "x-kubernetes-validations": rules }),
  };
  return node(schema);
};

export interface ListOptions<Key extends string = string> extends Described {
  readonly minItems?: number;
  readonly maxItems?: number;
  /** `atomic` is replaced as a whole, `set` has unique elements. Left out, the API server treats the list as atomic. */
  readonly type?: "atomic" | "set";
  /** Makes a list of type map: elements are identified by these fields, which must be required or defaulted. */
  readonly keys?: readonly Key[];
  readonly rules?: readonly ValidationRule[];
}

export const list = <T>(items: Node<T>, options: ListOptions<keyof T & string>): Node<readonly T[]> => {
  const { type, keys, rules, ...limits } = options;
  const listType = keys === undefined ? type : "map";
  return node({
    type: "array",
    ...limits,
    items,
    ...(listType !== undefined && { "x-kubernetes-list-type": listType }),
    ...(keys !== undefined && { "x-kubernetes-list-map-keys": keys }),
    ...(rules !== undefined && { "x-kubernetes-validations": rules }),
  });
};

export interface MapOptions extends Described {
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly atomic?: boolean;
}

/** An object whose keys the user names. */
export const map = <T>(values: Node<T>, options: MapOptions): Node<Readonly<Record<string, T>>> => {
  const { atomic, ...limits } = options;
  return node({
    type: "object",
    ...limits,
    additionalProperties: values,
    ...(atomic === true && { "x-kubernetes-map-type": "atomic" as const }),
  });
};

/** A whole `metadata`, of the object itself or of an embedded one. */
export const objectMeta = (options: Described): Node<ObjectMeta> => node({ type: "object", ...options });
