import type { StoredObject } from "../objects/stored-object.ts";

/** Account that buckets and keys of the object storage belong to. */
export interface S3Account {
  /** The secret of an access key id; `undefined` if there is no such key. */
  secretOf(accessKey: string): string | undefined;
  /** Returns whether the key may read or write in the bucket, whether or not that exists. */
  allows(accessKey: string, bucket: string, use: "read" | "write"): boolean;
  /** The bucket's objects, which are changed in place; `undefined` if the bucket does not exist. */
  objects(bucket: string): StoredObject[] | undefined;
}
