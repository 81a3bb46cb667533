/** A value of ASN.1 as BER writes it. */
export interface BerValue {
  /** Class, form and number, as the first byte has them: no file of keys needs longer ones. */
  readonly tag: number;
  /** Members of a constructed value. */
  readonly parts: readonly BerValue[];
  /** The bytes of a primitive one, and those of the pieces of a string that is cut. */
  readonly bytes: Buffer;
  /** The whole value, with tag and length. */
  readonly whole: Buffer;
}

const constructed = 0x20;
const indefinite = 0x80;

/** Where a value ends, and what it is. */
interface Read {
  readonly value: BerValue;
  readonly end: number;
}

const broken = (): Error => new Error("the bytes are cut off");

const lengthAt = (bytes: Buffer, at: number): { readonly length: number; readonly start: number } => {
  const first = bytes[at];
  if (first === undefined) throw broken();
  if (first < indefinite) return { length: first, start: at + 1 };
  const count = first & 0x7f;
  if (count > 4) throw broken();
  return { length: count === 0 ? -1 : bytes.readUIntBE(at + 1, count), start: at + 1 + count };
};

const partsUntil = (bytes: Buffer, start: number, isEnd: (at: number) => boolean): readonly [BerValue[], number] => {
  const parts: BerValue[] = [];
  let at = start;
  while (!isEnd(at)) {
    const { end, value } = readAt(bytes, at);
    parts.push(value);
    at = end;
  }
  return [parts, at];
};

const readAt = (bytes: Buffer, at: number): Read => {
  const tag = bytes[at];
  if (tag === undefined) throw broken();
  const { length, start } = lengthAt(bytes, at + 1);
  const isOpen = length < 0;
  const limit = start + length;
  if (!isOpen && limit > bytes.length) throw broken();
  if ((tag & constructed) === 0) {
    if (isOpen) throw broken();
    return {
      value: { tag, parts: [], bytes: bytes.subarray(start, limit), whole: bytes.subarray(at, limit) },
      end: limit,
    };
  }
  // One without a length ends with two zeros.
  const isEnd = (next: number) => (isOpen ? bytes[next] === 0 && bytes[next + 1] === 0 : next >= limit);
  const [parts, last] = partsUntil(bytes, start, isEnd);
  const end = isOpen ? last + 2 : limit;
  return {
    value: { tag, parts, bytes: Buffer.concat(parts.map((part) => part.bytes)), whole: bytes.subarray(at, end) },
    end,
  };
};

/** Reads the first value of bytes. Throws where they are none. */
export const readBer = (bytes: Uint8Array): BerValue => readAt(Buffer.from(bytes), 0).value;

/** An object identifier with its numbers. */
export const oidOf = ({ bytes }: BerValue): string => {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      numbers.push(number);
      number = 0;
    }
  }
  const [first = 0, ...others] = numbers;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...others].join(".");
};

/** An integer that is small enough for a number. */
export const integerOf = ({ bytes }: BerValue): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);
