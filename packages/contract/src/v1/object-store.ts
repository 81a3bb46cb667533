import type { ServiceKey } from "./provider.ts";
import type { ObjectStoreServerV1 } from "./served-store.ts";

/** Milliseconds and bytes throughout. Failures are `CapstanError` with codes `objectstore.*` (see errors.ts). */
export interface ObjectStore {
  /**
   * Overwrites atomically; readable once resolved. `attempts`: how often it was sent; with more than one, an earlier request may still be
   * carried out.
   */
  put(
    key: string,
    bytes: Uint8Array,
    options?: PutOptions,
  ): Promise<{ readonly etag?: string; readonly size: number; readonly attempts?: number | undefined }>;
  /** A URL that GETs the object without credentials until it expires. The URL is a secret. */
  signGet(
    key: string,
    options: { readonly expiresInSeconds: number },
  ): Promise<{ readonly url: string; readonly expiresAt: number }>;
  /** `null` when there is no such object; denial is an error. */
  head(key: string, options?: CallOptions): Promise<ObjectHead | null>;
  /** A missing object or bucket is success. */
  delete(key: string, options?: CallOptions): Promise<{ readonly existed: boolean | "unknown" }>;
  /**
   * The bytes of the object; `null` when there is no such object. More than `maxBytes` are refused with `objectstore.too_large`.
   * Optional: what only hands data out does not need it.
   */
  get?(key: string, options: CallOptions & { readonly maxBytes: number }): Promise<Uint8Array | null>;
  /**
   * A URL that PUTs the object once, without credentials, until it expires; `headers` have to be sent with the request. Where the store
   * knows conditional writes, an object that is there is not overwritten. The URL is a secret. Optional: without it nothing can be
   * reported through the store.
   */
  signPut?(
    key: string,
    options: { readonly expiresInSeconds: number },
  ): Promise<{
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly expiresAt: number;
  }>;
  readonly capabilities: {
    readonly maxSignedSeconds: number;
    readonly maxObjectBytes: number;
    readonly list: boolean;
  };
  /**
   * Deletes every object of the bucket with all its versions, so that the bucket can be deleted. A missing bucket is success. Optional:
   * what only hands data out does not need it.
   */
  empty?(options?: CallOptions): Promise<{ readonly deleted: number }>;
  /** Present when `capabilities.list`. */
  list?(
    prefix: string,
    options?: CallOptions & { readonly token?: string },
  ): Promise<{ readonly keys: readonly string[]; readonly next?: string }>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface PutOptions extends CallOptions {
  readonly contentType?: string;
  /** Keys in lower case with hyphens. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly ifNoneMatch?: "*";
}

export interface ObjectHead {
  readonly size: number;
  readonly etag?: string;
  readonly lastModified?: number;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Opens a store from the data of a credentials Secret (keys `bucket`, `endpoint`, `access`, `secret`, or the older
 * `bucket_name`, `s3_endpoint`, `access_key`, `secret_key`; optional `type`, `region`, `forcePathStyle`, `ca.crt`).
 * A missing or empty value throws `objectstore.invalid_config` naming the key.
 */
export interface ObjectStoreOpener {
  readonly contract: "v1";
  /** The value of the Secret's key `type` this opener serves, for example `s3`. */
  readonly type: string;
  /** It also serves Secrets without a `type` whose provider names none. At most one of an application's. Default false. */
  readonly isDefault?: boolean;
  /**
   * The server of a store that serves its objects from this process. The application starts it before the managers and stops it after
   * them; the store of the first one is for clusters that name none. Default: the objects are served elsewhere.
   */
  readonly server?: ObjectStoreServerV1;
  /** `namespace`: where the Secret is; credentials of the application itself may be for some namespaces only. */
  open(data: Readonly<Record<string, string>>, from?: { readonly namespace: string }): ObjectStore;
}

/**
 * The stores plugged into the application. Which one serves a Secret: that of its key `type`; without one that of the provider whose
 * Secrets they are; otherwise the one that `isDefault`.
 */
export const objectStores: ServiceKey<readonly ObjectStoreOpener[]> = { name: "object-stores" };
