/** A file in an archive. */
export interface ArchivedFile {
  readonly content: string;
  /** Default 0644. */
  readonly mode?: number;
}

const block = 512;

const field = (header: Buffer, text: string, [offset, length]: readonly [number, number]): void => {
  header.write(text, offset, length, "latin1");
};

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, "0")}\0`;

const headerOf = (path: string, mode: number, size: number): Buffer => {
  const header = Buffer.alloc(block);
  field(header, path, [0, 100]);
  field(header, octal(mode, 8), [100, 8]);
  field(header, octal(0, 8), [108, 8]);
  field(header, octal(0, 8), [116, 8]);
  field(header, octal(size, 12), [124, 12]);
  field(header, octal(0, 12), [136, 12]);
  field(header, " ".repeat(8), [148, 8]);
  field(header, "0", [156, 1]);
  field(header, "ustar\0" + "00", [257, 8]);
  field(
    header,
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      7,
    ),
    [148, 7],
  );
  return header;
};

/** A tar archive of files with short names; the same files give the same bytes. */
export const writeTar = (files: Readonly<Record<string, ArchivedFile>>): Buffer => {
  const parts = Object.entries(files).flatMap(([path, { content, mode = 0o644 }]) => {
    const bytes = Buffer.from(content);
    const padding = Buffer.alloc((block - (bytes.length % block)) % block);
    return [headerOf(path, mode, bytes.length), bytes, padding];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
};
