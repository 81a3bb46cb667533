/** An S3 error answer. */
export class S3Error extends Error {
  readonly status: number;
  readonly code: string;
  /** Something the client should not have sent to this service: a fault of the client, not of its credentials. */
  readonly violation: boolean;

  constructor(status: number, code: string, message: string, options: { readonly violation?: boolean } = {}) {
    super(message);
    this.name = "S3Error";
    this.status = status;
    this.code = code;
    this.violation = options.violation ?? false;
  }
}
