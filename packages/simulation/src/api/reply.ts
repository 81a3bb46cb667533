/** An answer that is more than 200 with a value of JSON. */
export class Reply {
  readonly status: number;
  /** JSON, text or bytes; `undefined` means no body. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** For handlers: `reply(201, server, { location })`. Text and bytes are sent as they are, anything else as JSON. */
export const reply = (status: number, body?: unknown, headers?: Readonly<Record<string, string>>): Reply =>
  new Reply(status, body, headers);
