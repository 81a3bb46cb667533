const brand = Symbol.for("capstan.error");

/**
 * Tells a caller whether and when to retry. `unlessChanged`: retry immediately if something that the call depends on
 * has changed.
 */
export type Retry =
  | { readonly kind: "backoff" }
  | { readonly kind: "after"; readonly ms: number; readonly unlessChanged?: true }
  | { readonly kind: "never" };

export interface CapstanErrorOptions {
  /** Stable and dotted, for example `linode.rate_limited`. Listed in docs/errors.md. */
  readonly code: string;
  /** PascalCase, usable as the reason of a condition. */
  readonly reason: string;
  /** For operators: what happened, to which object and field, and how to fix it. Never contains a secret. */
  readonly message: string;
  /** Default: backoff. */
  readonly retry?: Retry;
  readonly cause?: unknown;
  /**
   * True if the other side answered the request that failed, and so is done with it; false if an attempt had no answer and may still take
   * effect. Default: not known.
   */
  readonly answered?: boolean | undefined;
  /** JSON without secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The one error class of Capstan. Recognised by brand, so copies of this package do not matter. */
export class CapstanError extends Error {
  readonly code: string;
  readonly reason: string;
  readonly retry: Retry;
  readonly answered: boolean | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(options: CapstanErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CapstanError";
    this.code = options.code;
    this.reason = options.reason;
    this.retry = options.retry ?? { kind: "backoff" };
    this.answered = options.answered;
    this.details = options.details ?? {};
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Statuses by which gateways say that they did not see what became of a request. */
const unseen: readonly number[] = [408, 502, 504];

/**
 * `answered` of the error of an HTTP request. `status`: of its answer, if there was one. `attempts`: how often the request was sent; all
 * but the last had no answer.
 */
export const isAnswered = (status: number | undefined, attempts = 1): boolean | undefined => {
  if (attempts > 1) return false;
  return status === undefined || unseen.includes(status) ? undefined : true;
};

/** True for a `CapstanError`, of the given code if one is given. */
export const isCapstanError = (error: unknown, code?: string): error is CapstanError =>
  typeof error === "object" &&
  error !== null &&
  (error as { [brand]?: boolean })[brand] === true &&
  (code === undefined || (error as CapstanError).code === code);
