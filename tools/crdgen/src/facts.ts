import { byText } from "@capstan/kube-values";
import type { CustomResourceDefinition, CustomResourceVersion } from "@capstan/schema/manifest";
import { isJsonObject, type StructuralSchema } from "@capstan/schema";

/**
 * A definition as one line per fact, without descriptions, labels and conversion: names, versions, columns,
 * subresources, and the constraints of every field. `path*` is a required field, `[]` the items of a list, `{}` the
 * values of a map.
 */
export const factsOf = ({ spec }: CustomResourceDefinition): readonly string[] => [
  `group ${spec.group}`,
  `scope ${spec.scope}`,
  ...Object.entries(spec.names).map(([name, value]) => `names ${name} ${JSON.stringify(value)}`),
  ...spec.versions.flatMap((version) => versionFacts(version).map((fact) => `${version.name} ${fact}`)),
];

const versionFacts = (version: CustomResourceVersion): readonly string[] => [
  `served ${version.served}`,
  `storage ${version.storage}`,
  `deprecated ${version.deprecated ?? false}`,
  ...(version.additionalPrinterColumns ?? []).map((column) => `column ${sortedJson(column)}`),
  ...Object.entries(version.subresources ?? {}).map(([name, value]) => `subresource ${name} ${sortedJson(value)}`),
  ...fieldFacts(version.schema.openAPIV3Schema, "", false),
];

const fieldFacts = (schema: StructuralSchema, path: string, required: boolean): readonly string[] => {
  const { description: _, properties, items, additionalProperties, required: names, ...constraints } = schema;
  const marks = { ...constraints, ...(additionalProperties === true && { additionalProperties }) };
  const text = Object.entries(marks)
    .sort(([a], [b]) => byText(a, b))
    .map(([name, value]) => `${name.replace("x-kubernetes-", "x-")}=${sortedJson(value)}`);
  return [
    [`${path}${required ? "*" : ""}`, ...text].join(" "),
    ...(items === undefined ? [] : fieldFacts(items, `${path}[]`, false)),
    ...(typeof additionalProperties === "object" ? fieldFacts(additionalProperties, `${path}{}`, false) : []),
    ...Object.entries(properties ?? {})
      .sort(([a], [b]) => byText(a, b))
      .flatMap(([name, property]) => fieldFacts(property, `${path}.${name}`, names?.includes(name) ?? false)),
  ];
};

const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    isJsonObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => byText(a, b))) : member,
  );
