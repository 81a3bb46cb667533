import { parseJson } from "@capstan/schema/structural";
import { type MutableJson, setMember } from "@capstan/schema";
import { badRequest } from "../../model/status-error.ts";
import { tableOfGroup } from "./resource-facts.ts";
import { bytesOf, doubleOf, readMessage, signedOf, textOf } from "./protobuf-reader.ts";
import type { WireField } from "./protobuf-reader.ts";
import { decodeSpecial } from "./protobuf-special.ts";
import type { Field, ObjectType, ScalarType, TypeRef } from "./type-table.ts";
import { builtinTypes } from "./builtin-types.ts";

const magic = [0x6b, 0x38, 0x73, 0x00];

/** True for a body in the protobuf envelope of Kubernetes. */
export const isProtobuf = (bytes: Uint8Array): boolean => magic.every((byte, index) => bytes[index] === byte);

/**
 * Decodes a request body of type `application/vnd.kubernetes.protobuf` (any built-in kind) into the object its JSON would give.
 * Throws a 400 when the envelope, the kind or a field is not understood.
 */
export const decodeProtobuf = (bytes: Uint8Array): MutableJson => {
  if (!isProtobuf(bytes)) {
    throw badRequest("the body is not protobuf in the Kubernetes envelope: it does not begin with 6b 38 73 00");
  }
  try {
    return decodeEnvelope(bytes.subarray(magic.length));
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError) {
      throw badRequest(`the protobuf body cannot be decoded: ${error.message}`, error);
    }
    throw error;
  }
};

const decodeEnvelope = (bytes: Uint8Array): MutableJson => {
  const envelope = new Map(readMessage(bytes).map(({ number, value }) => [number, value]));
  const header = new Map(
    readMessage(bytesOf(envelope.get(1) ?? new Uint8Array())).map((field) => [field.number, field]),
  );
  const [apiVersion, kind] = [1, 2].map((number) => textOf(header.get(number)?.value ?? new Uint8Array()));
  const raw = bytesOf(envelope.get(2) ?? new Uint8Array());
  const contentType = textOf(envelope.get(4) ?? new Uint8Array());
  if (contentType === "application/json") {
    return parseJson(textOf(raw)) as MutableJson;
  }
  const type = typeOf(apiVersion ?? "", kind ?? "");
  return { ...(apiVersion !== "" && { apiVersion }), ...(kind !== "" && { kind }), ...decodeObject(raw, type) };
};

/** Options such as DeleteOptions are written with the group of the resource they are for. */
const typeOf = (apiVersion: string, kind: string): ObjectType => {
  const table = tableOfGroup(apiVersion);
  const type =
    (table === undefined ? undefined : builtinTypes.find(table, kind)) ??
    (kind.endsWith("Options") ? builtinTypes.find("meta", kind) : undefined);
  if (type === undefined) {
    throw badRequest(`no kind "${kind}" is registered for version "${apiVersion}"`);
  }
  return type;
};

const fieldsByNumber = new WeakMap<ObjectType, ReadonlyMap<number, Field>>();

const fieldsOf = (type: ObjectType): ReadonlyMap<number, Field> => {
  const known = fieldsByNumber.get(type) ?? new Map(type.fields.map((field) => [field.number, field]));
  fieldsByNumber.set(type, known);
  return known;
};

const decodeObject = (bytes: Uint8Array, type: ObjectType): MutableJson => {
  const object: MutableJson = {};
  const fields = fieldsOf(type);
  for (const { number, value } of readMessage(bytes)) {
    const field = fields.get(number);
    if (field !== undefined) {
      decodeField(object, field, value);
    }
  }
  return object;
};

const decodeField = (object: MutableJson, field: Field, value: WireField["value"]): void => {
  const { name, type, required, embedded } = field;
  if (embedded) {
    Object.assign(object, decodeValue(type, value));
  } else if (type.form === "list") {
    const list = (object[name] ?? []) as unknown[];
    list.push(decodeValue(type.of, value));
    object[name] = list;
  } else if (type.form === "map") {
    const map = (object[name] ?? {}) as MutableJson;
    decodeMapEntry(map, type.of, value);
    object[name] = map;
  } else {
    const decoded = decodeValue(type, value);
    const kept = required || type.form !== "scalar" || type.pointer || !isZero(decoded);
    if (kept && decoded !== undefined) {
      setMember(object, name, decoded);
    }
  }
};

const isZero = (value: unknown): boolean => value === "" || value === 0 || value === false;

const decodeMapEntry = (map: MutableJson, type: TypeRef, value: WireField["value"]): void => {
  const entry = new Map(readMessage(bytesOf(value)).map((field) => [field.number, field.value]));
  const content = entry.get(2);
  setMember(
    map,
    textOf(entry.get(1) ?? new Uint8Array()),
    content === undefined ? zeroOf(type) : decodeValue(type, content),
  );
};

const zeroOf = (type: TypeRef): unknown => {
  if (type.form === "scalar") {
    return type.scalar === "string" || type.scalar === "bytes" ? "" : type.scalar === "bool" ? false : 0;
  }
  return decodeValue(type, new Uint8Array());
};

const decodeValue = (type: TypeRef, value: WireField["value"]): unknown => {
  switch (type.form) {
    case "scalar":
      return decodeScalar(type.scalar, value);
    case "special":
      return decodeSpecial(type.special, bytesOf(value), decodeSchema);
    case "object":
      return decodeObject(bytesOf(value), objectType(type.table, type.name));
    default:
      throw new RangeError("lists of lists and maps of maps do not occur");
  }
};

const objectType = (table: string, name: string): ObjectType => {
  const type = builtinTypes.find(table, name);
  if (type === undefined) {
    throw new RangeError(`the type ${table}.${name} is not described`);
  }
  return type;
};

/** A JSONSchemaProps message, which special types contain. */
const decodeSchema = (bytes: Uint8Array): MutableJson =>
  decodeObject(bytes, objectType("apiextensions", "JSONSchemaProps"));

const decodeScalar = (scalar: ScalarType, value: WireField["value"]): unknown => {
  switch (scalar) {
    case "string":
      return textOf(value);
    case "bytes":
      return Buffer.from(bytesOf(value)).toString("base64");
    case "bool":
      return signedOf(value) !== 0;
    case "double":
      return doubleOf(value);
    default:
      return signedOf(value);
  }
};
