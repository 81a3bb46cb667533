import type { Duration, Timestamp } from "../values/time.ts";
import type { CelList, CelMap, ListIdentity, Optional, TypeValue, Uint, Value } from "../values/value.ts";

export type TypeKind =
  | "dyn"
  | "null"
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "timestamp"
  | "duration"
  | "list"
  | "map"
  | "object"
  | "optional"
  | "type"
  | "opaque"
  | "parameter";

/** A static type. `V` is the JavaScript type of its values. */
export interface CelType<V = unknown> {
  readonly kind: TypeKind;
  /** As printed in messages and, for objects and opaque types, what tells types apart. */
  readonly name: string;
  /** Element of a list or optional; key and value of a map. */
  readonly parameters: readonly CelType[];
  /** Objects only, by escaped name. */
  readonly fields?: ReadonlyMap<string, CelField>;
  /** The most elements, entries, code points or bytes a value can have; absent: unknown. Used by the cost estimate. */
  readonly maxSize?: number;
  /** Lists of a schema only. */
  readonly identity?: ListIdentity;
  /** Null is possible as well, which the static checks ignore and evaluation does not. */
  readonly nullable?: boolean;
  /** Strings of a schema only: the JSON text has this format and the value is the parsed one. */
  readonly format?: "date" | "date-time" | "duration" | "byte";
  /** Phantom: never present at run time. */
  readonly Value?: V;
}

/** A member of an object type. */
export interface CelField {
  /** The member's name in JSON. */
  readonly jsonName: string;
  readonly type: CelType;
  /** A second name of a member that is listed under another one. */
  readonly alias?: true;
}

const simple = <V>(kind: TypeKind, name: string = kind): CelType<V> => Object.freeze({ kind, name, parameters: [] });

export const dyn = simple<Value>("dyn");
export const nullType = simple<null>("null", "null_type");
export const bool = simple<boolean>("bool");
export const int = simple<bigint>("int");
export const uint = simple<Uint>("uint");
export const double = simple<number>("double");
export const string = simple<string>("string");
export const bytes = simple<Uint8Array>("bytes");
export const timestamp = simple<Timestamp>("timestamp", "google.protobuf.Timestamp");
export const duration = simple<Duration>("duration", "google.protobuf.Duration");

/** A type variable of a generic overload; equal names in one overload mean the same type. */
export const parameter = (name: string): CelType<Value> => ({ kind: "parameter", name, parameters: [] });

export const list = (element: CelType, bounds: Pick<CelType, "maxSize" | "identity"> = {}): CelType<CelList> => ({
  kind: "list",
  name: "list",
  parameters: [element],
  ...bounds,
});

export const map = (key: CelType, value: CelType, bounds: Pick<CelType, "maxSize"> = {}): CelType<CelMap> => ({
  kind: "map",
  name: "map",
  parameters: [key, value],
  ...bounds,
});

export const optional = (value: CelType): CelType<Optional> => ({
  kind: "optional",
  name: "optional_type",
  parameters: [value],
});

export const typeOf = (type: CelType): CelType<TypeValue> => ({ kind: "type", name: "type", parameters: [type] });

/** A library type; `V` is the class of its values, which extends `Opaque` and reports `name`. */
export const opaque = <V>(name: string): CelType<V> => ({ kind: "opaque", name, parameters: [] });

/** An object with named members. Two object types are the same type only if they are the same JavaScript object. */
export const object = (name: string, fields: ReadonlyMap<string, CelField>): CelType<CelMap> => ({
  kind: "object",
  name,
  parameters: [],
  fields,
});

export const elementOf = (type: CelType): CelType => type.parameters[0] ?? dyn;
export const entryOf = (type: CelType): CelType => type.parameters[1] ?? dyn;

/** The type as messages print it, for example `list(string)`. */
export const formatType = (type: CelType): string =>
  type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.map(formatType).join(", ")})`;
