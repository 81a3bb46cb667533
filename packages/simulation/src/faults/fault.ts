/** Effect of a fault on a request. */
export type FaultAction =
  /** Answered without effect, in the vendor's words or with `body` as it is. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly reason?: string;
      /** The vendor's code of the error, where its answers have one. */
      readonly code?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** Answered without effect by something on the way, with a page of HTML. Default status: 502. */
  | { readonly kind: "html"; readonly status?: number }
  /** The connection breaks before the request has an effect. */
  | { readonly kind: "reset" }
  /** The request has its effect; the connection breaks instead of an answer. */
  | { readonly kind: "lost-answer" }
  /** The request has its effect; the answer breaks off after so many bytes of its body. Default: half of it. */
  | { readonly kind: "truncated"; readonly bytes?: number }
  /** The request has its effect; something else than the vendor's answer comes back. Default: status 200, JSON. */
  | {
      readonly kind: "other-answer";
      readonly body: string;
      readonly status?: number;
      readonly contentType?: string;
    }
  /** The request waits this long, then continues as usual. */
  | { readonly kind: "delay"; readonly ms: number }
  | OperationFault;

/**
 * Effect of a fault on the operation that a request begins, for services whose operations continue after the answer.
 */
export type OperationFault =
  /** The operation fails. */
  | { readonly kind: "operation-failed"; readonly code?: string; readonly reason?: string }
  /** Nothing is known of the operation when it is asked for. */
  | { readonly kind: "operation-vanishes" };

/** One planned fault, as data. */
export interface Fault {
  /** Default: any. */
  readonly method?: string;
  /**
   * Path as the request log has it. As text: a segment `*` stands for any one, a last segment `**` for any number, a slash in front does
   * not matter. As an expression: wherever it matches. Default: any.
   */
  readonly path?: string | RegExp;
  /** Values that the request's JSON body has at least. Default: any body, or none. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Which of the matching requests is the first to fail, counted from 1 and from when the fault was added. Default 1. */
  readonly nth?: number;
  /** Number of requests that fail, one after the other. Default 1. */
  readonly times?: number;
  readonly action: FaultAction;
  /** Names faults that belong together, so that they can be removed together. */
  readonly group?: string;
}
