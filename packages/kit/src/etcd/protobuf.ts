/** A field of a message by its number: a whole number, a bool, a text or bytes. */
export type Field = readonly [number: number, value: bigint | boolean | string | Buffer];

/** A message as it was read: every value of each field, in order. */
export type Message = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

const wireType = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

const varint = (value: bigint): Buffer => {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest === 0n ? low : low | 0x80);
  } while (rest !== 0n);
  return Buffer.from(bytes);
};

const written = ([number, value]: Field): readonly Buffer[] => {
  if (typeof value === "bigint" || typeof value === "boolean") {
    return [varint(BigInt(number << 3)), varint(BigInt(value))];
  }
  const bytes = Buffer.from(value as string);
  return [varint(BigInt((number << 3) | wireType.bytes)), varint(BigInt(bytes.length)), bytes];
};

/** Writes a message. */
export const encode = (fields: readonly Field[]): Buffer => Buffer.concat(fields.flatMap(written));

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.take(1)[0] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("a number is too long");
  }

  take(length: number): Buffer {
    const part = this.#bytes.subarray(this.#at, this.#at + length);
    if (part.length < length) throw new RangeError("the message ends too early");
    this.#at += length;
    return part;
  }
}

const valueOf = (reader: Reader, type: number): bigint | Buffer => {
  if (type === wireType.varint) return reader.varint();
  if (type === wireType.bytes) return reader.take(Number(reader.varint()));
  if (type === wireType.fixed64) return reader.take(8);
  if (type === wireType.fixed32) return reader.take(4);
  throw new RangeError(`fields of type ${type} are not known`);
};

/** Reads a message; throws a RangeError for what is none. */
export const decode = (bytes: Buffer): Message => {
  const reader = new Reader(bytes);
  const fields = new Map<number, (bigint | Buffer)[]>();
  while (!reader.isAtEnd) {
    const key = Number(reader.varint());
    const values = fields.get(key >> 3) ?? [];
    values.push(valueOf(reader, key & 7));
    fields.set(key >> 3, values);
  }
  return fields;
};

/** The last value of some bytes; empty when none are sent. */
export const bytesIn = (message: Message, field: number): Buffer => {
  const value = message.get(field)?.at(-1);
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
};

/** The last value of a number; 0 when it is not sent. */
export const numberIn = (message: Message, field: number): bigint => {
  const value = message.get(field)?.at(-1);
  return typeof value === "bigint" ? value : 0n;
};

/** All values of a text. */
export const textsIn = (message: Message, field: number): readonly string[] =>
  (message.get(field) ?? []).flatMap((value) => (Buffer.isBuffer(value) ? [value.toString("utf8")] : []));

/** The last value of a text. */
export const textIn = (message: Message, field: number): string => textsIn(message, field).at(-1) ?? "";

/** All messages of a field. */
export const messagesIn = (message: Message, field: number): readonly Message[] =>
  (message.get(field) ?? []).flatMap((value) => (Buffer.isBuffer(value) ? [decode(value)] : []));
