import { CapstanError, isCapstanError } from "@capstan/contract";
import type { Retry } from "@capstan/contract";
import { retryAfterMs } from "@capstan/kube-values";
import { foreignAnswer } from "./foreign-answers.ts";

interface Meaning {
  readonly code: string;
  readonly reason: string;
  /** What an operator should do; completes a sentence. */
  readonly mend: string;
  readonly retry: Retry["kind"];
}

/** Every failure of this package. */
export const meanings = {
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
    mend: "check access key and secret key, and this computer's clock",
    retry: "backoff",
  },
  forbidden: {
    code: "objectstore.forbidden",
    reason: "ObjectStoreForbidden",
    mend: "give the access key read and write permission for the bucket",
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
    mend: "somebody else has written it",
    retry: "backoff",
  },
  tooLarge: {
    code: "objectstore.too_large",
    reason: "ObjectStoreTooLarge",
    mend: "make the data smaller",
    retry: "never",
  },
  throttled: {
    code: "objectstore.throttled",
    reason: "ObjectStoreThrottled",
    mend: "it is tried again",
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

export type MeaningName = keyof typeof meanings;

/** `doing` says what was tried on which object, for example `put object k in bucket b`. */
export const storeError = (
  name: MeaningName,
  doing: string,
  why: string,
  options: { readonly cause?: unknown; readonly retry?: Retry; readonly status?: number | undefined } = {},
): CapstanError => {
  const { code, reason, mend, retry } = meanings[name];
  return new CapstanError({
    code,
    reason,
    message: `could not ${doing}: ${why}; ${mend}`,
    retry: options.retry ?? { kind: retry },
    ...(options.cause === undefined ? {} : { cause: options.cause }),
    ...(options.status === undefined ? {} : { details: { status: options.status } }),
  });
};

const byCode: Readonly<Record<string, MeaningName>> = {
  InvalidAccessKeyId: "unauthenticated",
  SignatureDoesNotMatch: "unauthenticated",
  ExpiredToken: "unauthenticated",
  InvalidToken: "unauthenticated",
  RequestTimeTooSkewed: "unauthenticated",
  AccessDenied: "forbidden",
  Forbidden: "forbidden",
  AllAccessDisabled: "forbidden",
  NoSuchBucket: "bucketNotFound",
  NoSuchKey: "objectNotFound",
  NotFound: "objectNotFound",
  PreconditionFailed: "conflict",
  OperationAborted: "conflict",
  ConditionalRequestConflict: "conflict",
  EntityTooLarge: "tooLarge",
  [foreignAnswer]: "unavailable",
  SlowDown: "throttled",
  Throttling: "throttled",
  ThrottlingException: "throttled",
  RequestTimeout: "timeout",
  TimeoutError: "timeout",
  ETIMEDOUT: "timeout",
  ECONNREFUSED: "unavailable",
  ECONNRESET: "unavailable",
  EPIPE: "unavailable",
  ENOTFOUND: "unavailable",
  EAI_AGAIN: "unavailable",
  EHOSTUNREACH: "unavailable",
  ENETUNREACH: "unavailable",
};

const byStatus: Readonly<Record<number, MeaningName>> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "objectNotFound",
  408: "timeout",
  409: "conflict",
  412: "conflict",
  413: "tooLarge",
  429: "throttled",
  500: "unavailable",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
};

interface SdkError {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

/** TLS failures carry codes such as `DEPTH_ZERO_SELF_SIGNED_CERT`. */
const isCertificateCode = (code: string): boolean => code.startsWith("ERR_TLS_") || code.includes("CERT");

/** What a failure of the SDK means. A code the service names wins over the bare status, which HEAD answers have only. */
export const classify = (error: SdkError): MeaningName => {
  const status = error.$metadata?.httpStatusCode;
  const named = byCode[error.name ?? ""] ?? byCode[error.code ?? ""];
  if (named !== undefined) return named;
  if (isCertificateCode(error.code ?? "")) return "unavailable";
  return (status === undefined ? undefined : byStatus[status]) ?? "unknown";
};

/** Translates a failure of the SDK, once, at the boundary. Never repeats the service's text, which may hold signed input. */
export const translate = (
  error: unknown,
  doing: string,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal | undefined },
): CapstanError => {
  if (isCapstanError(error)) return error;
  if (signal?.aborted === true) {
    return storeError("cancelled", doing, "the call was cancelled", { cause: signal.reason });
  }
  const failure = error as SdkError;
  const status = failure.$metadata?.httpStatusCode;
  const name = classify(failure);
  const said = [failure.code ?? failure.name, status].filter((part) => part !== undefined).join(" ");
  const asks = name === "throttled" || name === "unavailable";
  const ms = asks ? retryAfterMs(failure.$response?.headers?.["retry-after"], now) : undefined;
  return storeError(name, doing, `the store answered ${said}`, {
    cause: error,
    status,
    ...(ms === undefined ? {} : { retry: { kind: "after", ms } }),
  });
};
