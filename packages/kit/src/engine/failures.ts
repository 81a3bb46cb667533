import { isCapstanError } from "@capstan/contract";
import type { Severity } from "@capstan/contract/wire";
import { isCredentialsProblem } from "./credentials.ts";
import { supersededCode, supersededRetryMs } from "./installation.ts";
import { LifeReason } from "./reasons.ts";

/** Looked at again this often although only a user can help, for the case that the help cannot be seen from here. */
export const slowRetryMs = 300_000;

/** Effect of a failed verb on the object. */
export interface Failure {
  readonly reason: string;
  readonly message: string;
  readonly severity: Severity;
  /** Only a user can fix it: the object is not ready, regardless of its previous state. */
  readonly lasting: boolean;
  /** The credentials are rejected: the state at the cloud is unknown. */
  readonly refused: boolean;
  /** A write was rejected until the object, or something not visible here, changes. */
  readonly byUser: boolean;
  /** Another installation manages the object: nothing is changed here, and what was ready is the other one's to judge. */
  readonly superseded?: boolean;
  /** True if a Warning event is due. Waiting for a time the vendor named is not a reason for alarm. */
  readonly alarming: boolean;
  /** Look again after this time instead of treating the error as a failed reconcile. */
  readonly requeueAfterMs?: number;
}

const refusedCode = /\.(?:unauthorized|unauthenticated|forbidden)$/;

/**
 * Reads an error. `credentials` names the Secret in use, which the message of a refusal mentions. Unexpected errors are
 * not quoted, because they may contain secrets; see the log.
 */
export const failureOf = (error: unknown, credentials?: string): Failure => {
  if (!isCapstanError(error)) {
    const message = "unexpected error; see the manager's log";
    return {
      reason: LifeReason.internalError,
      message,
      severity: "Error",
      lasting: false,
      refused: false,
      byUser: false,
      alarming: true,
    };
  }
  const isAnswer = refusedCode.test(error.code);
  const hint = isAnswer && credentials !== undefined ? ` (credentials: Secret ${credentials})` : "";
  const lasting = error.retry.kind === "never" || isCredentialsProblem(error);
  const refused = isCredentialsProblem(error) || (lasting && isAnswer);
  const byUser = error.retry.kind === "after" && error.retry.unlessChanged === true;
  const base = {
    reason: error.reason,
    message: `${error.message}${hint}`,
    severity: lasting ? ("Error" as const) : ("Warning" as const),
    lasting,
    refused,
    byUser,
    alarming: byUser || error.retry.kind !== "after",
  };
  if (error.code === supersededCode) {
    return { ...base, superseded: true, alarming: true, requeueAfterMs: supersededRetryMs };
  }
  return refused ? { ...base, requeueAfterMs: slowRetryMs } : base;
};
