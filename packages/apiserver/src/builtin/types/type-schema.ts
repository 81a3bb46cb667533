import { CapstanError } from "@capstan/contract";
import type { StructuralSchema } from "@capstan/schema/structural";
import type { Field, ScalarType, SpecialType, TypeRef } from "./type-table.ts";
import { builtinTypes } from "./builtin-types.ts";

const anyObject: StructuralSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const anything: StructuralSchema = { "x-kubernetes-preserve-unknown-fields": true };

const scalarSchemas: Readonly<Record<ScalarType, StructuralSchema>> = {
  string: { type: "string" },
  bool: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  double: { type: "number", format: "double" },
  bytes: { type: "string", format: "byte" },
};

const quantityPattern = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$";

/** Tells a MicroTime from a Time. */
const microTimePattern = "[.,][0-9]{6}(Z|[-+][0-9]{2}:[0-9]{2})$";

const specialSchemas: Readonly<Record<SpecialType, StructuralSchema>> = {
  Time: { type: "string", format: "date-time" },
  MicroTime: { type: "string", format: "date-time", pattern: microTimePattern },
  Quantity: { "x-kubernetes-int-or-string": true, pattern: quantityPattern },
  IntOrString: { "x-kubernetes-int-or-string": true },
  RawExtension: anyObject,
  JSON: anything,
  FieldsV1: anyObject,
  SchemaOrArray: anything,
  SchemaOrBool: anything,
  SchemaOrStrings: anything,
  Strings: { type: "array", items: { type: "string" } },
};

/** Types that contain themselves; their content is kept as it is. */
const recursive: ReadonlySet<string> = new Set(["apiextensions.JSONSchemaProps"]);

/** Kinds that stand in other objects as well, with their kind. */
const nestedKinds: ReadonlySet<string> = new Set(["core.PersistentVolumeClaim"]);

const cache = new Map<string, StructuralSchema>();

/**
 * The schema of a built-in type; frozen and shared by everything that uses the type.
 * `lenient`: required fields are not demanded, as in status, where no one checks them.
 */
const typeSchema = (table: string, name: string, lenient = false): StructuralSchema => {
  const key = `${table}.${name}${lenient ? "?" : ""}`;
  const known = cache.get(key);
  if (known !== undefined) {
    return known;
  }
  const schema = recursive.has(`${table}.${name}`) ? anyObject : objectSchema(table, name, lenient);
  cache.set(key, deepFreeze(schema));
  return schema;
};

const objectSchema = (table: string, name: string, lenient: boolean): StructuralSchema => {
  const type = builtinTypes.find(table, name);
  if (type === undefined) {
    throw new CapstanError({
      code: "apiserver.type_unknown",
      reason: "TypeUnknown",
      retry: { kind: "never" },
      message: `The built-in type ${table}.${name} is not described`,
    });
  }
  const fields = flattened(type.fields);
  const ofKind = nestedKinds.has(`${table}.${name}`)
    ? { apiVersion: scalarSchemas.string, kind: scalarSchemas.string }
    : {};
  const properties = {
    ...ofKind,
    ...Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, lenient)])),
  };
  const required = lenient
    ? []
    : fields.filter((field) => isDemanded(field, `${table}.${name}`)).map((field) => field.name);
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    ...(type.atomic && { "x-kubernetes-map-type": "atomic" as const }),
  };
};

const zeroIsFine: ReadonlySet<string> = new Set(["bool", "int64", "Time", "MicroTime"]);

/** Fields that Kubernetes publishes as required and does not miss either, by type. */
const unmissed: Readonly<Record<string, readonly string[]>> = {
  "batch.PodFailurePolicy": ["rules"],
  "core.ISCSIVolumeSource": ["lun"],
  "core.ISCSIPersistentVolumeSource": ["lun"],
  "core.LimitRangeSpec": ["limits"],
  "core.PreferredSchedulingTerm": ["preference"],
  "core.ScaleIOPersistentVolumeSource": ["secretRef"],
  "core.ScaleIOVolumeSource": ["secretRef"],
  "core.Sysctl": ["value"],
  "storage.CSIDriver": ["spec"],
  "storage.CSINode": ["spec"],
  "storage.CSINodeSpec": ["drivers"],
  "storage.TokenRequest": ["audience"],
};

