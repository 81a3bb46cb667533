/** One field of an encoded message: a number for varints and fixed values, bytes for everything with a length. */
export interface WireField {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Splits an encoded protobuf message into its fields, in order. Throws a `RangeError` when the bytes end too early or use a wire
 * type that Kubernetes does not (groups).
 */
export const readMessage = (bytes: Uint8Array): readonly WireField[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields: WireField[] = [];
  let offset = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = view.getUint8(offset);
      offset += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        return BigInt.asUintN(64, value);
      }
    }
    throw new RangeError("a varint is longer than ten bytes");
  };
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - offset) {
      throw new RangeError("the message ends inside a field");
    }
    offset += length;
    return bytes.subarray(offset - length, offset);
  };
  while (offset < bytes.length) {
    const tag = varint();
    const number = Number(tag >> 3n);
    const wireType = Number(tag & 7n);
    if (wireType === 0) {
      fields.push({ number, value: varint() });
    } else if (wireType === 1) {
      fields.push({ number, value: view.getBigUint64(offset, true) });
      offset += 8;
    } else if (wireType === 2) {
      fields.push({ number, value: take(Number(varint())) });
    } else if (wireType === 5) {
      fields.push({ number, value: BigInt(view.getUint32(offset, true)) });
      offset += 4;
    } else {
      throw new RangeError(`wire type ${wireType} is not supported`);
    }
  }
  return fields;
};

/** A length-delimited value, or nothing when the field was written as a number. */
export const bytesOf = (value: WireField["value"]): Uint8Array => {
  if (typeof value === "bigint") {
    throw new RangeError("a field with a length was written as a number");
  }
  return value;
};

const numberOf = (value: WireField["value"]): bigint => {
  if (typeof value !== "bigint") {
    throw new RangeError("a number was written as a field with a length");
  }
  return value;
};

/** Text; throws a `TypeError` when it is not UTF-8. */
export const textOf = (value: WireField["value"]): string => utf8.decode(bytesOf(value));

/** A signed number; a bigint when a number cannot hold it. */
export const signedOf = (value: WireField["value"]): number | bigint => {
  const integer = BigInt.asIntN(64, numberOf(value));
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
};

/** The bits of a 64-bit floating-point number. */
export const doubleOf = (value: WireField["value"]): number => {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, numberOf(value));
  return view.getFloat64(0);
};
