import { own } from "@capstan/schema";
/**
 * Facts about the types of one API group: type name to fields, separated by `; `. A field is
 * `name number type [flags]`, where number is the protobuf field number and type one of
 * - `string`, `bool`, `int32`, `int64`, `double`, `bytes`; with `?` when an explicit zero value differs from an absent one
 * - a special type whose JSON is not its protobuf form (see `SpecialType`)
 * - another type: of the same table, of the table `meta`, or of another table as `core.PodSpec`
 * - `[type]` a list, `{type}` a map with string keys
 *
 * `...name` embeds a type: its fields stand directly in the parent's JSON. Flags: `required`; `set`, `map(key,...)` list types;
 * `patch(strategy,...:key)` for strategic merge; `atomic`, `granular` map types; `default=JSON`. `@atomic` before the fields
 * makes the whole type atomic.
 */
export type TypeTable = Readonly<Record<string, string>>;

export type ScalarType = "string" | "bool" | "int32" | "int64" | "double" | "bytes";

/** Types with a JSON form of their own: RFC 3339 times, quantities, free JSON. */
export type SpecialType =
  | "Time"
  | "MicroTime"
  | "Quantity"
  | "IntOrString"
  | "RawExtension"
  | "JSON"
  | "FieldsV1"
  | "SchemaOrArray"
  | "SchemaOrBool"
  | "SchemaOrStrings"
  | "Strings";

export type TypeRef =
  | { readonly form: "scalar"; readonly scalar: ScalarType; /** Zero is kept. */ readonly pointer: boolean }
  | { readonly form: "special"; readonly special: SpecialType }
  | { readonly form: "object"; readonly table: string; readonly name: string }
  | { readonly form: "list" | "map"; readonly of: TypeRef };

export interface Field {
  readonly name: string;
  readonly number: number;
  readonly type: TypeRef;
  /** The fields of `type` stand in the parent. */
  readonly embedded: boolean;
  readonly required: boolean;
  readonly listType?: "set" | "map";
  readonly listKeys?: readonly string[];
  readonly patchStrategy?: string;
  readonly patchKey?: string;
  readonly mapType?: "atomic" | "granular";
  readonly default?: unknown;
}

export interface ObjectType {
  readonly atomic: boolean;
  readonly fields: readonly Field[];
}

const scalars: ReadonlySet<string> = new Set<ScalarType>(["string", "bool", "int32", "int64", "double", "bytes"]);
const specials: ReadonlySet<string> = new Set<SpecialType>([
  "Time",
  "MicroTime",
  "Quantity",
  "IntOrString",
  "RawExtension",
  "JSON",
  "FieldsV1",
  "SchemaOrArray",
  "SchemaOrBool",
  "SchemaOrStrings",
  "Strings",
]);

/** Looks types up in a set of tables; each type is parsed once. */
export interface TypeTables {
  /** Undefined for an unknown type. */
  find(table: string, name: string): ObjectType | undefined;
}

export const typeTables = (tables: Readonly<Record<string, TypeTable>>): TypeTables => {
  const parsed = new Map<string, ObjectType>();
  const textOf = (table: string, name: string): string | undefined => {
    const types = own(tables, table);
    return own(types, name);
  };
  const owner = (table: string, name: string): string => (textOf(table, name) === undefined ? "meta" : table);
  const find = (table: string, name: string): ObjectType | undefined => {
    const key = `${table}.${name}`;
    const text = parsed.has(key) ? undefined : textOf(table, name);
    if (text !== undefined) {
      parsed.set(
        key,
        parseType(text, (reference) => owner(table, reference), table),
      );
    }
    return parsed.get(key);
  };
  return { find };
};

type Owner = (name: string) => string;

const parseType = (text: string, owner: Owner, table: string): ObjectType => {
  const parts = text.split("; ").filter((part) => part !== "");
  const atomic = parts[0] === "@atomic";
  return { atomic, fields: parts.slice(atomic ? 1 : 0).map((part) => parseField(part, owner, table)) };
};

const parseField = (text: string, owner: Owner, table: string): Field => {
  const [name = "", number = "", type = "", ...flags] = text.split(" ");
  const embedded = name.startsWith("...");
  return {
    name: embedded ? name.slice(3) : name,
    number: Number(number),
    type: parseTypeRef(type, owner, table),
    embedded,
    required: flags.includes("required"),
    ...Object.assign({}, ...flags.map(parseFlag)),
  };
};

const parseFlag = (flag: string): Partial<Field> => {
  const argument = /\((.*)\)$/.exec(flag)?.[1] ?? "";
  if (flag === "set") {
    return { listType: "set" };
  }
  if (flag === "atomic" || flag === "granular") {
    return { mapType: flag };
  }
  if (flag.startsWith("map(")) {
    return { listType: "map", listKeys: argument.split(",") };
  }
  if (flag.startsWith("patch(")) {
    const [patchStrategy = "", patchKey] = argument.split(":");
    return { patchStrategy, ...(patchKey === undefined ? {} : { patchKey }) };
  }
  return flag.startsWith("default=") ? { default: JSON.parse(flag.slice("default=".length)) as unknown } : {};
};

const parseTypeRef = (text: string, owner: Owner, table: string): TypeRef => {
  if (text.startsWith("[") || text.startsWith("{")) {
    return { form: text.startsWith("[") ? "list" : "map", of: parseTypeRef(text.slice(1, -1), owner, table) };
  }
  const name = text.replace(/\?$/, "");
  if (scalars.has(name)) {
    return { form: "scalar", scalar: name as ScalarType, pointer: text !== name };
  }
  if (specials.has(name)) {
    return { form: "special", special: name as SpecialType };
  }
  const [first = "", second] = name.split(".");
  return second === undefined
    ? { form: "object", table: owner(first), name: first }
    : { form: "object", table: first, name: second };
};
