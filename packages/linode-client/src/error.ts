/** One entry of the API's `errors` list. `field` is a path such as `metadata.user_data`. */
export interface ErrorReason {
  readonly reason: string;
  readonly field?: string;
}

export interface LinodeErrorOptions {
  readonly method: string;
  /** Path below the API version, without query. */
  readonly path: string;
  /** HTTP status; absent when no answer arrived. */
  readonly status?: number;
  readonly errors?: readonly ErrorReason[];
  /** Response headers, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** No answer arrived: linodego's code for a wrapped transport error. */
const transportCode = 2;

/**
 * Every failure of a call, except that an aborted signal's reason is thrown untouched.
 * `code` is the HTTP status, or 2 when the request failed without an answer: then the API may or may not have acted.
 */
export class LinodeError extends Error {
  readonly code: number;
  readonly status: number | undefined;
  readonly errors: readonly ErrorReason[];
  readonly headers: Readonly<Record<string, string>>;
  readonly method: string;
  readonly path: string;

  constructor(options: LinodeErrorOptions) {
    const code = options.status ?? transportCode;
    const errors = options.errors ?? [];
    super(`[${code}] ${reasons(errors)}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "LinodeError";
    this.code = code;
    this.status = options.status;
    this.errors = errors;
    this.headers = options.headers ?? {};
    this.method = options.method;
    this.path = options.path;
  }
}

const reasons = (errors: readonly ErrorReason[]): string =>
  errors.length === 0
    ? "no reason given"
    : errors.map(({ field, reason }) => (field === undefined ? reason : `[${field}] ${reason}`)).join("; ");

/** True for a `LinodeError` with one of the statuses. */
export const hasStatus = (error: unknown, ...statuses: readonly number[]): error is LinodeError =>
  error instanceof LinodeError && error.status !== undefined && statuses.includes(error.status);

/** The API itself says that it does not exist. A page with status 404 comes from something in between, and says nothing. */
export const isNotFound = (error: unknown): error is LinodeError =>
  hasStatus(error, 404) && isJson(error.headers["content-type"] ?? "application/json");

/** The reasons in an error body: the API's JSON, or the text itself when something in between answered. */
export const parseErrorBody = (body: string, contentType: string, statusText: string): readonly ErrorReason[] => {
  if (isJson(contentType)) {
    const parsed = parseJson(body);
    if (Array.isArray(parsed)) return parsed.map(toReason);
  }
  return [{ reason: statusText === "" ? excerpt(body) : statusText }];
};

/** Parameters such as `; charset` do not matter. */
export const isJson = (contentType: string): boolean => mediaType(contentType) === "application/json";

export const mediaType = (contentType: string): string => contentType.split(";", 1)[0]!.trim().toLowerCase();

/** Characters of the longest refusal that is parsed. */
const longestRefusal = 2 ** 18;

const parseJson = (body: string): unknown => {
  if (body.length > longestRefusal) return undefined;
  try {
    return (JSON.parse(body) as { errors?: unknown } | null)?.errors;
  } catch (cause) {
    return cause;
  }
};

const toReason = (entry: unknown): ErrorReason => {
  const { reason, field } = (entry ?? {}) as { reason?: unknown; field?: unknown };
  const text = typeof reason === "string" ? reason : JSON.stringify(entry);
  return typeof field === "string" && field !== "" ? { reason: text, field } : { reason: text };
};

const excerpt = (body: string): string => (body.length > 500 ? `${body.slice(0, 500)}…` : body);
