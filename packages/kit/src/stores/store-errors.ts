import { CapstanError, isAnswered } from "@capstan/contract";
import type { Retry } from "@capstan/contract";

interface Meaning {
  readonly code: string;
  readonly reason: string;
  /** The fix, which completes a sentence. */
  readonly mend: string;
  readonly retry: Retry["kind"];
}

/** Every failure of an object store. A store may override the fixes. */
export const storeMeanings = {
  invalidConfig: {
    code: "objectstore.invalid_config",
    reason: "ObjectStoreInvalidConfig",
    mend: "correct the Secret",
    retry: "backoff",
  },
  invalidArgument: {
    code: "objectstore.invalid_argument",
    reason: "ObjectStoreInvalidArgument",
    mend: "correct the request",
    retry: "never",
  },
  unauthenticated: {
    code: "objectstore.unauthenticated",
    reason: "ObjectStoreUnauthenticated",
    mend: "check the credentials, and this computer's clock",
    retry: "backoff",
  },
  forbidden: {
    code: "objectstore.forbidden",
    reason: "ObjectStoreForbidden",
    mend: "permit reading and writing",
    retry: "backoff",
  },
  bucketNotFound: {
    code: "objectstore.bucket_not_found",
    reason: "ObjectStoreBucketNotFound",
    mend: "create the bucket or correct its name and endpoint",
    retry: "backoff",
  },
  objectNotFound: {
    code: "objectstore.object_not_found",
    reason: "ObjectStoreObjectNotFound",
    mend: "upload the object first",
    retry: "backoff",
  },
  conflict: {
    code: "objectstore.conflict",
    reason: "ObjectStoreConflict",
    mend: "another writer has created it",
    retry: "backoff",
  },
  tooLarge: {
    code: "objectstore.too_large",
    reason: "ObjectStoreTooLarge",
    mend: "reduce the size of the data",
    retry: "never",
  },
  throttled: {
    code: "objectstore.throttled",
    reason: "ObjectStoreThrottled",
    mend: "it is retried",
    retry: "backoff",
  },
  unavailable: {
    code: "objectstore.unavailable",
    reason: "ObjectStoreUnavailable",
    mend: "check the endpoint, its certificate and the network",
    retry: "backoff",
  },
  timeout: {
    code: "objectstore.timeout",
    reason: "ObjectStoreTimeout",
    mend: "check the endpoint and the network",
    retry: "backoff",
  },
  cancelled: {
    code: "objectstore.cancelled",
    reason: "ObjectStoreCancelled",
    mend: "nothing to do",
    retry: "backoff",
  },
  unknown: {
    code: "objectstore.unknown",
    reason: "ObjectStoreUnknown",
    mend: "see the cause",
    retry: "backoff",
  },
} as const satisfies Readonly<Record<string, Meaning>>;

/** The failure, independent of the store. */
export type StoreFailure = keyof typeof storeMeanings;

/** Makes the error of a failed call. `doing` says what was tried on which object, for example `put object k in bucket b`. */
export type StoreError = (
  name: StoreFailure,
  doing: string,
  why: string,
  options?: {
    readonly cause?: unknown;
    readonly retry?: Retry;
    readonly status?: number | undefined;
    /** Number of times the request was sent; all but the last got no usable response. */
    readonly attempts?: number | undefined;
  },
) => CapstanError;

/** Returns the errors of one store, with its own fixes. */
export const storeErrors =
  (mends: Partial<Readonly<Record<StoreFailure, string>>> = {}): StoreError =>
  (name, doing, why, options = {}) => {
    const { code, reason, mend, retry } = storeMeanings[name];
    const { attempts, status } = options;
    return new CapstanError({
      code,
      reason,
      message: `could not ${doing}: ${why}; ${mends[name] ?? mend}`,
      retry: options.retry ?? { kind: retry },
      ...(options.cause === undefined ? {} : { cause: options.cause }),
      answered: isAnswered(status, attempts),
      details: { ...(attempts !== undefined && { attempts }), ...(status !== undefined && { status }) },
    });
  };
