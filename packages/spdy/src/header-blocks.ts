import { constants, inflateRawSync } from "node:zlib";
import { spdyDictionary } from "./spdy-dictionary.ts";

/** Headers of a stream; names in lower case. */
export type StreamHeaders = Readonly<Record<string, string>>;

/** Window that deflate may refer back to, in bytes, and limits on the headers of one stream. */
const windowBytes = 32_768;
const zlibHeadBytes = 2;
const dictionaryIdBytes = 4;
const namesDictionary = 0x20;

/**
 * Reads the header blocks of one SPDY connection, which are parts of one compressed text: each must be given, in order. Throws a
 * `RangeError` for what is not a header block.
 */
export const headerReader = (): ((block: Uint8Array) => StreamHeaders) => {
  let window: Buffer = Buffer.alloc(0);
  let isFirst = true;
  return (block) => {
    let deflated = block;
    if (isFirst) {
      isFirst = false;
      const hasDictionary = ((block[1] ?? 0) & namesDictionary) !== 0;
      window = hasDictionary ? spdyDictionary : window;
      deflated = block.subarray(zlibHeadBytes + (hasDictionary ? dictionaryIdBytes : 0));
    }
    const text = inflate(deflated, window);
    window = Buffer.concat([window, text]).subarray(-windowBytes);
    return parse(text);
  };
};

/** The text continues after this block: it ends at a flush, where deflate has come to whole bytes. */
const inflate = (block: Uint8Array, window: Buffer): Buffer => {
  try {
    return inflateRawSync(block, {
      ...(window.length === 0 ? {} : { dictionary: window }),
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: windowBytes,
    });
  } catch (error) {
    throw new RangeError(`the headers cannot be decompressed: ${(error as Error).message}`, { cause: error });
  }
};

const parse = (text: Buffer): StreamHeaders => {
  let offset = 0;
  const number = (): number => {
    offset += 4;
    return text.readUInt32BE(offset - 4);
  };
  const word = (): string => {
    const length = number();
    if (length > text.length - offset) {
      throw new RangeError("the headers end inside a word");
    }
    offset += length;
    return text.toString("utf8", offset - length, offset);
  };
  const headers: Record<string, string> = Object.create(null);
  for (let left = number(); left > 0; left -= 1) {
    const name = word();
    if (name !== name.toLowerCase() || name in headers) {
      throw new RangeError(`the header ${JSON.stringify(name)} is not in lower case or occurs twice`);
    }
    headers[name] = word();
  }
  return headers;
};

const word = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  return Buffer.concat([uint32(bytes.length), bytes]);
};

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Head of a zlib stream without compression or dictionary. */
const plainZlibHead = Buffer.from([0x78, 0x01]);

/** An empty stored part, which ends each flush: Go's decompressor keeps what it has until there is one. */
const flush = Buffer.from([0, 0, 0, 0xff, 0xff]);

/**
 * Writes the header blocks of one SPDY connection. They are stored, not compressed: a few of some dozen bytes are all that there are.
 */
export const headerWriter = (): ((headers: StreamHeaders) => Buffer) => {
  let head = plainZlibHead;
  return (headers) => {
    const entries = Object.entries(headers);
    const text = Buffer.concat([
      uint32(entries.length),
      ...entries.flatMap(([name, value]) => [word(name), word(value)]),
    ]);
    const stored = Buffer.alloc(5);
    stored.writeUInt16LE(text.length, 1);
    stored.writeUInt16LE(text.length ^ 0xffff, 3);
    const block = Buffer.concat([head, stored, text, flush]);
    head = Buffer.alloc(0);
    return block;
  };
};
