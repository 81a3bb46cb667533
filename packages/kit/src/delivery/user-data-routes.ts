import type { BootstrapData, DeliveryRoute, UserData } from "@capstan/contract/v1";
import { bootstrapFormats } from "@capstan/contract/wire";
import { gzip, isGzip } from "./gzip.ts";
import { storePointer } from "./store-pointer.ts";
import { userDataOf } from "./user-data.ts";

/** Limits of a cloud's user-data field. */
export interface UserDataLimit {
  /** The measured size must be strictly below this. */
  readonly limitBytes: number;
  /** The size that counts: bytes before (default) or after base64, or as the author defines. */
  readonly measure?: NonNullable<DeliveryRoute["measure"]>;
}

const asUserData = ({ bytes }: BootstrapData): UserData => userDataOf(bytes);

/** The original bytes in the user-data field of the server. */
export const inline = (limit: UserDataLimit): DeliveryRoute<"direct", UserData> => ({
  name: "direct",
  ...limit,
  deliver: asUserData,
});

/** Packed in the user-data field, what came packed as it is. Only cloud-init unpacks it; for Ignition a packed document is none. */
export const gzipped = (limit: UserDataLimit): DeliveryRoute<"gzip", UserData> => ({
  name: "gzip",
  formats: [bootstrapFormats.cloudConfig],
  pack: (bytes) => (isGzip(bytes) ? bytes : gzip(bytes)),
  ...limit,
  deliver: asUserData,
});

/** The original bytes for a metadata service that the author runs and that serves them to the machine. Default: without limit. */
export const metadataService = (limit: Partial<UserDataLimit> = {}): DeliveryRoute<"metadata-service", UserData> => ({
  name: "metadata-service",
  ...limit,
  deliver: asUserData,
});

/**
 * The routes of a cloud that has one user-data field: the original bytes, packed ones where the machine unpacks them (`gzip`), else a
 * pointer to the object store of the cluster.
 */
export const userDataRoutes = ({ gzip: unpacks = false, ...limit }: UserDataLimit & { readonly gzip?: boolean }) =>
  [inline(limit), ...(unpacks ? [gzipped(limit)] : []), storePointer(limit)] as const;
