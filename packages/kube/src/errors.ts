import { CapstanError, isCapstanError, type Retry } from "@capstan/contract";
import { retryAfterMs } from "@capstan/kube-values";
import { parseJson } from "@capstan/schema/structural";

/** The parts of a Kubernetes Status that are read from an error response. */
interface Status {
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: {
    readonly kind?: string;
    readonly causes?: readonly unknown[];
    readonly retryAfterSeconds?: number;
  };
}

const byStatus: Readonly<Record<number, readonly [code: string, reason: string]>> = {
  400: ["kube.bad_request", "BadRequest"],
  401: ["kube.unauthorized", "Unauthorized"],
  403: ["kube.forbidden", "Forbidden"],
  404: ["kube.not_found", "NotFound"],
  405: ["kube.bad_request", "MethodNotAllowed"],
  406: ["kube.bad_request", "NotAcceptable"],
  408: ["kube.timeout", "Timeout"],
  409: ["kube.conflict", "Conflict"],
  410: ["kube.gone", "Expired"],
  413: ["kube.bad_request", "RequestEntityTooLarge"],
  415: ["kube.bad_request", "UnsupportedMediaType"],
  422: ["kube.invalid", "Invalid"],
  429: ["kube.too_many_requests", "TooManyRequests"],
  502: ["kube.unavailable", "Unavailable"],
  503: ["kube.unavailable", "Unavailable"],
  504: ["kube.timeout", "Timeout"],
};

/** Characters of the longest answer that is parsed as a Status, which is done at once. */
const longestStatus = 2 ** 18;

/** The Status in an answer; `undefined` for anything else, such as a proxy's page. */
const parseStatus = (body: string): Status | undefined => {
  if (body.length > longestStatus) return undefined;
  try {
    const parsed: unknown = parseJson(body);
    return typeof parsed === "object" && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
};

/** Statuses whose message says nothing of what was asked, unless the server knows the kind. */
const bare = new Set([401, 404, 405]);

/** Longest message of a server: it goes into conditions and logs, and a server that a user chose may say anything. */
const longestMessage = 8_192;

const clipped = (message: string): string =>
  message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message;

/**
 * Returns the text of the server. Users read it in conditions, where the request means nothing to them: it is named only where the
 * message would say too little without.
 */
const textOf = ({ body, call, status: code }: ErrorAnswer, status: Status | undefined): string => {
  const message = status === undefined ? body.slice(0, 500).trim() : clipped(status.message ?? "");
  if (message === "") return `the API server answered ${call} with ${code}, without a message`;
  const isBare = status === undefined || (bare.has(code) && status.details?.kind === undefined);
  return isBare ? `${message} (${call})` : message;
};

export interface ErrorAnswer {
  readonly status: number;
  /** A Kubernetes Status, or whatever a proxy put there. */
  readonly body: string;
  readonly retryAfter?: string | undefined;
  /** The request, for example `GET /api/v1/nodes`. */
  readonly call: string;
  readonly now: number;
}

/** Milliseconds until the server wants to be asked again, from the header or the Status. */
const waitMs = ({ retryAfter, now }: ErrorAnswer, status: Status | undefined): number | undefined => {
  const seconds = status?.details?.retryAfterSeconds;
  return retryAfterMs(retryAfter, now) ?? (seconds === undefined ? undefined : seconds * 1000);
};

/** `what`: `an answer`, `a line of a watch`, `a list`. */
export const answerTooLarge = (what: string, maxBytes: number): CapstanError =>
  new CapstanError({
    code: "kube.answer_too_large",
    reason: "AnswerTooLarge",
    message: `the API server sends more than ${maxBytes} bytes for ${what}; check that the kubeconfig names the right server`,
  });

/** The error for an answer that is not a success. Its message is the server's; `details.call` is what was asked. */
export const answerError = (answer: ErrorAnswer): CapstanError => {
  const status = parseStatus(answer.body);
  const [code, reason] = byStatus[answer.status] ?? ["kube.unknown", "UnexpectedAnswer"];
  const exists = answer.status === 409 && status?.reason === "AlreadyExists";
  const after = waitMs(answer, status);
  const retry: Retry = after === undefined ? { kind: "backoff" } : { kind: "after", ms: after };
  return new CapstanError({
    code: exists ? "kube.already_exists" : code,
    reason: exists ? "AlreadyExists" : reason,
    message: textOf(answer, status),
    retry,
    answered: true,
    details: {
      call: answer.call,
      status: answer.status,
      reason: status?.reason ?? reason,
      causes: status?.details?.causes ?? [],
    },
  });
};

/** Returns whether something could not be created because its namespace is being deleted: only in another namespace is there any use in trying. */
export const isNamespaceTerminating = (error: unknown): boolean =>
  isCapstanError(error, "kube.forbidden") &&
  Array.isArray(error.details["causes"]) &&
  error.details["causes"].some(
    (cause: unknown) => (cause as { readonly reason?: unknown } | null)?.reason === "NamespaceTerminating",
  );

/** The error for a Status object that arrived as an event of a watch. */
export const statusError = (status: unknown, call: string, now: number): CapstanError => {
  const body = JSON.stringify(status);
  return answerError({ status: (status as Status | undefined)?.code ?? 500, body, call, now });
};

const timeoutCodes = new Set([
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "ETIMEDOUT",
]);
const resetCodes = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && typeof (error as { code?: unknown }).code === "string"
    ? (error as { code: string }).code
    : "";

/**
 * The error for a connection that failed. An abort by the caller's signal comes back untouched; `reset` in the details
 * says that the connection broke before the answer was complete, so that a read may be retried at once.
 */
export const connectionError = (error: unknown, call: string, signal: AbortSignal | undefined): unknown => {
  if (signal?.aborted === true || isCapstanError(error)) return error;
  const code = codeOf(error);
  const why = error instanceof Error ? error.message : String(error);
  if (timeoutCodes.has(code)) {
    return new CapstanError({
      code: "kube.timeout",
      reason: "Timeout",
      message: `the API server did not respond in time (${why})`,
      cause: error,
      details: { call, cause: code },
    });
  }
  return new CapstanError({
    code: "kube.unavailable",
    reason: "Unavailable",
    message: `cannot reach the API server (${why}); check its address, certificate and network`,
    cause: error,
    details: { call, cause: code, reset: resetCodes.has(code) },
  });
};
