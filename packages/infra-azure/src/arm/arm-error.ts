import type { CapstanError, Retry } from "@capstan/contract";
import { isAnswered, isCapstanError } from "@capstan/contract";
import { errorsOf } from "@capstan/kit";
import type { FailureMeaning } from "@capstan/kit";
import { isJsonObject } from "@capstan/schema";
import { redacted } from "./redact.ts";

/** Failure of a request or an operation, as Azure Resource Manager reports it. */
export interface ArmFailure {
  /** HTTP status; of operations there is none. */
  readonly status?: number;
  readonly code: string;
  readonly message: string;
  /** Codes of the details, which often say more. */
  readonly details: readonly string[];
}

const backoff: Retry = { kind: "backoff" };
const never: Retry = { kind: "never" };
const again = "it is retried";
/** Only a user can help, perhaps at Azure, where no one here sees it. */
const userMs = 300_000;
/** So long a network interface is reserved for a virtual machine that could not be made. */
const reservedMs = 180_000;

/** Retry delay for locks: short, since a user who is told of a lock removes it at Azure. */
const lockedMs = 30_000;

const byUser: Retry = { kind: "after", ms: userMs, unlessChanged: true };

/** Failures of Azure by meaning, each with its code, reason, fix and retry. */
export const meanings = {
  unauthorized: {
    code: "azure.unauthorized",
    reason: "AzureUnauthorized",
    mend: "check the AzureClusterIdentity and its Secret",
    retry: never,
  },
  forbidden: {
    code: "azure.forbidden",
    reason: "AzureForbidden",
    mend: "assign the identity the role Contributor for the subscription or its resource groups",
    retry: never,
  },
  policy: {
    code: "azure.policy",
    reason: "DeniedByPolicy",
    mend: "change the policy, or the object's spec",
    retry: byUser,
  },
  locked: {
    code: "azure.locked",
    reason: "ScopeLocked",
    mend: "remove the lock at Azure",
    retry: { ...byUser, ms: lockedMs },
  },
  quota: { code: "azure.quota", reason: "QuotaExceeded", mend: "ask Azure for a higher quota", retry: byUser },
  capacity: {
    code: "azure.capacity",
    reason: "CapacityMissing",
    mend: "wait, or choose another zone or size",
    retry: byUser,
  },
  sku: {
    code: "azure.sku_unavailable",
    reason: "SizeNotAvailable",
    mend: "choose a spec.vmSize available in the location and zone, or wait for this one",
    retry: byUser,
  },
  image: {
    code: "azure.image_missing",
    reason: "ImageMissing",
    mend: "correct spec.image, or accept the terms of the image's plan",
    retry: byUser,
  },
  invalid: {
    code: "azure.invalid",
    reason: "AzureRefused",
    mend: "correct the source of the field",
    retry: byUser,
  },
  notFound: { code: "azure.not_found", reason: "AzureNotFound", mend: again, retry: backoff },
  reference: { code: "azure.reference_missing", reason: "ReferenceMissing", mend: again, retry: backoff },
  inUse: { code: "azure.in_use", reason: "InUse", mend: again, retry: { kind: "after", ms: 10_000 } },
  reserved: {
    code: "azure.reserved",
    reason: "InterfaceReserved",
    mend: again,
    retry: { kind: "after", ms: reservedMs },
  },
  busy: { code: "azure.busy", reason: "AzureBusy", mend: again, retry: { kind: "after", ms: 5000 } },
  changed: { code: "azure.changed", reason: "ChangedMeanwhile", mend: again, retry: backoff },
  rateLimited: {
    code: "azure.rate_limited",
    reason: "AzureRateLimited",
    mend: "it is retried when Azure allows it",
    retry: { kind: "after", ms: 60_000 },
  },
  provisioning: {
    code: "azure.provisioning_failed",
    reason: "ProvisioningFailed",
    mend: "see the serial console of the machine",
    retry: backoff,
  },
  unavailable: { code: "azure.unavailable", reason: "AzureUnavailable", mend: again, retry: backoff },
  unknown: { code: "azure.unknown", reason: "AzureError", mend: again, retry: backoff },
} as const satisfies Readonly<Record<string, FailureMeaning>>;

export type MeaningName = keyof typeof meanings;

/** Throws what says most of several failures, if there are any: that something had no answer may mean that it is done yet. */
export const throwForemost = (failures: readonly unknown[]): void => {
  if (failures.length === 0) return;
  throw failures.find((failure) => isCapstanError(failure, meanings.unavailable.code)) ?? failures[0];
};

