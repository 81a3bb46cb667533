import { type Cause, sameJson, type StructuralSchema } from "@capstan/schema";
import { duplicate, invalid, oneOf, required, tooMany } from "../builtin/validation/causes.ts";
import type { CrdSpec, CrdVersion, CustomResourceDefinition } from "./crd-types.ts";
import { isLongSchema, type PlacedSchema, schemaFaults } from "./schema-faults.ts";
import { simplePath } from "./simple-path.ts";
import { dns1035 } from "./validate-names.ts";

/** Parts of a version that causes name at the top of the spec while all versions agree on them. */
type Part = "schema" | "subresources" | "additionalPrinterColumns" | "selectableFields";

const isShared = ({ versions: [first, ...others] }: CrdSpec, part: Part): boolean =>
  first?.[part] !== undefined && others.every((other) => sameJson(other[part], first[part]));

/** Each is served as a kind of its own, with its discovery and its OpenAPI. */
const maximumVersions = 50;

/** Where causes about a part of a version point. */
const placeOf = (spec: CrdSpec, index: number, part: Part): string => {
  if (!isShared(spec, part)) return `spec.versions[${index}].${part}`;
  return part === "schema" ? "spec.validation" : `spec.${part}`;
};

/** Returns whether causes about the part would only repeat those of the first version. */
const isRepeated = (spec: CrdSpec, index: number, part: Part): boolean => index > 0 && isShared(spec, part);

/** The schema of a version, unless it is that of another version, or what it was before. */
const changedSchema = ({ spec }: CustomResourceDefinition, index: number, old?: CrdSpec): PlacedSchema | undefined => {
  const version = spec.versions[index];
  const schema = version?.schema?.openAPIV3Schema;
  if (schema === undefined || isRepeated(spec, index, "schema")) return undefined;
  const before = old?.versions.find(({ name }) => name === version?.name)?.schema?.openAPIV3Schema;
  return sameJson(before, schema) ? undefined : { schema, at: `${placeOf(spec, index, "schema")}.openAPIV3Schema` };
};

/** Returns the faults of a changed schema; long schemas are checked later. */
const schemaCauses = (crd: CustomResourceDefinition, index: number, old: CrdSpec | undefined): readonly Cause[] => {
  if (crd.spec.versions[index]?.schema?.openAPIV3Schema === undefined) {
    return [required(`spec.versions[${index}].schema.openAPIV3Schema`, "schemas are required")];
  }
  const changed = changedSchema(crd, index, old);
  return changed === undefined || isLongSchema(changed.schema) ? [] : schemaFaults(changed);
};

/** The schemas whose faults take long to be found, and which did not stand in `old`. */
export const longSchemas = (crd: CustomResourceDefinition, old?: CustomResourceDefinition): readonly PlacedSchema[] =>
  crd.spec.versions.flatMap((_, index) => {
    const changed = changedSchema(crd, index, old?.spec);
    return changed !== undefined && isLongSchema(changed.schema) ? [changed] : [];
  });

const scaleCauses = (version: CrdVersion, at: string): readonly Cause[] => {
  const scale = version.subresources?.scale;
  if (scale === undefined) return [];
  const path = (name: keyof typeof scale, prefixes: readonly string[], isRequired: boolean): readonly Cause[] => {
    const value = scale[name] ?? "";
    const field = `${at}.scale.${name}`;
    if (value === "") return isRequired ? [required(field)] : [];
    if (simplePath(value) === undefined) return [invalid(field, value, "should be a json path starting with a dot")];
    return prefixes.some((prefix) => value.startsWith(prefix))
      ? []
      : [invalid(field, value, `should be a json path under ${prefixes.join(" or ").replaceAll(/\.$/g, "")}`)];
  };
  return [
    ...path("specReplicasPath", [".spec."], true),
    ...path("statusReplicasPath", [".status."], true),
    ...path("labelSelectorPath", [".spec.", ".status."], false),
  ];
};

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["int32", "int64", "float", "double", "byte", "date", "date-time", "password"];

const columnCauses = (version: CrdVersion, at: string): readonly Cause[] =>
  (version.additionalPrinterColumns ?? []).flatMap((column, index) => {
    const field = `${at}[${index}]`;
    return [
      ...((column.name ?? "") === "" ? [required(`${field}.name`)] : []),
      ...((column.type as string | undefined) === undefined
        ? [required(`${field}.type`)]
        : oneOf(`${field}.type`, column.type, columnTypes)),
      ...((column.format ?? "") === "" ? [] : oneOf(`${field}.format`, column.format, columnFormats)),
      ...((column.jsonPath ?? "") === ""
        ? [required(`${field}.jsonPath`)]
        : column.jsonPath.startsWith(".") && !column.jsonPath.includes("\n")
          ? []
          : [invalid(`${field}.jsonPath`, column.jsonPath, "must be a valid JSON path starting with a dot")]),
    ];
  });

