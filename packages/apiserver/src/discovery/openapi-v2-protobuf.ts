import { own } from "@capstan/schema";
import { jsonText } from "@capstan/schema/structural";

type Json = Readonly<Record<string, unknown>>;
type Encode = (value: never) => Uint8Array;
/** Number of each member of a message, with what encodes its value; what is not named is an extension when it begins with `x-`. */
interface Message {
  readonly members: Readonly<Record<string, readonly [number: number, encode: Encode]>>;
  readonly extensions: number;
}

const bytesWire = 2;
const fixedWire = 1;

const varint = (value: number | bigint): Uint8Array => {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
};

/** A field with a length in front of it. */
const field = (number: number, content: Uint8Array): Uint8Array =>
  Buffer.concat([varint((number << 3) | bytesWire), varint(content.length), content]);

const text = (number: number, value: string): Uint8Array => field(number, Buffer.from(value));
const bool = (number: number, value: boolean): Uint8Array =>
  Buffer.concat([varint(number << 3), varint(Number(value))]);
const int = (number: number, value: number | bigint): Uint8Array => Buffer.concat([varint(number << 3), varint(value)]);
const double = (number: number, value: number | bigint): Uint8Array => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(Number(value));
  return Buffer.concat([varint((number << 3) | fixedWire), bytes]);
};

/** Anything at all, as YAML; JSON is that. */
const any = (value: unknown): Uint8Array => text(2, `${jsonText(value)}\n`);

/** An entry of a map. */
export const encodeNamed = (number: number, name: string, value: Uint8Array): Uint8Array =>
  field(number, Buffer.concat([text(1, name), field(2, value)]));

const message = (value: Json, { members, extensions }: Message): Uint8Array =>
  Buffer.concat(
    Object.entries(value).flatMap(([name, member]) => {
      if (name.startsWith("x-")) {
        return [encodeNamed(extensions, name, any(member))];
      }
      const known = own(members, name);
      return known === undefined || member === undefined ? [] : [known[1](member as never)];
    }),
  );

const texts =
  (number: number): Encode =>
  (values: readonly string[]) =>
    Buffer.concat(values.map((value) => text(number, value)));
const member = <T>(number: number, encode: (number: number, value: T) => Uint8Array) =>
  [number, (value: T) => encode(number, value)] as unknown as readonly [number, Encode];

const schemas: Message["members"] = {
  $ref: member(1, text),
  format: member(2, text),
  title: member(3, text),
  description: member(4, text),
  multipleOf: member(6, double),
  maximum: member(7, double),
  exclusiveMaximum: member(8, bool),
  minimum: member(9, double),
  exclusiveMinimum: member(10, bool),
  maxLength: member(11, int),
  minLength: member(12, int),
  pattern: member(13, text),
  maxItems: member(14, int),
  minItems: member(15, int),
  uniqueItems: member(16, bool),
  maxProperties: member(17, int),
  minProperties: member(18, int),
  required: [19, texts(19)],
  enum: member(20, (number, values: readonly unknown[]) =>
    Buffer.concat(values.map((value) => field(number, any(value)))),
  ),
  additionalProperties: member(21, (number, value: Json | boolean) =>
    field(number, typeof value === "boolean" ? bool(2, value) : field(1, encodeSchema(value))),
  ),
  type: member(22, (number, value: string) => field(number, text(1, value))),
  items: member(23, (number, value: Json) => field(number, field(1, encodeSchema(value)))),
  properties: member(25, (number, value: Readonly<Record<string, Json>>) =>
    field(
      number,
      Buffer.concat(Object.entries(value).map(([name, schema]) => encodeNamed(1, name, encodeSchema(schema)))),
    ),
  ),
};

/** A schema of version 2. */
export const encodeSchema = (schema: Json): Uint8Array => message(schema, { members: schemas, extensions: 31 });

const schemaField = (number: number, schema: Json): Uint8Array => field(number, encodeSchema(schema));

/** The places of parameters in their messages differ by where they stand in a request. */
const parameterKinds: Readonly<Record<string, { readonly wrap: readonly number[]; readonly message: Message }>> = {
  body: {
    wrap: [1],
    message: {
      members: {
        name: member(2, text),
        in: member(3, text),
        required: member(4, bool),
        schema: member(5, schemaField),
      },
      extensions: 6,
    },
  },
  query: {
    wrap: [3, 2],
    message: {
      members: { required: member(1, bool), in: member(2, text), name: member(4, text), type: member(6, text) },
      extensions: 22,
    },
  },
  path: {
    wrap: [4, 2],
    message: {
      members: { required: member(1, bool), in: member(2, text), name: member(4, text), type: member(5, text) },
      extensions: 21,
    },
  },
};

const parameters = (number: number, values: readonly Json[]): Uint8Array =>
  Buffer.concat(
    values.flatMap((value) => {
      const kind = parameterKinds[String(value["in"])];
      if (kind === undefined) {
        return [];
      }
      const inner = kind.wrap.reduce((content, wrapper) => field(wrapper, content), message(value, kind.message));
      return [field(number, field(1, inner))];
    }),
  );

const responses = (number: number, values: Readonly<Record<string, Json>>): Uint8Array =>
  field(
    number,
    Buffer.concat(
      Object.entries(values).map(([code, { description, schema }]) => {
        const response = Buffer.concat([text(1, String(description)), field(2, schemaField(1, schema as Json))]);
        return encodeNamed(1, code, field(1, response));
      }),
    ),
  );

const operation: Message = {
  members: {
    tags: [1, texts(1)],
    operationId: member(5, text),
    produces: [6, texts(6)],
    consumes: [7, texts(7)],
    parameters: member(8, parameters),
    responses: member(9, responses),
    schemes: [10, texts(10)],
  },
  extensions: 13,
};

const operationField = (number: number, value: Json): Uint8Array => field(number, message(value, operation));

const pathItem: Message = {
  members: {
    get: member(2, operationField),
    put: member(3, operationField),
    post: member(4, operationField),
    delete: member(5, operationField),
    patch: member(8, operationField),
    parameters: member(9, parameters),
  },
  extensions: 10,
};

/** The operations of a path. */
export const encodePathItem = (value: Json): Uint8Array => message(value, pathItem);

/** A whole document: entries of `paths` have the number 2 in their message, those of `definitions` 1. */
export const encodeDocument = (
  info: { readonly title: string; readonly version: string },
  paths: readonly Uint8Array[],
  definitions: readonly Uint8Array[],
): Uint8Array =>
  Buffer.concat([
    text(1, "2.0"),
    field(2, Buffer.concat([text(1, info.title), text(2, info.version)])),
    field(8, Buffer.concat(paths)),
    field(9, Buffer.concat(definitions)),
  ]);
