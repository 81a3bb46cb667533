import { etcdFailed } from "./etcd-failed.ts";

const magic = 0xed0cdaed;
const pageHeaderBytes = 16;
const elementBytes = 16;
const flag = { branch: 0x01, leaf: 0x02 } as const;
const subBucket = 1;

/** One key of a bucket with its value. */
interface Entry {
  readonly isBucket: boolean;
  readonly key: Buffer;
  readonly value: Buffer;
}

const damaged = (why: string): Error => etcdFailed("snapshot", `the file is no database of etcd, or damaged: ${why}`);

/** The offset of a page by its number. */
type PageAt = (id: bigint) => Buffer;

const part = (bytes: Buffer, at: number, length: number): Buffer => {
  if (at < 0 || length < 0 || at + length > bytes.length) throw damaged("an entry leads out of it");
  return bytes.subarray(at, at + length);
};

function* entriesOf(page: Buffer, pageAt: PageAt, depth = 0): Generator<Entry> {
  if (depth > 64) throw damaged("its pages lead in a circle");
  const flags = part(page, 8, 2).readUInt16LE();
  const count = part(page, 10, 2).readUInt16LE();
  for (let index = 0; index < count; index += 1) {
    const at = pageHeaderBytes + elementBytes * index;
    const element = part(page, at, elementBytes);
    if (flags === flag.branch) {
      yield* entriesOf(pageAt(element.readBigUInt64LE(8)), pageAt, depth + 1);
    } else if (flags === flag.leaf) {
      const start = at + element.readUInt32LE(4);
      const [keyBytes, valueBytes] = [element.readUInt32LE(8), element.readUInt32LE(12)];
      yield {
        isBucket: (element.readUInt32LE(0) & subBucket) !== 0,
        key: part(page, start, keyBytes),
        value: part(page, start + keyBytes, valueBytes),
      };
    } else throw damaged(`a page has the flags ${flags}`);
  }
}

/** The number of the root page, by the newer one of both meta pages. */
const rootOf = (file: Buffer): { readonly root: bigint; readonly pageBytes: number } => {
  if (file.length < 2 * 1024 || file.readUInt32LE(pageHeaderBytes) !== magic) throw damaged("it begins otherwise");
  const pageBytes = file.readUInt32LE(24);
  const metas = [0, pageBytes].map((at) => part(file, at, 80)).filter((meta) => meta.readUInt32LE(16) === magic);
  const [newest] = metas.toSorted((left, right) => Number(right.readBigUInt64LE(64) - left.readBigUInt64LE(64)));
  if (newest === undefined || pageBytes < 1024) throw damaged("it has no meta page");
  return { root: newest.readBigUInt64LE(32), pageBytes };
};

/**
 * Reads the keys and values of a bucket of a bbolt file, in the order of the keys. Throws `kit.etcd_failed` for a file that is none or is
 * damaged.
 */
export function* readBucket(file: Buffer, name: string): Generator<readonly [key: Buffer, value: Buffer]> {
  const { pageBytes, root } = rootOf(file);
  const pageAt: PageAt = (id) => {
    const at = Number(id) * pageBytes;
    const overflow = part(file, at, pageHeaderBytes).readUInt32LE(12);
    return part(file, at, (overflow + 1) * pageBytes);
  };
  for (const { isBucket, key, value } of entriesOf(pageAt(root), pageAt)) {
    if (!isBucket || key.toString() !== name) continue;
    const own = part(value, 0, 16).readBigUInt64LE();
    // A small bucket is a page within its entry.
    const page = own === 0n ? value.subarray(16) : pageAt(own);
    for (const entry of entriesOf(page, pageAt)) yield [entry.key, entry.value];
    return;
  }
  throw damaged(`it has no bucket ${name}`);
}
