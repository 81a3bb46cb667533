import { isCapstanError } from "@capstan/contract";
import type { Severity } from "@capstan/contract/wire";
import { isCredentialsProblem } from "./credentials.ts";
import { LifeReason } from "./reasons.ts";

/** Looked at again this often although only a user can help, for the case that the help cannot be seen from here. */
export const slowRetryMs = 300_000;

/** What a failure of a verb means for the object. */
export interface Failure {
  readonly reason: string;
  readonly message: string;
  readonly severity: Severity;
  /** Only a user can help, or nobody: the object is not ready, whatever it was before. */
  readonly lasting: boolean;
  /** Nobody may look or act with these credentials: it says nothing about what is there. */
  readonly refused: boolean;
  /** A write was refused until somebody changes the object, or something that nobody here sees. */
  readonly byUser: boolean;
  /** Whether a Warning event is due. Waiting for a time the vendor named is not a reason for alarm. */
  readonly alarming: boolean;
  /** Look again after this time instead of treating the error as a failed reconcile. */
  readonly requeueAfterMs?: number;
}

const refusedCode = /\.(?:unauthorized|unauthenticated|forbidden)$/;

/**
 * Reads an error. `credentials` names the Secret in use, which the message of a refusal mentions. Unexpected errors give no
 * details here, because nobody checked them for secrets; the log has them.
 */
export const failureOf = (error: unknown, credentials?: string): Failure => {
  if (!isCapstanError(error)) {
    const message = "an unexpected error happened; the log of the manager has the details";
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
  return refused ? { ...base, requeueAfterMs: slowRetryMs } : base;
};
