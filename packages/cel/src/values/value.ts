import type { Duration, Timestamp } from "./time.ts";

/**
 * A value at evaluation time. int is a `bigint` in the signed 64-bit range, uint is `Uint`, double is a `number`,
 * bytes are `Uint8Array`; strings are JavaScript strings whose length in CEL counts code points.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | CelList
  | CelMap
  | TypeValue
  | Optional
  | Opaque;

/** An unsigned 64-bit integer. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A type used as a value, as in `type(x) == int`. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The result of `optional.of`, `?.` and `[?]`. */
export class Optional {
  static readonly none = new Optional(undefined);
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

/** A value of a library type, for example a quantity. `typeName` is what `type()` reports. */
export abstract class Opaque {
  abstract readonly typeName: string;
  abstract equals(other: Opaque): boolean;
}

/**
 * Rules by which a list of a Kubernetes schema compares and merges. `keys` are the members that identify an element of
 * a map list.
 */
export type ListIdentity = { readonly type: "set" } | { readonly type: "map"; readonly keys: readonly string[] };

/** A list. Elements may be made on access, so readers go through `get` and iteration. */
export abstract class CelList implements Iterable<Value> {
  abstract readonly size: number;
  readonly identity: ListIdentity | undefined;

  constructor(identity?: ListIdentity) {
    this.identity = identity;
  }

  abstract get(index: number): Value;

  *[Symbol.iterator](): Iterator<Value> {
    for (let index = 0; index < this.size; index++) yield this.get(index);
  }
}

/** A list that holds its elements. */
export class ValueList extends CelList {
  readonly elements: readonly Value[];

  constructor(elements: readonly Value[], identity?: ListIdentity) {
    super(identity);
    this.elements = elements;
  }

  get size(): number {
    return this.elements.length;
  }

  get(index: number): Value {
    return this.elements[index] as Value;
  }

  override [Symbol.iterator](): Iterator<Value> {
    return this.elements[Symbol.iterator]();
  }
}

/** A map or a typed object. Keys are int, uint, bool or string; a number finds a key of equal value of another numeric type. */
export abstract class CelMap {
  /** `map`, or the name of the object type. */
  readonly typeName: string;
  abstract readonly size: number;

  constructor(typeName = "map") {
    this.typeName = typeName;
  }

  abstract get(key: Value): Value | undefined;
  abstract keys(): Iterable<Value>;

  has(key: Value): boolean {
    return this.get(key) !== undefined;
  }
}

type PlainKey = string | bigint | boolean;

/** The key under which a map stores `key`, or undefined if no map can hold it. */
export const plainKey = (key: Value): PlainKey | undefined => {
  if (typeof key === "string" || typeof key === "bigint" || typeof key === "boolean") return key;
  if (key instanceof Uint) return key.value;
  if (typeof key === "number" && Number.isInteger(key)) return BigInt(key);
  return undefined;
};

/** A map that holds its entries. */
export class ValueMap extends CelMap {
  readonly #entries = new Map<PlainKey, readonly [Value, Value]>();

  constructor(entries: Iterable<readonly [Value, Value]>) {
    super();
    for (const entry of entries) this.#entries.set(plainKey(entry[0]) as PlainKey, entry);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    const plain = plainKey(key);
    return plain === undefined ? undefined : this.#entries.get(plain)?.[1];
  }

  *keys(): Iterable<Value> {
    for (const [key] of this.#entries.values()) yield key;
  }
}
