import { isCapstanError } from "@capstan/contract";
import type { CapstanError } from "@capstan/contract";
import { storeErrors, storeFailureOf, type StoreFailure } from "@capstan/kit/delivery";
import { retryAfterMs } from "@capstan/kube-values";
import { foreignAnswer } from "./foreign-answers.ts";

export const storeError = storeErrors({
  unauthenticated: "check account and account key or client, and this computer's clock",
  forbidden: "allow reading, writing and deleting blobs, including in the account's firewall",
  bucketNotFound: "create the container or correct its name and account",
});

const byCode: Readonly<Record<string, StoreFailure>> = {
  AuthenticationFailed: "unauthenticated",
  // Of the login service.
  AuthenticationError: "unauthenticated",
  AuthenticationRequiredError: "unauthenticated",
  CredentialUnavailableError: "unavailable",
  InvalidAuthenticationInfo: "unauthenticated",
  AuthorizationFailure: "forbidden",
  AuthorizationPermissionMismatch: "forbidden",
  InsufficientAccountPermissions: "forbidden",
  AccountIsDisabled: "forbidden",
  ContainerNotFound: "bucketNotFound",
  ContainerBeingDeleted: "bucketNotFound",
  ContainerDisabled: "bucketNotFound",
  BlobNotFound: "objectNotFound",
  ResourceNotFound: "objectNotFound",
  BlobAlreadyExists: "conflict",
  UnauthorizedBlobOverwrite: "conflict",
  ConditionNotMet: "conflict",
  LeaseIdMissing: "conflict",
  RequestBodyTooLarge: "tooLarge",
  ServerBusy: "throttled",
  InternalError: "unavailable",
  OperationTimedOut: "timeout",
  REQUEST_SEND_ERROR: "unavailable",
  [foreignAnswer]: "unavailable",
};

/** The SDK wraps what refuses to connect, with its code and text, which has no input that is signed. */
const addressRefused = "runtime.address_refused";

interface SdkError {
  readonly name?: string;
  readonly code?: string;
  readonly statusCode?: number;
  readonly details?: { readonly errorCode?: string };
  readonly response?: { readonly headers?: { get(name: string): string | undefined } };
}

const codeOf = ({ code, details, name = "", response }: SdkError): string =>
  code ?? details?.errorCode ?? response?.headers?.get("x-ms-error-code") ?? (name in byCode ? name : "");

/** Classifies a failure of the SDK. */
export const classify = (error: SdkError): StoreFailure =>
  storeFailureOf({ codes: [codeOf(error)], status: error.statusCode }, byCode);

/** Translates a failure of the SDK, once, at the boundary. Never repeats the service's text, which may hold signed input. */
export const translate = (
  error: unknown,
  doing: string,
  {
    attempts,
    now,
    signal,
    timer,
  }: {
    readonly attempts?: number | undefined;
    readonly now: number;
    readonly signal: AbortSignal | undefined;
    readonly timer: AbortSignal;
  },
): CapstanError => {
  if (isCapstanError(error)) return error;
  if (signal?.aborted === true) {
    return storeError("cancelled", doing, "the call was cancelled", { cause: signal.reason });
  }
  if (timer.aborted) return storeError("timeout", doing, "the store did not respond in time");
  const failure = error as SdkError;
  if (failure.code === addressRefused) return storeError("invalidConfig", doing, (error as Error).message);
  const status = failure.statusCode;
  const name = classify(failure);
  const said = [codeOf(failure) || failure.name, status].filter((part) => part !== undefined).join(" ");
  const asks = name === "throttled" || name === "unavailable";
  const ms = asks ? retryAfterMs(failure.response?.headers?.get("retry-after"), now) : undefined;
  return storeError(name, doing, `the store answered ${said}`, {
    // The SDK's own error holds the request with its headers.
    cause: new Error(said),
    attempts,
    status,
    ...(ms === undefined ? {} : { retry: { kind: "after", ms } }),
  });
};
