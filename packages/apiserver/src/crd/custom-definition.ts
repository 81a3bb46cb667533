import type { KubeObject, StructuralSchema } from "@capstan/schema";
import { applyDefaults, objectMetaSchema, prune } from "@capstan/schema/structural";
import { kindSchema } from "../builtin/types/type-schema.ts";
import type { PrinterColumn, ResourceDefinition, StorageMapping, SubresourceDefinition, Verb } from "../model/types.ts";
import type { Converter } from "./conversion.ts";
import type { CrdSpec, CrdVersion, CustomResourceDefinition } from "./crd-types.ts";
import { conditionOf, isTrue, storageVersion } from "./crd-types.ts";
import { customStrategy } from "./custom-strategy.ts";
import { simplePath, valueAt } from "./simple-path.ts";

/** In the order discovery lists them. */
const verbs: readonly Verb[] = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const subresourceVerbs: readonly Verb[] = ["get", "patch", "update"];

const emptySchema: StructuralSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const text: StructuralSchema = { type: "string" };

const declaredSchema = (version: CrdVersion): StructuralSchema => version.schema?.openAPIV3Schema ?? emptySchema;

/** The schema with the members every object has; of metadata a definition may only restrict the names. */
const wholeSchema = (schema: StructuralSchema): StructuralSchema => ({
  ...schema,
  properties: {
    ...schema.properties,
    apiVersion: { ...text, ...schema.properties?.["apiVersion"] },
    kind: { ...text, ...schema.properties?.["kind"] },
    metadata: {
      ...objectMetaSchema,
      properties: { ...objectMetaSchema.properties, ...schema.properties?.["metadata"]?.properties },
    },
  },
});

const ageColumn: PrinterColumn = {
  name: "Age",
  type: "date",
  description: "CreationTimestamp is a timestamp representing the server time when this object was created.",
  jsonPath: ".metadata.creationTimestamp",
};

const subresourcesOf = ({ subresources }: CrdVersion): readonly SubresourceDefinition[] => [
  ...(subresources?.status === undefined
    ? []
    : [{ name: "status", verbs: subresourceVerbs, behaviour: { type: "status" } } satisfies SubresourceDefinition]),
  ...(subresources?.scale === undefined
    ? []
    : [
        {
          name: "scale",
          verbs: subresourceVerbs,
          kind: { group: "autoscaling", version: "v1", kind: "Scale" },
          schema: kindSchema("autoscaling", "Scale"),
          behaviour: { type: "scale", scale: subresources.scale },
        } satisfies SubresourceDefinition,
      ]),
];

const selectableFields = ({ selectableFields: fields = [] }: CrdVersion): ResourceDefinition["selectableFields"] =>
  Object.fromEntries(
    fields.map(({ jsonPath = "" }) => {
      const path = simplePath(jsonPath) ?? [];
      const read = (object: KubeObject): string => String(valueAt(object, path) ?? "");
      return [path.join("."), read];
    }),
  );

/** Prunes and defaults a stored object by the storage schema when it is read. Returns the same object if nothing changes. */
const onRead =
  (schema: StructuralSchema) =>
  (object: KubeObject): KubeObject =>
    applyDefaults(schema, prune(schema, object).value) as KubeObject;

const storageOf = (spec: CrdSpec, version: CrdVersion, converter: Converter | undefined): StorageMapping => {
  const storage = storageVersion(spec) ?? version;
  const apiVersion = `${spec.group}/${storage.name}`;
  const served = `${spec.group}/${version.name}`;
  const mapping = { store: `${spec.group}/${spec.names.plural}`, apiVersion, onRead: onRead(declaredSchema(storage)) };
  if (converter === undefined || served === apiVersion) return mapping;
  return {
    ...mapping,
    toStorage: (objects) => converter(objects, apiVersion),
    fromStorage: (objects) => converter(objects, served),
  };
};

const deprecation = ({ spec }: CustomResourceDefinition, version: CrdVersion): string | undefined =>
  version.deprecated === true
    ? (version.deprecationWarning ?? `${spec.group}/${version.name} ${spec.names.kind} is deprecated`)
    : undefined;

const definition = (
  crd: CustomResourceDefinition,
  version: CrdVersion,
  converter: Converter | undefined,
): ResourceDefinition => {
  const { spec } = crd;
  const names = crd.status?.acceptedNames ?? spec.names;
  const schema = declaredSchema(version);
  const columns = version.additionalPrinterColumns ?? [];
  const deprecationWarning = deprecation(crd, version);
  const isTerminating =
    crd.metadata.deletionTimestamp !== undefined || conditionOf(crd, "Terminating")?.status === "True";
  return {
    group: spec.group,
    version: version.name,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: spec.scope === "Namespaced",
    verbs,
    origin: "custom",
    schema: wholeSchema(schema),
    subresources: subresourcesOf(version),
    selectableFields: selectableFields(version),
    columns: columns.length === 0 ? [ageColumn] : columns,
    strategy: customStrategy({ schema, scale: version.subresources?.scale }),
    storage: storageOf(spec, version, converter),
    ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
    ...(isTerminating ? { closedForCreate: "create not allowed while custom resource definition is terminating" } : {}),
  };
};

/**
 * The served versions of an established definition; none while it is not established. A definition that is deleted without
 * serving any version serves its storage version, so that its objects can go.
 */
export const customDefinitions = (
  crd: CustomResourceDefinition,
  converter?: Converter,
): readonly ResourceDefinition[] => {
  if (!isTrue(crd, "Established")) return [];
  const served = crd.spec.versions.filter((version) => version.served);
  const isGoing = crd.metadata.deletionTimestamp !== undefined;
  const versions = served.length === 0 && isGoing ? crd.spec.versions.filter(({ storage }) => storage) : served;
  return versions.map((version) => definition(crd, version, converter));
};
