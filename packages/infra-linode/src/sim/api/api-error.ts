/** An answer outside 2xx, in the words of the API. */
export class ApiError extends Error {
  readonly status: number;
  readonly field: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** What a strict server must not let pass: something the documented API does not know. */
  readonly violation: boolean;

  constructor(
    status: number,
    reason: string,
    options: {
      readonly field?: string | undefined;
      readonly headers?: Readonly<Record<string, string>>;
      readonly violation?: boolean;
    } = {},
  ) {
    super(reason);
    this.name = "ApiError";
    this.status = status;
    this.field = options.field;
    this.headers = options.headers ?? {};
    this.violation = options.violation ?? false;
  }
}

export const notFound = (): ApiError => new ApiError(404, "Not found");

export const invalid = (reason: string, field?: string): ApiError => new ApiError(400, reason, { field });

export const violation = (reason: string, field?: string): ApiError =>
  new ApiError(400, reason, { field, violation: true });

/** The documented answer while an instance or its host does something else. */
export const busy = (): ApiError => new ApiError(400, "Linode busy.");
