import type { Dice } from "./dice.ts";
import { oddTexts, oddValue } from "./odd-values.ts";

/** A schema of an OpenAPI v3 document. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
}

/** All schemas by name. */
export type Schemas = ReadonlyMap<string, Schema>;

/** Names that a fuzzed object or reference may have: few, so that requests meet. */
export const names = ["a", "b", "c", "default", "admin", "kubernetes", "things.fuzz.test", "v1.apps"];

const texts = ["a", "b", "x-1", "v1", "default", "https", "TCP", "ClusterIP", "Always", "10.0.0.5", "80", "1Gi", "get"];

const textOf = (dice: Dice, format: string | undefined): string => {
  if (format === "byte") return dice.odd(3) ? "not base64" : dice.pick(["", "YQ==", "LS0tLS1CRUdJTg=="]);
  if (format === "date-time") {
    return dice.odd(3) ? "yesterday" : dice.pick(["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.123456Z"]);
  }
  return dice.odd(6) ? dice.pick(oddTexts) : dice.pick(texts);
};

const numberOf = (dice: Dice): number => dice.pick([0, 1, 2, 3, 80, 443, 1000, 30_000]);

const membersOf = (schema: Schema, schemas: Schemas, dice: Dice, depth: number): unknown => {
  const { properties = {}, additionalProperties, required = [] } = schema;
  const members = Object.entries(properties).filter(([name]) => required.includes(name) || dice.oneIn(2 + depth));
  const extra = typeof additionalProperties === "object" ? dice.below(3) : 0;
  return Object.fromEntries([
    ...members.map(([name, member]) => [name, objectFrom(member, schemas, dice, depth + 1)]),
    ...Array.from({ length: extra }, () => [
      dice.odd(4) ? dice.pick(oddTexts) : dice.pick(texts),
      objectFrom(additionalProperties as Schema, schemas, dice, depth + 1),
    ]),
  ]);
};

/** A value that fits the schema more or less; now and then anything. */
export const objectFrom = (given: Schema, schemas: Schemas, dice: Dice, depth = 0): unknown => {
  const target = given.$ref ?? given.allOf?.[0]?.$ref;
  const schema = target === undefined ? given : schemas.get(target.split("/").at(-1) ?? "");
  if (schema === undefined || dice.odd(100)) return oddValue(dice);
  if (schema.enum !== undefined && !dice.odd(8)) return dice.pick(schema.enum);
  switch (schema.type ?? (schema.oneOf === undefined ? "any" : dice.pick(["string", "integer"]))) {
    case "string":
      return textOf(dice, schema.format);
    case "boolean":
      return dice.oneIn(2);
    case "integer":
    case "number":
      return dice.odd(12) ? oddValue(dice) : numberOf(dice);
    case "array":
      return depth > 7
        ? []
        : Array.from({ length: dice.below(3) }, () => objectFrom(schema.items ?? {}, schemas, dice, depth + 1));
    case "object":
      return depth > 7 ? {} : membersOf(schema, schemas, dice, depth);
    default:
      return oddValue(dice);
  }
};