/** An error by what it means. */
export const azureError = errorsOf<MeaningName>(meanings);

const byCode: readonly (readonly [codes: RegExp, name: MeaningName])[] = [
  [/^(?:QuotaExceeded|.*QuotaExceeded|PublicIPCountLimitReached|.*LimitReached)$/i, "quota"],
  [
    /^(?:AllocationFailed|ZonalAllocationFailed|OverconstrainedZonalAllocationRequest|OverconstrainedAllocationRequest)$/i,
    "capacity",
  ],
  [/^(?:SkuNotAvailable|InvalidVMSize|NotSupportedVMSize)$/i, "sku"],
  [
    /^(?:ImageNotFound|PlatformImageNotFound|GalleryImageNotFound|MarketplacePurchaseEligibilityFailed|VMMarketplaceInvalidInput)$/i,
    "image",
  ],
  [/^(?:RequestDisallowedByPolicy|PolicyViolation)$/i, "policy"],
  [/^ScopeLocked$/i, "locked"],
  [/^NicReservedForAnotherVm$/i, "reserved"],
  [/^(?:NicInUse|PublicIPAddressCannotBeDeleted|.*CannotBeDeleted|InUse.*)$/i, "inUse"],
  [/^(?:InvalidResourceReference|PrincipalNotFound)$/i, "reference"],
  [/^(?:AnotherOperationInProgress|RetryableError|Canceled|.*DueToAnotherOperation)$/i, "busy"],
  [/^(?:OSProvisioning.*|VMExtension.*|ProvisioningFailed)$/i, "provisioning"],
];

const byStatus: Readonly<Record<number, MeaningName>> = {
  400: "invalid",
  401: "unauthorized",
  403: "forbidden",
  404: "notFound",
  408: "unavailable",
  409: "busy",
  412: "changed",
  429: "rateLimited",
  500: "unavailable",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
};

/** Compute says OperationNotAllowed of quotas and of other things; only the words tell them apart. */
const isQuota = ({ code, message }: ArmFailure): boolean =>
  /^OperationNotAllowed$/i.test(code) && /quota/i.test(message);

/** Returns the meaning of a failure. A 429 is about rates whatever its code, except for conflicts with an operation that continues. */
export const meaningOf = (failure: ArmFailure): MeaningName => {
  const codes = [...failure.details, failure.code];
  const said = byCode.find(([pattern]) => codes.some((code) => pattern.test(code)))?.[1];
  if (failure.status === 429) return said === "busy" ? "busy" : "rateLimited";
  if (said !== undefined) return said;
  if (isQuota(failure)) return "quota";
  return failure.status === undefined ? "unknown" : (byStatus[failure.status] ?? "unknown");
};

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const codesIn = (details: unknown): readonly string[] =>
  Array.isArray(details)
    ? details.flatMap((detail) =>
        isJsonObject(detail) ? [text(detail["code"]) ?? [], codesIn(detail["details"])].flat() : [],
      )
    : [];

/** Reads `{"error": {code, message, details}}`, or the inner part alone. */
export const failureIn = (body: unknown, status?: number): ArmFailure => {
  const whole = isJsonObject(body) ? body : {};
  const error = isJsonObject(whole["error"]) ? whole["error"] : whole;
  return {
    ...(status !== undefined && { status }),
    code: text(error["code"]) ?? (status === undefined ? "Unknown" : `Status${status}`),
    message: redacted(text(error["message"]) ?? "Azure gives no reason").slice(0, 2000),
    details: codesIn(error["details"]),
  };
};

/** The sentence about a failure. `doing` completes "could not …". */
export const failureMessage = (doing: string, failure: ArmFailure): string =>
  `could not ${doing}: ${failure.message} (${failure.code}); ${meanings[meaningOf(failure)].mend}`;

/** The error of an answer. `afterMs`: how long Azure asks to wait. */
export const armError = (doing: string, failure: ArmFailure, afterMs?: number): CapstanError => {
  const name = meaningOf(failure);
  const { retry } = meanings[name];
  const waits = afterMs !== undefined && retry.kind !== "never" && failure.status !== 404;
  return azureError(name, failureMessage(doing, failure), {
    ...(waits && { retry: { kind: "after", ms: afterMs } }),
    answered: isAnswered(failure.status),
    details: { armCode: failure.code, ...(failure.status !== undefined && { status: failure.status }) },
  });
};
