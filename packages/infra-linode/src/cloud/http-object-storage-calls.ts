import type { LinodeClient } from "@capstan/linode-client";
import { done, find, gone, run } from "./guarded.ts";
import type { ObjectStorageCalls } from "./linode-api.ts";
import { pageSize } from "./page-size.ts";
import { specFields } from "./spec-fields.ts";

export const objectStorageCalls = ({ objectStorage: { buckets, keys } }: LinodeClient): ObjectStorageCalls => ({
  bucket: (region, label, call) => find(`read bucket ${label}`, () => buckets.get(region, label, call)),
  bucketAccess: (region, label, call) =>
    run(`read the access of bucket ${label}`, () => buckets.getAccess(region, label, call)),
  createBucket: (body, call) =>
    done(`create bucket ${body.label}`, () => buckets.create(body, call), specFields.bucket),
  setBucketAccess: (region, label, body, call) =>
    done(`set the access of bucket ${label}`, () => buckets.updateAccess(region, label, body, call), specFields.bucket),
  deleteBucket: (region, label, call) => gone(`delete bucket ${label}`, () => buckets.delete(region, label, call)),
  storageKeys: (call) => run("list the object storage keys", () => keys.list({ ...call, pageSize })),
  createStorageKey: (body, call) =>
    run(`create object storage key ${body.label}`, () => keys.create(body, call), specFields.storageKey),
  deleteStorageKey: (id, call) => gone(`revoke object storage key ${id}`, () => keys.delete(id, call)),
});
