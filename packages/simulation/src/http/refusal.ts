export interface RefusalOptions {
  /** The vendor's own code of the error, where its answers have one. Unknown paths and methods have `UnknownPath` and `UnknownMethod`. */
  readonly code?: string | undefined;
  /** The field or parameter that was refused, for example `interfaces.0.purpose`. */
  readonly field?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request has something that the documented API does not know. That is a fault of the client; tests assert that there is none. */
  readonly violation?: boolean;
}

/** An answer outside 2xx. The service words it as the vendor does. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly field: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly violation: boolean;

  constructor(status: number, reason: string, options: RefusalOptions = {}) {
    super(reason);
    this.name = "Refusal";
    this.status = status;
    this.code = options.code;
    this.field = options.field;
    this.headers = options.headers ?? {};
    this.violation = options.violation ?? false;
  }
}

/** Refuses a request for a thing that does not exist. */
export const notFound = (reason = "Not found"): Refusal => new Refusal(404, reason);

/** An ordinary refusal of a value. */
export const invalid = (reason: string, field?: string): Refusal => new Refusal(400, reason, { field });

/** A refusal of something that no correct client sends. */
export const violation = (reason: string, field?: string, code?: string): Refusal =>
  new Refusal(400, reason, { field, code, violation: true });
