import type { CelType } from "../types/cel-type.ts";
import { dyn, elementOf, entryOf } from "../types/cel-type.ts";
import { Duration, parseDate, parseDuration, parseTimestamp, Timestamp } from "../values/time.ts";
import type { Value } from "../values/value.ts";
import { Failure } from "../values/failure.ts";
import { CelList, CelMap, Opaque, Optional, TypeValue, Uint } from "../values/value.ts";

/** Texts are decoded whenever they are read, so the last ones are kept; nothing changes the bytes. */
const decoded: { readonly text: string; readonly bytes: Uint8Array }[] = [];
const mostDecoded = 4;

const decodedBytes = (text: string): Uint8Array => {
  const known = decoded.find((each) => each.text === text);
  if (known !== undefined) return known.bytes;
  const bytes = Uint8Array.from(Buffer.from(text, "base64"));
  decoded.push({ text, bytes });
  if (decoded.length > mostDecoded) decoded.shift();
  return bytes;
};

type JsonObject = Readonly<Record<string, unknown>>;

const isJsonObject = (json: unknown): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json);

/** A JSON array whose elements are converted when they are read. */
class JsonList extends CelList {
  readonly #items: readonly unknown[];
  readonly #element: CelType;

  constructor(items: readonly unknown[], type: CelType) {
    super(type.identity);
    this.#items = items;
    this.#element = elementOf(type);
  }

  get size(): number {
    return this.#items.length;
  }

  get(index: number): Value {
    return fromJson(this.#element, this.#items[index]);
  }
}

/** A JSON object as a map with string keys. */
class JsonMap extends CelMap {
  readonly #json: JsonObject;
  readonly #value: CelType;

  constructor(json: JsonObject, value: CelType) {
    super();
    this.#json = json;
    this.#value = value;
  }

  get size(): number {
    return Object.keys(this.#json).length;
  }

  get(key: Value): Value | undefined {
    if (typeof key !== "string" || !Object.hasOwn(this.#json, key)) return undefined;
    return fromJson(this.#value, this.#json[key]);
  }

  override has(key: Value): boolean {
    return typeof key === "string" && Object.hasOwn(this.#json, key);
  }

  keys(): Iterable<Value> {
    return Object.keys(this.#json);
  }
}

/** A JSON object of a schema: only declared members exist. */
class TypedObject extends CelMap {
  readonly #json: JsonObject;
  readonly #type: CelType;

  constructor(json: JsonObject, type: CelType) {
    super(type.name);
    this.#json = json;
    this.#type = type;
  }

  get size(): number {
    return [...this.keys()].length;
  }

  get(key: Value): Value | undefined {
    const field = typeof key === "string" ? this.#type.fields?.get(key) : undefined;
    if (field === undefined || !Object.hasOwn(this.#json, field.jsonName)) return undefined;
    return fromJson(field.type, this.#json[field.jsonName]);
  }

  override has(key: Value): boolean {
    const field = typeof key === "string" ? this.#type.fields?.get(key) : undefined;
    return field !== undefined && Object.hasOwn(this.#json, field.jsonName);
  }

  *keys(): Iterable<Value> {
    for (const [name, field] of this.#type.fields ?? []) {
      if (field.alias !== true && Object.hasOwn(this.#json, field.jsonName)) yield name;
    }
  }
}

const invalid = (type: CelType): Failure => new Failure(`invalid data, expected a value of type ${type.name}`);

const integer = (json: unknown): bigint | undefined => {
  if (typeof json === "bigint") return json;
  return typeof json === "number" && Number.isInteger(json) ? BigInt(json) : undefined;
};

const double = (json: unknown): number | undefined => {
  if (typeof json === "number") return json;
  return typeof json === "bigint" ? Number(json) : undefined;
};

const parsed = (json: unknown, parse: (text: string) => Value | undefined): Value | undefined =>
  typeof json === "string" ? parse(json) : undefined;

const readers: Readonly<Record<string, (json: unknown, type: CelType) => Value | undefined>> = {
  int: integer,
  uint: (json) => {
    const value = integer(json);
    return value === undefined || value < 0n ? undefined : new Uint(value);
  },
  double,
  null: () => undefined,
  bool: (json) => (typeof json === "boolean" ? json : undefined),
  string: (json) => (typeof json === "string" ? json : undefined),
  bytes: (json) => parsed(json, decodedBytes),
  timestamp: (json, type) => parsed(json, type.format === "date" ? parseDate : parseTimestamp),
  duration: (json) => parsed(json, parseDuration),
  list: (json, type) => (Array.isArray(json) ? new JsonList(json, type) : undefined),
  map: (json, type) => (isJsonObject(json) ? new JsonMap(json, entryOf(type)) : undefined),
  object: (json, type) => (isJsonObject(json) ? new TypedObject(json, type) : undefined),
  optional: (json, type) => new Optional(fromJson(elementOf(type), json)),
};

const untypedList = { ...dyn, parameters: [dyn] };

const untyped = (json: unknown): Value => {
  if (typeof json === "number") return Number.isInteger(json) ? BigInt(json) : json;
  if (Array.isArray(json)) return new JsonList(json, untypedList);
  if (isJsonObject(json)) return new JsonMap(json, dyn);
  if (json === null || typeof json === "string" || typeof json === "boolean" || typeof json === "bigint") return json;
  throw new Failure("invalid data, expected JSON");
};

const isValue = (json: unknown): json is Value =>
  json instanceof CelList ||
  json instanceof CelMap ||
  json instanceof Opaque ||
  json instanceof Uint ||
  json instanceof Timestamp ||
  json instanceof Duration ||
  json instanceof Optional ||
  json instanceof TypeValue ||
  json instanceof Uint8Array;

/**
 * JSON as a value of a type; lists and objects are converted member by member when they are read. A whole number is an
 * int where the type does not say. Values of the engine pass unchanged. Throws a `Failure` where the data is of another type.
 */
export const fromJson = (type: CelType, json: unknown): Value => {
  if (isValue(json)) return json;
  if (type.kind === "dyn") return untyped(json);
  if (json === null && (type.nullable === true || type.kind === "null")) return null;
  const value = readers[type.kind]?.(json, type);
  if (value === undefined) throw invalid(type);
  return value;
};
