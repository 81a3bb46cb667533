import { ByteReader } from "./byte-reader.ts";

const block = 512;
/** Largest header of names and the like. */
const maxExtended = 2 ** 20;

/** One entry of a tar archive. */
export interface TarEntry {
  readonly path: string;
  readonly type: "device" | "directory" | "file" | "hard link" | "symbolic link";
  readonly mode: number;
  readonly size: number;
  /** What a link points to. */
  readonly target: string;
  /** The content of a file; it has to be read before the next entry, or is skipped. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** An archive that cannot be read. */
export class TarError extends Error {}

const utf8 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");

const textOf = (bytes: Uint8Array): string => {
  const end = bytes.indexOf(0);
  return utf8(end < 0 ? bytes : bytes.subarray(0, end));
};

/** Octal digits, or binary where these do not suffice. */
const number = (bytes: Uint8Array): number => {
  if (((bytes[0] ?? 0) & 0x80) !== 0) return bytes.subarray(1).reduce((value, byte) => value * 256 + byte, 0);
  const digits = textOf(bytes).trim();
  if (!/^[0-7]*$/.test(digits)) throw new TarError("a header has no number where one must be");
  return digits === "" ? 0 : Number.parseInt(digits, 8);
};

const checksum = (header: Uint8Array): number =>
  header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);

interface Header {
  readonly flag: string;
  readonly entry: Omit<TarEntry, "content" | "type">;
}

const headerOf = (bytes: Uint8Array): Header => {
  if (number(bytes.subarray(148, 156)) !== checksum(bytes)) throw new TarError("a header has a wrong checksum");
  const isUstar = textOf(bytes.subarray(257, 263)).startsWith("ustar");
  const prefix = isUstar ? textOf(bytes.subarray(345, 500)) : "";
  const name = textOf(bytes.subarray(0, 100));
  const size = number(bytes.subarray(124, 136));
  if (!Number.isSafeInteger(size)) throw new TarError("an entry has an impossible size");
  return {
    flag: String.fromCharCode(bytes[156] ?? 0),
    entry: {
      path: prefix === "" ? name : `${prefix}/${name}`,
      mode: number(bytes.subarray(100, 108)),
      size,
      target: textOf(bytes.subarray(157, 257)),
    },
  };
};

/** What a header says about the entry behind it. */
type Told = "linkpath" | "path" | "size";

const isTold = (key: string): key is Told => key === "linkpath" || key === "path" || key === "size";

/** `<length> <key>=<value>\n`, again and again; of the records only those about names and sizes are kept. */
const extended = (bytes: Uint8Array): Said => {
  const records: { [Key in Told]?: string } = {};
  let offset = 0;
  while (offset < bytes.length) {
    let [length, at] = [0, offset];
    for (; bytes[at] !== 0x20; at++) {
      const digit = (bytes[at] ?? 0) - 0x30;
      if (digit < 0 || digit > 9 || length > maxExtended) throw new TarError("an extended header cannot be read");
      length = length * 10 + digit;
    }
    const end = offset + length;
    if (end <= at + 1 || end > bytes.length) throw new TarError("an extended header cannot be read");
    // The longest of the keys that matter has eight letters.
    const equals = bytes.subarray(at + 1, Math.min(at + 10, end)).indexOf(0x3d);
    const key = equals < 0 ? "" : utf8(bytes.subarray(at + 1, at + 1 + equals));
    if (isTold(key)) records[key] = utf8(bytes.subarray(at + 2 + equals, end - 1));
    offset = end;
  }
  return records;
};

const types: Readonly<Record<string, TarEntry["type"]>> = {
  "\0": "file",
  "0": "file",
  "1": "hard link",
  "2": "symbolic link",
  "3": "device",
  "4": "device",
  "5": "directory",
  "6": "device",
  "7": "file",
};

/** What earlier headers say about the next entry. */
type Said = { readonly [Key in Told]?: string };

const sizeOf = (text: string): number => {
  const size = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(size)) throw new TarError("an extended header has an impossible size");
  return size;
};

const withSaid = (entry: Header["entry"], { linkpath, path, size }: Said): Header["entry"] => ({
  ...entry,
  ...(path === undefined ? {} : { path }),
  ...(linkpath === undefined ? {} : { target: linkpath }),
  ...(size === undefined ? {} : { size: sizeOf(size) }),
});

const padding = (size: number): number => (block - (size % block)) % block;

/** The rest of what is being read. */
const skip = async (reader: ByteReader, size: number): Promise<void> => {
  for await (const _ of reader.parts(size)) continue;
};

const readAll = async (reader: ByteReader, size: number): Promise<Uint8Array> => {
  if (size > maxExtended) throw new TarError("an extended header is too large");
  const bytes = await reader.read(size);
  await skip(reader, padding(size));
  return bytes ?? new Uint8Array();
};

/** The content of an entry, of which it is known how much was read. */
const contentOf = (reader: ByteReader, size: number) => {
  let left = size;
  const parts = async function* (): AsyncGenerator<Uint8Array> {
    for await (const part of reader.parts(left)) {
      left -= part.length;
      yield part;
    }
  };
  return { parts: { [Symbol.asyncIterator]: parts }, finish: () => skip(reader, left + padding(size)) };
};

const isExtended = (flag: string): boolean => flag === "g" || flag === "x" || flag === "L" || flag === "K";

/**
 * Entries of a tar archive in its usual forms: POSIX with extended headers, and GNU. `onHeader` is called with the bytes of each header
 * that is no entry itself, before it is read; it may throw. Throws `TarError`.
 */
export async function* readTar(
  source: AsyncIterable<Uint8Array>,
  onHeader: (bytes: number) => void,
): AsyncGenerator<TarEntry> {
  const reader = new ByteReader(source);
  let common: Said = {};
  let said: Said = {};
  for (;;) {
    const bytes = await reader.read(block);
    // Two empty blocks are the end; programs that forget them are not rare.
    if (bytes === undefined || bytes.every((byte) => byte === 0)) return;
    const { entry, flag } = headerOf(bytes);
    if (isExtended(flag)) onHeader(block + entry.size);
    if (flag === "g") common = { ...common, ...extended(await readAll(reader, entry.size)) };
    else if (flag === "x") said = { ...said, ...extended(await readAll(reader, entry.size)) };
    else if (flag === "L") said = { ...said, path: textOf(await readAll(reader, entry.size)) };
    else if (flag === "K") said = { ...said, linkpath: textOf(await readAll(reader, entry.size)) };
    else {
      const whole = withSaid(entry, { ...common, ...said });
      said = {};
      const content = contentOf(reader, whole.size);
      yield { ...whole, type: types[flag] ?? "device", content: content.parts };
      await content.finish();
    }
  }
}
