import { createHash } from "node:crypto";
import { readBucket } from "./bolt-file.ts";
import { etcdFailed } from "./etcd-failed.ts";
import { bytesIn, decode, numberIn } from "./protobuf.ts";

/** A key as a member keeps it. */
export interface EtcdKeyValue {
  readonly key: string;
  readonly value: Buffer;
  /** The revision at which the key appeared: what others belong to appears before them. */
  readonly created: bigint;
  /** It goes when a lease ends. */
  readonly hasLease: boolean;
}

const digestBytes = 32;
const pageBytes = 512;
/** Length of a revision: two numbers of 64 bits with a `_` between; a `t` follows where the key was deleted. */
const revisionBytes = 17;

/** A key with its value, from the message that stands for it in files and answers. */
export const keyValueIn = (message: Buffer): EtcdKeyValue => {
  const fields = decode(message);
  return {
    key: bytesIn(fields, 1).toString("utf8"),
    value: bytesIn(fields, 5),
    created: numberIn(fields, 2),
    hasLease: numberIn(fields, 6) !== 0n,
  };
};

/**
 * Reads a snapshot: every key with its last value. Verifies the checksum at its end. Throws `kit.etcd_failed` for a file that is no snapshot
 * or is damaged.
 */
export const readSnapshot = (file: Buffer): ReadonlyMap<string, EtcdKeyValue> => {
  const database = file.subarray(0, file.length - digestBytes);
  const hash = createHash("sha256").update(database).digest();
  if (file.length % pageBytes !== digestBytes || !hash.equals(file.subarray(-digestBytes))) {
    throw etcdFailed("snapshot", "the file is not a complete etcd snapshot: its checksum does not match");
  }
  const keys = new Map<string, EtcdKeyValue>();
  for (const [revision, message] of readBucket(database, "key")) {
    const found = keyValueIn(message);
    if (revision.length > revisionBytes) keys.delete(found.key);
    else keys.set(found.key, found);
  }
  return keys;
};
