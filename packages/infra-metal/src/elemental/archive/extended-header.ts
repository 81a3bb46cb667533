import { TarError } from "./tar-error.ts";

const told = /(?:^|\n)\d+ (?:linkpath|path|size|GNU\.sparse\.[\w.]+)=/;

/** Longest record that is read; longer ones are not in archives that are meant to be unpacked. */
const maxRecordBytes = 2 ** 20;

const unreadable = (): TarError => new TarError("an extended header cannot be read");

/** Returns the bytes of the record at an offset, its length included. Throws `TarError`. */
const recordAt = (bytes: Buffer, offset: number): Buffer => {
  const space = bytes.indexOf(0x20, offset);
  const digits = space < 0 ? "" : bytes.toString("latin1", offset, space);
  const length = /^\d{1,7}$/.test(digits) ? Number(digits) : 0;
  const end = offset + length;
  if (length > maxRecordBytes || end <= space + 1 || end > bytes.length) throw unreadable();
  return bytes.subarray(space + 1, end);
};

const checkSize = (record: string): void => {
  const size = record.slice("size=".length, -1);
  if (/^\d+$/.test(size) && Number.isSafeInteger(Number(size))) return;
  throw new TarError("an extended header has an impossible size");
};

/**
 * Throws `TarError` unless an extended header is a row of POSIX records, `<length> <key>=<value>\n`, or one long name of GNU tar,
 * which ends with NUL. The parser of `tar` skips records that it cannot read, and so would take the name or size of an entry
 * from elsewhere than another program.
 */
export const checkExtendedHeader = (text: string): void => {
  const isRecords = told.test(text);
  if (text.endsWith("\0") && !isRecords) return;
  // A binary value, such as a capability of a program; decoded, its length cannot be known.
  if (text.includes("\uFFFD") && !isRecords) return;
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length;) {
    const record = recordAt(bytes, offset);
    const line = record.toString("utf8");
    if (line.startsWith("size=")) checkSize(line);
    if (line.startsWith("GNU.sparse.")) throw new TarError("a file in it is sparse; pack it without --sparse");
    offset = bytes.indexOf(0x20, offset) + 1 + record.length;
  }
};
