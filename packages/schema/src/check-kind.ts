import type { Kind } from "./kind.ts";
import { own } from "./structural/json.ts";
import type { StructuralSchema } from "./structural/structural-schema.ts";
import { ruleFieldPath } from "./structural/schema-rules.ts";
import { validateSchema } from "./structural/validate-schema.ts";

/**
 * Names everything about a kind and its versions that the API server would refuse or a reader would miss: missing
 * descriptions, faults of the schema, CEL rules that iterate over something without a maximum, paths that lead nowhere.
 * Empty when all is well.
 */
export const checkKind = (kind: Kind): readonly string[] => {
  const versions = [...(kind.versions ?? []), kind];
  const where = (version: Kind, problem: string) => `${kind.kind} ${version.version}: ${problem}`;
  return [
    ...checkVersions(kind, versions).map((problem) => `${kind.kind}: ${problem}`),
    ...versions.flatMap((version) =>
      [...checkNames(version), ...checkSchema(version), ...checkPaths(version)].map((problem) =>
        where(version, problem),
      ),
    ),
  ];
};

const checkVersions = (kind: Kind, versions: readonly Kind[]): readonly string[] => {
  const problems: string[] = [];
  const stored = versions.filter((version) => version.storage);
  if (stored.length !== 1) problems.push(`exactly one version must be stored, not ${stored.length}`);
  if (new Set(versions.map(({ version }) => version)).size < versions.length) problems.push("a version is there twice");
  for (const version of versions) {
    for (const name of ["group", "kind", "plural", "singular", "scope"] as const) {
      if (version[name] !== kind[name]) problems.push(`${name} differs in ${version.version}`);
    }
  }
  return problems;
};

const checkNames = (kind: Kind): readonly string[] => {
  const expected: readonly (readonly [text: string, pattern: RegExp, what: string])[] = [
    [kind.group, /^[a-z0-9][-a-z0-9]*(\.[a-z0-9][-a-z0-9]*)+$/, "group must be a DNS name with a dot"],
    [kind.version, /^v\d+((alpha|beta)\d+)?$/, "version must look like v1, v1beta1 or v1alpha1"],
    [kind.kind, /^[A-Z][A-Za-z0-9]*$/, "kind must be PascalCase"],
    [kind.plural, /^[a-z][a-z0-9]*$/, "plural must be lower case"],
    [kind.singular, /^[a-z][a-z0-9]*$/, "singular must be lower case"],
  ];
  return expected.flatMap(([text, pattern, what]) => (pattern.test(text) ? [] : [`${what}, not ${text}`]));
};

const checkSchema = (kind: Kind): readonly string[] => [
  ...validateSchema(kind.schema, "schema").map(({ field, message }) => `${field}: ${message}`),
  ...undescribed(kind.schema, "schema")
    .filter((path) => path !== "schema.metadata")
    .map((path) => `${path}: has no description`),
  ...unbounded(kind.schema, "schema").map((path) => `${path}: a rule iterates over it, so it needs a maximum`),
];

const parts = (schema: StructuralSchema, path: string): readonly (readonly [StructuralSchema, string])[] => [
  ...(schema.items === undefined ? [] : [[schema.items, `${path}[]`] as const]),
  ...(typeof schema.additionalProperties === "object" ? [[schema.additionalProperties, `${path}{}`] as const] : []),
  ...Object.entries(schema.properties ?? {}).map(([name, property]) => [property, `${path}.${name}`] as const),
];

const undescribed = (schema: StructuralSchema, path: string): readonly string[] => [
  ...((schema.description ?? "") === "" ? [path] : []),
  ...parts(schema, path).flatMap(([part, at]) => undescribed(part, at)),
];

const iterates = /\bself\.(all|exists|exists_one|filter|map)\(/;

const unbounded = (schema: StructuralSchema, path: string): readonly string[] => {
  const iterated = (schema["x-kubernetes-validations"] ?? []).some(({ rule }) => iterates.test(rule));
  const bounded = schema.maxItems !== undefined || schema.maxProperties !== undefined;
  return [...(iterated && !bounded ? [path] : []), ...parts(schema, path).flatMap(([part, at]) => unbounded(part, at))];
};

const checkPaths = (kind: Kind): readonly string[] => {
  const problems: string[] = [];
  const fieldAt = (path: string): StructuralSchema | undefined =>
    ruleFieldPath(kind.schema, path) === undefined
      ? undefined
      : path
          .slice(1)
          .split(".")
          .reduce<StructuralSchema | undefined>((of, name) => own(of?.properties, name), kind.schema);
  for (const { name, path } of kind.columns ?? []) {
    if (!path.startsWith(".")) problems.push(`column ${name}: path must start with a dot`);
  }
  for (const path of Object.values(kind.scale ?? {})) {
    if (fieldAt(path) === undefined) problems.push(`scale: there is no ${path}`);
  }
  for (const path of kind.selectableFields ?? []) {
    const type = fieldAt(path)?.type;
    if (type !== "string" && type !== "integer" && type !== "boolean") {
      problems.push(`selectable field ${path} must be a string, an integer or a boolean`);
    }
  }
  if (kind.statusSubresource && own(kind.schema.properties, "status") === undefined) {
    problems.push("there is a status subresource but no status");
  }
  return problems;
};
