import { isJsonObject } from "@capstan/schema";
import type { Schema } from "./document.ts";

const typeOf = (value: unknown): string =>
  Array.isArray(value) ? "array" : value === null ? "null" : Number.isInteger(value) ? "integer" : typeof value;

const fits = (value: unknown, type: string): boolean =>
  typeOf(value) === type || (type === "number" && typeof value === "number");

/** Where an answer differs from what the document says, a line each; items of a list are told of together. */
export const answerDifferences = (value: unknown, schema: Schema, at: string): readonly string[] => {
  if (value === null) return schema.nullable === true ? [] : [`${at}: null`];
  if (schema.type !== undefined && !fits(value, schema.type)) {
    return [`${at}: ${typeOf(value)}, there ${schema.type}`];
  }
  const values = schema.enum?.filter((each) => each !== null) ?? [];
  if (values.length > 0 && !Array.isArray(value) && !values.includes(value)) {
    return [`${at}: ${JSON.stringify(value)}, there ${values.join(" ")}`];
  }
  if (Array.isArray(value)) {
    const lines = value.flatMap((item) => answerDifferences(item, schema.items ?? {}, `${at}[]`));
    return [...new Set(lines)];
  }
  if (!isJsonObject(value) || schema.properties === undefined) return [];
  const { properties } = schema;
  return [
    ...Object.entries(value).flatMap(([name, field]) =>
      properties[name] === undefined
        ? [`${at}.${name}: not there`]
        : answerDifferences(field, properties[name], `${at}.${name}`),
    ),
    ...Object.keys(properties).flatMap((name) => (Object.hasOwn(value, name) ? [] : [`${at}.${name}: only there`])),
  ];
};
