import type { Retry } from "@capstan/contract";
import { CapstanError } from "@capstan/contract";

/** Meaning of a vendor API's failure for operators. */
export interface FailureMeaning {
  readonly code: string;
  readonly reason: string;
  /** The fix, which completes the message. */
  readonly mend: string;
  readonly retry: Retry;
}

/** Beside what the meaning of a failure says. */
export interface FailureOptions {
  readonly cause?: unknown;
  /** When it is retried, where the vendor says it. */
  readonly retry?: Retry;
  readonly answered?: boolean | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Makes errors by the names of a vendor's meanings. */
export const errorsOf =
  <Name extends string>(meanings: Readonly<Record<Name, FailureMeaning>>) =>
  (name: Name, message: string, options: FailureOptions = {}): CapstanError => {
    const { code, reason, retry } = meanings[name];
    return new CapstanError({ code, reason, message, retry, ...options });
  };
