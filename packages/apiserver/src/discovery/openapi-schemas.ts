import type { StructuralSchema } from "@capstan/schema/structural";
import type { ResourceDefinition } from "../model/types.ts";
import { tableOfGroup } from "../builtin/types/resource-facts.ts";
import type { Field, SpecialType, TypeRef } from "../builtin/types/type-table.ts";
import { builtinTypes } from "../builtin/types/builtin-types.ts";

type Json = Readonly<Record<string, unknown>>;

const metaName = "io.k8s.apimachinery.pkg.apis.meta.v1";
const tableNames: Readonly<Record<string, string>> = {
  meta: metaName,
  apiextensions: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
  autoscalingV2: "io.k8s.api.autoscaling.v2",
  apiregistration: "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1",
};

const anyObject: Json = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

const specials: Readonly<Record<SpecialType, { readonly name: string; readonly schema: Json }>> = {
  Time: { name: `${metaName}.Time`, schema: { type: "string", format: "date-time" } },
  MicroTime: { name: `${metaName}.MicroTime`, schema: { type: "string", format: "date-time" } },
  Quantity: {
    name: "io.k8s.apimachinery.pkg.api.resource.Quantity",
    schema: { oneOf: [{ type: "string" }, { type: "number" }] },
  },
  IntOrString: {
    name: "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
    schema: { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] },
  },
  RawExtension: { name: "io.k8s.apimachinery.pkg.runtime.RawExtension", schema: anyObject },
  FieldsV1: { name: `${metaName}.FieldsV1`, schema: anyObject },
  JSON: { name: `${tableNames["apiextensions"]}.JSON`, schema: {} },
  SchemaOrArray: { name: `${tableNames["apiextensions"]}.JSONSchemaPropsOrArray`, schema: {} },
  SchemaOrBool: { name: `${tableNames["apiextensions"]}.JSONSchemaPropsOrBool`, schema: {} },
  SchemaOrStrings: { name: `${tableNames["apiextensions"]}.JSONSchemaPropsOrStringArray`, schema: {} },
  Strings: { name: "io.k8s.api.Strings", schema: { type: "array", items: { type: "string" } } },
};

const scalars = {
  string: { type: "string" },
  bool: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  double: { type: "number", format: "double" },
  bytes: { type: "string", format: "byte" },
} as const;

const typeName = (table: string, name: string): string => `${tableNames[table] ?? `io.k8s.api.${table}.v1`}.${name}`;

/** Properties that identify the schema of an object; every kind has them. */
const identity = {
  apiVersion: { ...scalars.string, description: "Group and version of the schema that this object follows." },
  kind: { ...scalars.string, description: "Name of the kind of object, in CamelCase." },
} as const;

export const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Collects the schemas of a document by name, each with everything it refers to. */
export interface SchemaCollector {
  readonly schemas: Readonly<Record<string, unknown>>;
  /** Adds a built-in type; the answer refers to it. */
  addType(table: string, name: string): Json;
  /** Adds the object of a kind and its list; the answers are their names. */
  addKind(definition: ResourceDefinition): { readonly object: string; readonly list: string };
}

