import { checkShape, type Fields, type Shape } from "@capstan/simulation";
import type { Schema } from "./document.ts";

/** Texts that the formats of the document do not take; formats that are not here say nothing about single values. */
const wrong: Readonly<Record<string, string>> = {
  digits: "12a",
  email: "nobody",
  ip: "300.1.1.1",
  ipv6: "300.1.1.1",
  "ip/netmask": "10.0.0.1",
  url: "nowhere",
};

const differ = (at: string, what: string, here: unknown, there: unknown): readonly string[] =>
  here === there ? [] : [`${at}: ${what} ${text(here)}, there ${text(there)}`];

const text = (value: unknown): string => (value === undefined ? "none" : String(value));

/** Escapes and groups that make no difference are taken off. */
const plain = (pattern: string | undefined): string | undefined =>
  pattern?.replaceAll(String.raw`\/`, "/").replaceAll("(?:", "(");

const finite = (limit: number | undefined): number | undefined => (limit === Infinity ? undefined : limit);

/** Pictures are bytes, which the document does not describe as JSON. */
const isBytes = ({ type }: Shape, there: Schema): boolean => type === "bytes" && there.type === undefined;

/** Where what the simulator takes in a body differs from what the document says, a line each. */
export const requestDifferences = (here: Shape, there: Schema, at: string): readonly string[] => {
  if (isBytes(here, there)) return [];
  if (here.type === "json") return [`${at}: any JSON`];
  const type = here.type === "strings" ? "object" : here.type;
  if (there.type !== undefined && there.type !== type) return [`${at}: type ${type}, there ${there.type}`];
  return [
    ...differ(at, "null", here.nullable === true, there.nullable === true),
    ...ofType(here, there, at),
    ...formatDifferences(here, there, at),
  ];
};

const ofType = (here: Shape, there: Schema, at: string): readonly string[] => {
  switch (here.type) {
    case "string":
      return [
        ...differ(at, "shortest", here.min, there.minLength),
        ...differ(at, "longest", here.max, there.maxLength),
        ...differ(at, "pattern", plain(here.pattern?.source), plain(there.pattern)),
        ...differ(at, "one of", sorted(here.enum), sorted(there.enum)),
      ];
    case "integer":
    case "number":
      return [
        ...differ(at, "least", here.min, there.minimum),
        ...differ(at, "most", here.max, there.maximum),
        ...differ(at, "one of", sorted(here.enum), sorted(there.enum)),
      ];
    case "array":
      return [
        ...differ(at, "fewest", here.min, there.minItems === 0 ? undefined : there.minItems),
        ...differ(at, "most", finite(here.max), there.maxItems),
        ...requestDifferences(here.items, there.items ?? {}, `${at}[]`),
      ];
    case "object":
      return [
        ...differ(at, "required", sorted(here.required), sorted(there.required)),
        ...fieldDifferences(here.fields, there.properties ?? {}, at),
      ];
    default:
      return [];
  }
};

const sorted = (values: readonly unknown[] | undefined): string | undefined => {
  const known = values?.filter((value) => value !== null) ?? [];
  return known.length === 0 ? undefined : known.map(String).sort().join(" ");
};

/** Parameters, or fields of an object. */
export const fieldDifferences = (
  here: Fields,
  there: Readonly<Record<string, Schema>>,
  at: string,
): readonly string[] => [
  ...Object.entries(here).flatMap(([name, shape]) => {
    const schema = there[name];
    if (shape.readOnly === true) return [];
    return schema === undefined || schema.readOnly === true
      ? [`${at}.${name}: not there`]
      : requestDifferences(shape, schema, `${at}.${name}`);
  }),
  ...Object.entries(there).flatMap(([name, { readOnly }]) =>
    readOnly === true || Object.hasOwn(here, name) ? [] : [`${at}.${name}: only there`],
  ),
];

const formatDifferences = (here: Shape, { format = "" }: Schema, at: string): readonly string[] => {
  const example = wrong[format];
  if (example === undefined) return [];
  try {
    checkShape(example, here);
  } catch {
    return [];
  }
  return [`${at}: format ${format} only there`];
};
