import { storeError } from "./errors.ts";
import { standardBucket } from "./options.ts";

/** Neither a path nor anything that a file system reads in a way of its own. */
const bucketName = /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/;

export const isBucketName = (name: string): boolean => bucketName.test(name);

/** The bucket that a Secret names. Throws `objectstore.invalid_config`. */
export const readBucket = (data: Readonly<Record<string, string>>): string => {
  const bucket = data["bucket"]?.trim() || standardBucket;
  if (isBucketName(bucket)) return bucket;
  const why = `"bucket" must be 3 to 63 lowercase letters, digits and hyphens`;
  throw storeError("invalidConfig", "open the object store", why);
};
