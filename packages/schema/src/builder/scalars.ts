import { node } from "./node.ts";
import type { Node } from "./node.ts";

/** Every node says in a sentence what its value means to the reader of `kubectl explain`. */
export interface Described {
  readonly description: string;
}

export interface StringOptions extends Described {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** RE2 syntax. */
  readonly pattern?: string;
  /** For example `byte`, `date-time`, `cidr`, `uri`; unknown formats are not enforced. */
  readonly format?: string;
}

export interface NumberOptions extends Described {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
}

export const string = (options: StringOptions): Node<string> => node({ type: "string", ...options });
/** A string that is neither empty nor longer than `maxLength` characters. */
export const text = (maxLength: number, description: string): Node<string> =>
  string({ description, minLength: 1, maxLength });
export const boolean = (options: Described): Node<boolean> => node({ type: "boolean", ...options });
export const int32 = (options: NumberOptions): Node<number> => node({ type: "integer", format: "int32", ...options });
export const int64 = (options: NumberOptions): Node<number> => node({ type: "integer", format: "int64", ...options });
/** An integer without a format, as Go's `int` becomes. */
export const integer = (options: NumberOptions): Node<number> => node({ type: "integer", ...options });
export const number = (options: NumberOptions): Node<number> => node({ type: "number", ...options });

export const enumOf = <const V extends string>(values: readonly V[], options: StringOptions): Node<V> =>
  node({ type: "string", ...options, enum: values });

/** An RFC 3339 time. */
export const time = (options: Described): Node<string> => node({ type: "string", format: "date-time", ...options });

/** A Go duration such as `1h30m`. Upstream leaves the check to its decoder, so the schema says string only. */
export const duration = (options: Described): Node<string> => node({ type: "string", ...options });

const intOrStringForm = {
  anyOf: [{ type: "integer" }, { type: "string" }],
  "x-kubernetes-int-or-string": true,
} as const;

/** A number or a text such as `25%`. */
export const intOrString = (options: Described): Node<number | string> => node({ ...options, ...intOrStringForm });

const quantityPattern =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

/** A resource quantity such as `10Gi`. */
export const quantity = (options: Described): Node<number | string> =>
  node({ ...options, ...intOrStringForm, pattern: quantityPattern });

/** Any JSON value, kept as it is. */
export const preserveUnknown = (options: Described): Node =>
  node({ ...options, "x-kubernetes-preserve-unknown-fields": true });