export const schemaCollector = (): SchemaCollector => {
  const schemas: Record<string, unknown> = {};
  const addType = (table: string, name: string): Json => {
    const key = typeName(table, name);
    if (!Object.hasOwn(schemas, key)) {
      schemas[key] = {};
      schemas[key] = objectType(table, name, refer);
    }
    return reference(key);
  };
  const refer = (type: TypeRef): Json => {
    switch (type.form) {
      case "scalar":
        return scalars[type.scalar];
      case "special": {
        const { name, schema } = specials[type.special];
        schemas[name] = schema;
        return reference(name);
      }
      case "list":
        return { type: "array", items: refer(type.of) };
      case "map":
        return { type: "object", additionalProperties: refer(type.of) };
      default:
        return addType(type.table, type.name);
    }
  };
  const addKind: SchemaCollector["addKind"] = (definition) => {
    const { group, version, kind, listKind } = definition;
    const object = schemaName(definition);
    const list = `${object.slice(0, -kind.length)}${listKind}`;
    const table = builtinTable(definition);
    if (table === undefined) {
      schemas[object] = customSchema(definition.schema, addType("meta", "ObjectMeta"));
    } else {
      addType(table, kind);
    }
    schemas[object] = { ...(schemas[object] as Json), [gvkExtension]: [{ group, kind, version }] };
    schemas[list] = {
      type: "object",
      required: ["items"],
      properties: {
        ...identity,
        metadata: addType("meta", "ListMeta"),
        items: { type: "array", items: reference(object) },
      },
      [gvkExtension]: [{ group, kind: listKind, version }],
    };
    return { object, list };
  };
  return { schemas, addType, addKind };
};

/** Extension that shows which kind a schema or an operation is about. */
export const gvkExtension = "x-kubernetes-group-version-kind";

/** The type table of a built-in kind; undefined for kinds that only their schema describes. */
const builtinTable = ({ origin, group, version, kind }: ResourceDefinition): string | undefined => {
  const table = origin === "builtin" ? tableOfGroup(group === "" ? version : `${group}/${version}`) : undefined;
  return table !== undefined && builtinTypes.find(table, kind) !== undefined ? table : undefined;
};

/** Name of a kind's schema: as Kubernetes publishes it, or group (reversed), version and kind. */
const schemaName = (definition: ResourceDefinition): string => {
  const { group, version, kind } = definition;
  const table = builtinTable(definition);
  return table === undefined
    ? (definition.schemaName ?? [...group.split(".").toReversed(), version, kind].join("."))
    : typeName(table, kind);
};

const objectType = (table: string, name: string, refer: (type: TypeRef) => Json): Json => {
  const type = builtinTypes.find(table, name) ?? { atomic: false, fields: [] };
  const fields = flattened(type.fields);
  const isKind = fields.some((field) => field.name === "metadata");
  const required = fields.filter((field) => field.required).map((field) => field.name);
  return {
    type: "object",
    ...(required.length > 0 && { required }),
    properties: {
      ...(isKind && identity),
      ...Object.fromEntries(fields.map((field) => [field.name, property(field, refer)])),
    },
    ...(type.atomic && { "x-kubernetes-map-type": "atomic" }),
  };
};

const flattened = (fields: readonly Field[]): readonly Field[] =>
  fields.flatMap((field) =>
    field.embedded && field.type.form === "object"
      ? flattened(builtinTypes.find(field.type.table, field.type.name)?.fields ?? [])
      : [field],
  );

/** Siblings of a `$ref` would be ignored, so a property that has some wraps it. */
const property = (field: Field, refer: (type: TypeRef) => Json): Json => {
  const { listType, listKeys, patchStrategy, patchKey, mapType } = field;
  const schema = refer(field.type);
  const list = field.type.form === "list" ? { "x-kubernetes-list-type": listType ?? "atomic" } : {};
  const flags = {
    ...list,
    ...(listKeys !== undefined && { "x-kubernetes-list-map-keys": listKeys }),
    ...(mapType !== undefined && { "x-kubernetes-map-type": mapType }),
    ...(patchStrategy !== undefined && { "x-kubernetes-patch-strategy": patchStrategy }),
    ...(patchKey !== undefined && { "x-kubernetes-patch-merge-key": patchKey }),
    ...(field.default !== undefined && { default: field.default }),
  };
  if (Object.keys(flags).length === 0) {
    return schema;
  }
  return "$ref" in schema ? { allOf: [schema], ...flags } : { ...schema, ...flags };
};

const customSchema = (schema: StructuralSchema, metadata: Json): Json => ({
  ...schema,
  type: "object",
  properties: { ...schema.properties, ...identity, metadata },
});
