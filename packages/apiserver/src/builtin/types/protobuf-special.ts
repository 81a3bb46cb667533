import { parseJson } from "@capstan/schema/structural";
import { bytesOf, readMessage, signedOf, textOf } from "./protobuf-reader.ts";
import type { WireField } from "./protobuf-reader.ts";
import type { SpecialType } from "./type-table.ts";

type Fields = ReadonlyMap<number, WireField["value"]>;

/**
 * Decodes a message whose JSON form is not an object of its fields. `undefined`: the message stands for an absent value (an
 * empty time). `decodeSchema` decodes the JSONSchemaProps messages inside.
 */
export const decodeSpecial = (
  special: SpecialType,
  bytes: Uint8Array,
  decodeSchema: (bytes: Uint8Array) => unknown,
): unknown => {
  const message = readMessage(bytes);
  const fields: Fields = new Map(message.map(({ number, value }) => [number, value]));
  switch (special) {
    case "Time":
    case "MicroTime":
      return message.length === 0 ? undefined : decodeTime(fields, special === "MicroTime" ? 6 : 0);
    case "Quantity":
      return text(fields, 1);
    case "IntOrString":
      return integer(fields, 1) === 0 ? integer(fields, 2) : text(fields, 3);
    case "RawExtension":
    case "JSON":
    case "FieldsV1":
      return fields.has(1) ? parseJson(text(fields, 1)) : undefined;
    case "Strings":
      return strings(message, 1);
    case "SchemaOrArray":
      return fields.has(1) ? decodeSchema(bytesAt(fields, 1)) : schemas(message, decodeSchema);
    case "SchemaOrBool":
      return fields.has(2) ? decodeSchema(bytesAt(fields, 2)) : integer(fields, 1) !== 0;
    default:
      return fields.has(1) ? decodeSchema(bytesAt(fields, 1)) : strings(message, 2);
  }
};

const empty = new Uint8Array();
const bytesAt = (fields: Fields, number: number): Uint8Array => bytesOf(fields.get(number) ?? empty);
const text = (fields: Fields, number: number): string => textOf(fields.get(number) ?? empty);
const integer = (fields: Fields, number: number): number => Number(signedOf(fields.get(number) ?? 0n));

const strings = (message: readonly WireField[], number: number): readonly string[] =>
  message.filter((field) => field.number === number).map(({ value }) => textOf(value));

const schemas = (message: readonly WireField[], decodeSchema: (bytes: Uint8Array) => unknown): readonly unknown[] =>
  message.filter((field) => field.number === 2).map(({ value }) => decodeSchema(bytesOf(value)));

/** RFC 3339 in UTC with the given number of fraction digits. */
const decodeTime = (fields: Fields, digits: number): string => {
  const seconds = new Date(integer(fields, 1) * 1000).toISOString().slice(0, -".000Z".length);
  const nanos = String(integer(fields, 2)).padStart(9, "0");
  return `${seconds}${digits === 0 ? "" : `.${nanos.slice(0, digits)}`}Z`;
};