const selectableTypes = new Set(["string", "boolean", "integer"]);

const selectableCauses = (version: CrdVersion, at: string): readonly Cause[] =>
  (version.selectableFields ?? []).flatMap(({ jsonPath = "" }, index, all) => {
    const field = `${at}[${index}].jsonPath`;
    if (jsonPath === "") return [required(field)];
    const path = simplePath(jsonPath);
    if (path === undefined) {
      return [invalid(field, jsonPath, "is an invalid path: must be a simple path with . notation")];
    }
    if (all.findIndex((other) => other.jsonPath === jsonPath) < index) return [duplicate(field, jsonPath)];
    const node = path.reduce<StructuralSchema | undefined>(
      (schema, member) => (Object.hasOwn(schema?.properties ?? {}, member) ? schema?.properties?.[member] : undefined),
      version.schema?.openAPIV3Schema,
    );
    const reserved = path[0] === "metadata" || path[0] === "apiVersion" || path[0] === "kind";
    if (reserved) return [invalid(field, jsonPath, "must not point to fields in metadata, apiVersion or kind")];
    return selectableTypes.has(node?.type ?? "")
      ? []
      : [invalid(field, jsonPath, "is an invalid path: must point to a field of type string, boolean or integer")];
  });

const deprecationCauses = (version: CrdVersion, index: number): readonly Cause[] => {
  const { deprecationWarning, deprecated } = version;
  if (deprecationWarning === undefined) return [];
  const field = `spec.versions[${index}].deprecationWarning`;
  if (deprecated !== true) return [invalid(field, deprecationWarning, "can only be set for deprecated versions")];
  return deprecationWarning === "" || deprecationWarning.length > 256 || /[\p{Cc}]/u.test(deprecationWarning)
    ? [invalid(field, deprecationWarning, "must be 1 to 256 printable characters")]
    : [];
};

const versionCauses = (crd: CustomResourceDefinition, index: number, old: CrdSpec | undefined): readonly Cause[] => {
  const { spec } = crd;
  const version = spec.versions[index]!;
  const at = (part: Part): string => placeOf(spec, index, part);
  const part = (name: Part, check: (version: CrdVersion, at: string) => readonly Cause[]): readonly Cause[] =>
    isRepeated(spec, index, name) ? [] : check(version, at(name));
  const isDuplicate = spec.versions.findIndex(({ name }) => name === version.name) < index;
  return [
    ...dns1035(`spec.versions[${index}].name`, version.name ?? ""),
    ...(isDuplicate
      ? [invalid(`spec.versions[${index}].name`, version.name, "must contain unique version names")]
      : []),
    ...deprecationCauses(version, index),
    ...schemaCauses(crd, index, old),
    ...part("subresources", scaleCauses),
    ...part("additionalPrinterColumns", columnCauses),
    ...part("selectableFields", selectableCauses),
  ];
};

/** Validates the versions; schemas that did not change since `old` are not checked again. */
export const crdVersionCauses = (crd: CustomResourceDefinition, old?: CustomResourceDefinition): readonly Cause[] => {
  const { versions } = crd.spec;
  if (versions.length === 0) return [required("spec.versions", "must have at least one version")];
  if (versions.length > maximumVersions && versions.length > (old?.spec.versions.length ?? 0)) {
    return [tooMany("spec.versions", versions.length, maximumVersions)];
  }
  const stored = versions.filter(({ storage }) => storage).length;
  return [
    ...versions.flatMap((_, index) => versionCauses(crd, index, old?.spec)),
    ...(stored === 1
      ? []
      : [
          invalid(
            "spec.versions",
            versions.map(({ name }) => name),
            "must have exactly one version marked as storage version",
          ),
        ]),
  ];
};

/** Validates `status.storedVersions`. */
export const storedVersionCauses = (crd: CustomResourceDefinition): readonly Cause[] => {
  const field = "status.storedVersions";
  const stored = crd.status?.storedVersions ?? [];
  if (stored.length === 0) return [invalid(field, stored, "must have at least one stored version")];
  const known = new Set(crd.spec.versions.map(({ name }) => name));
  return [
    ...crd.spec.versions
      .filter(({ name, storage }) => storage && !stored.includes(name))
      .map(({ name }) => invalid(field, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((name, index) =>
      known.has(name) ? [] : [invalid(`${field}[${index}]`, name, "must appear in spec.versions")],
    ),
  ];
};
