import type { CreateObjectStoreV1, ObjectStoreOpener } from "@capstan/contract/v1";
import type { S3ObjectStoreOptions } from "./options.ts";
import { readSettings } from "./settings.ts";
import { s3Store } from "./store.ts";

/** Opens stores of type `s3`: Linode Object Storage and every other S3-compatible service. Opening makes no call. */
export const s3ObjectStores = (options: S3ObjectStoreOptions): ObjectStoreOpener => ({
  contract: "v1",
  type: "s3",
  open: (data) => s3Store(readSettings(data, { forcePathStyle: options.forcePathStyle ?? false }), options),
});

/** The stores as the command loads them: they also serve Secrets that name no type. */
export const createObjectStore: CreateObjectStoreV1 = ({ clock, proxyFor }) => ({
  ...s3ObjectStores({ clock, ...(proxyFor !== undefined && { proxyFor }) }),
  isDefault: true,
});
