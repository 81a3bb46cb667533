import { CapstanError, type Retry } from "@capstan/contract";

interface Meaning {
  readonly reason: string;
  /** What an operator should do; completes the message. */
  readonly mend: string;
  readonly retry: Retry["kind"];
}

const meanings = {
  invalid_config: { reason: "InvalidConfig", mend: "correct the Secret", retry: "backoff" },
  invalid_argument: { reason: "InvalidArgument", mend: "correct the request", retry: "never" },
  unauthenticated: { reason: "Unauthenticated", mend: "check access and secret", retry: "backoff" },
  forbidden: { reason: "Forbidden", mend: "give the key read and write permission for the bucket", retry: "backoff" },
  bucket_not_found: { reason: "BucketNotFound", mend: "create the bucket, or correct its name", retry: "backoff" },
  conflict: { reason: "Conflict", mend: "somebody else has written it", retry: "backoff" },
  too_large: { reason: "TooLarge", mend: "make the data smaller", retry: "never" },
  throttled: { reason: "Throttled", mend: "it is tried again", retry: "backoff" },
  unavailable: { reason: "Unavailable", mend: "check the endpoint and the network", retry: "backoff" },
  timeout: { reason: "Timeout", mend: "check the endpoint and the network", retry: "backoff" },
  cancelled: { reason: "Cancelled", mend: "nothing to do", retry: "backoff" },
  unknown: { reason: "Unknown", mend: "see the cause", retry: "backoff" },
} as const satisfies Readonly<Record<string, Meaning>>;

export type StoreErrorCode = keyof typeof meanings;

/** `doing` says what was tried on which object, for example `put object k in bucket b`. Shows neither keys nor signed URLs. */
export const storeError = (code: StoreErrorCode, doing: string, why: string, cause?: unknown): CapstanError => {
  const { reason, mend, retry } = meanings[code];
  return new CapstanError({
    code: `objectstore.${code}`,
    reason: `ObjectStore${reason}`,
    message: `could not ${doing}: ${why}; ${mend}`,
    retry: { kind: retry },
    ...(cause === undefined ? {} : { cause }),
  });
};

const byStatus: Readonly<Record<number, StoreErrorCode>> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "bucket_not_found",
  412: "conflict",
  413: "too_large",
  429: "throttled",
};

/** What an answer that is not a success means. A missing object is none: callers look for it before. */
export const meaningOf = (status: number): StoreErrorCode =>
  byStatus[status] ?? (status >= 500 ? "unavailable" : "unknown");
