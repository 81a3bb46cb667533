import { isCapstanError } from "@capstan/contract";
import type { CapstanError } from "@capstan/contract";
import { storeErrors, storeFailureOf } from "@capstan/kit/delivery";
import type { StoreFailure } from "@capstan/kit/delivery";
import { retryAfterMs } from "@capstan/kube-values";
import { foreignAnswer } from "./foreign-answers.ts";

export const storeError = storeErrors({
  unauthenticated: "check access key and secret key, and this computer's clock",
  forbidden: "grant the access key read and write permission for the bucket",
});

const byCode: Readonly<Record<string, StoreFailure>> = {
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
};

interface SdkError {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly attempts?: number; readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

/** Classifies a failure of the SDK. */
export const classify = ({ $metadata, code, name }: SdkError): StoreFailure =>
  storeFailureOf({ codes: [name, code], status: $metadata?.httpStatusCode }, byCode);

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
    attempts: failure.$metadata?.attempts,
    status,
    ...(ms === undefined ? {} : { retry: { kind: "after", ms } }),
  });
};
