export { blobService } from "./blob/blob-service.ts";
export type { BlobOptions } from "./blob/blob-service.ts";
export { signedBlobUrl } from "./blob/signed-url.ts";
export type { SignedBlob } from "./blob/signed-url.ts";
export type { BlobIdentity, BlobUse, StorageAccount } from "./blob/storage-account.ts";
export type { StoredObject } from "./objects/stored-object.ts";
