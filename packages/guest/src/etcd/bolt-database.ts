/** One key with its value. */
export interface EtcdKey {
  readonly key: string;
  readonly value: Buffer;
  /** The revision at which it appeared. */
  readonly created: number;
}

const pageBytes = 4096;
const pageHeaderBytes = 16;
const elementBytes = 16;
const bucketBytes = 16;
const magic = 0xed0cdaed;
const flag = { leaf: 0x02, meta: 0x04, freelist: 0x10 } as const;
const subBucket = 1;

interface Element {
  readonly flags: number;
  readonly key: Buffer;
  readonly value: Buffer;
}

const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
};

const bytesField = (field: number, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([(field << 3) | 2]), varint(value.length), value]);

const numberField = (field: number, value: number): Buffer => Buffer.concat([Buffer.from([field << 3]), varint(value)]);

/** The record of a key as etcd keeps it, under the revision that wrote it. */
const recordOf = ({ created, key, value }: EtcdKey, revision: number): Element => {
  const at = Buffer.alloc(17);
  at.writeBigUInt64BE(BigInt(revision));
  at.write("_", 8);
  const record = Buffer.concat([
    bytesField(1, Buffer.from(key)),
    numberField(2, created),
    numberField(3, revision),
    numberField(4, 1),
    bytesField(5, value),
  ]);
  return { flags: 0, key: at, value: record };
};

const fill = (page: Buffer, header: { id: number; flags: number; count: number }): Buffer => {
  page.writeBigUInt64LE(BigInt(header.id));
  page.writeUInt16LE(header.flags, 8);
  page.writeUInt16LE(header.count, 10);
  page.writeUInt32LE(page.length / pageBytes - 1, 12);
  return page;
};

/** A leaf with all of its elements, over as many pages as they need. */
const leaf = (id: number, elements: readonly Element[]): Buffer => {
  const start = pageHeaderBytes + elementBytes * elements.length;
  const bytes = elements.reduce((sum, { key, value }) => sum + key.length + value.length, start);
  const page = Buffer.alloc(Math.ceil(bytes / pageBytes) * pageBytes);
  let at = start;
  for (const [index, { flags, key, value }] of elements.entries()) {
    const own = pageHeaderBytes + elementBytes * index;
    page.writeUInt32LE(flags, own);
    page.writeUInt32LE(at - own, own + 4);
    page.writeUInt32LE(key.length, own + 8);
    page.writeUInt32LE(value.length, own + 12);
    at += key.copy(page, at);
    at += value.copy(page, at);
  }
  return fill(page, { id, flags: flag.leaf, count: elements.length });
};

/** FNV-1a of 64 bits. */
const fnv = (bytes: Buffer): bigint => {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
};

const meta = (id: number, roots: { root: number; freelist: number; end: number }): Buffer => {
  const page = Buffer.alloc(pageBytes);
  page.writeUInt32LE(magic, 16);
  page.writeUInt32LE(2, 20);
  page.writeUInt32LE(pageBytes, 24);
  page.writeBigUInt64LE(BigInt(roots.root), 32);
  page.writeBigUInt64LE(BigInt(roots.freelist), 48);
  page.writeBigUInt64LE(BigInt(roots.end), 56);
  page.writeBigUInt64LE(BigInt(id), 64);
  page.writeBigUInt64LE(fnv(page.subarray(16, 72)), 72);
  return fill(page, { id, flags: flag.meta, count: 0 });
};

/**
 * A database of etcd as a file of bbolt, as the snapshot of a member is one: the bucket `key` has the keys, all written at the revisions up
 * to `revision`.
 */
export const boltDatabase = (keys: readonly EtcdKey[], revision: number): Buffer => {
  const freelist = fill(Buffer.alloc(pageBytes), { id: 2, flags: flag.freelist, count: 0 });
  const first = Math.max(1, revision - keys.length + 1);
  const records = leaf(
    4,
    keys.map((key, index) => recordOf(key, first + index)),
  );
  const bucket = Buffer.alloc(bucketBytes);
  bucket.writeBigUInt64LE(4n);
  const root = leaf(3, [{ flags: subBucket, key: Buffer.from("key"), value: bucket }]);
  const roots = { root: 3, freelist: 2, end: 4 + records.length / pageBytes };
  return Buffer.concat([meta(0, roots), meta(1, roots), freelist, root, records]);
};
