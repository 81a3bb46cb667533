export { createObjectStore, s3ObjectStores } from "./opener.ts";
export type { S3ObjectStoreOptions } from "./options.ts";
