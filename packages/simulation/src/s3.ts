export type { StoredObject } from "./objects/stored-object.ts";
export type { S3Account } from "./s3/account.ts";
export { s3Service } from "./s3/s3-service.ts";
export type { S3Options } from "./s3/s3-service.ts";
export type { SignedRequest, VerifyOptions } from "./s3/sigv4.ts";