/** Absent flags, counters and times are their zero value: Kubernetes publishes them as required but does not miss them. */
const isDemanded = ({ name, required, type }: Field, owner: string): boolean =>
  required &&
  unmissed[owner]?.includes(name) !== true &&
  !(type.form === "scalar" && zeroIsFine.has(type.scalar)) &&
  !(type.form === "special" && zeroIsFine.has(type.special));

const flattened = (fields: readonly Field[]): readonly Field[] =>
  fields.flatMap((field) =>
    field.embedded && field.type.form === "object"
      ? flattened(builtinTypes.find(field.type.table, field.type.name)?.fields ?? [])
      : [field],
  );

const fieldSchema = (field: Field, lenient: boolean): StructuralSchema => {
  const { listType, listKeys, patchStrategy, patchKey, mapType } = field;
  const schema = refSchema(field.type, lenient || field.name === "status");
  const flags: StructuralSchema = {
    ...(listType !== undefined && { "x-kubernetes-list-type": listType }),
    ...(listKeys !== undefined && { "x-kubernetes-list-map-keys": listKeys }),
    ...(mapType !== undefined && { "x-kubernetes-map-type": mapType }),
    ...(patchStrategy !== undefined && { "x-kubernetes-patch-strategy": patchStrategy }),
    ...(patchKey !== undefined && { "x-kubernetes-patch-merge-key": patchKey }),
    ...(field.default !== undefined && { default: field.default }),
  };
  return Object.keys(flags).length === 0 ? schema : { ...schema, ...flags };
};

const refSchema = (type: TypeRef, lenient: boolean): StructuralSchema => {
  switch (type.form) {
    case "scalar":
      return scalarSchemas[type.scalar];
    case "special":
      return specialSchemas[type.special];
    case "list":
      return { type: "array", items: itemSchema(type.of, lenient) };
    case "map":
      return { type: "object", additionalProperties: itemSchema(type.of, lenient) };
    default:
      return typeSchema(type.table, type.name, lenient);
  }
};

/** Zero values of Go, to which it decodes null as an element of a list or a map. */
const emptyValues: Readonly<Record<ScalarType, unknown>> = {
  string: "",
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
  bytes: "",
};

const itemSchema = (type: TypeRef, lenient: boolean): StructuralSchema => {
  const schema = refSchema(type, lenient);
  if (type.form === "scalar") {
    return { ...schema, default: emptyValues[type.scalar] };
  }
  if (type.form === "object") {
    return { ...schema, default: {} };
  }
  return type.form === "special" && type.special === "Quantity" ? { ...schema, default: "0" } : schema;
};

const deepFreeze = (schema: StructuralSchema): StructuralSchema => {
  if (!Object.isFrozen(schema)) {
    Object.freeze(schema);
    for (const part of Object.values(schema) as unknown[]) {
      if (typeof part === "object" && part !== null) {
        deepFreeze(part);
      }
    }
  }
  return schema;
};

/** Schema of `metadata`; the same for built-in and custom kinds. */
export const objectMetaSchema = (): StructuralSchema => typeSchema("meta", "ObjectMeta");

/** Schema of a whole object of a built-in kind. */
export const kindSchema = (table: string, name: string): StructuralSchema => {
  const key = `${table}.${name}!`;
  const known = cache.get(key);
  if (known !== undefined) {
    return known;
  }
  const schema = typeSchema(table, name);
  const whole: StructuralSchema = {
    ...schema,
    properties: { apiVersion: scalarSchemas.string, kind: scalarSchemas.string, ...schema.properties },
  };
  cache.set(key, deepFreeze(whole));
  return whole;
};
