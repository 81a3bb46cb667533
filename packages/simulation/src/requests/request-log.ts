/** One request that a service was asked. */
export interface RecordedRequest {
  readonly at: number;
  readonly method: string;
  /** As the service names it, without query. */
  readonly path: string;
  /** Method and path with values as `*`; `undefined` when no route matched. */
  readonly family: string | undefined;
  /** Without the question mark, and without what is secret. */
  readonly query?: string;
  readonly userAgent?: string;
  readonly ifMatch?: string;
  /** The JSON as it was sent, without what is secret. */
  readonly body?: unknown;
  /** `undefined` when the connection was broken instead. */
  readonly status: number | undefined;
  /** Why it was refused, if it was. */
  readonly reason?: string;
  /** The request is not one the documented API knows: a fault of the client. */
  readonly violation: boolean;
}

/** Requests that a service received. */
export interface Requests {
  /** The newest 10 000, oldest first. */
  readonly log: readonly RecordedRequest[];
  /** Every violation since the start; a test asserts that there is none. */
  readonly violations: readonly RecordedRequest[];
  /** Returns the number of calls of a family since the start. */
  count(family: string): number;
  /** Requests that may change something (anything but GET and HEAD). */
  readonly writes: number;
  /** Number of requests recorded since the start, which is the number of the next one. */
  readonly next: number;
  /** Called as each request is done; returns how to stop. */
  subscribe(listener: (request: RecordedRequest) => void): () => void;
}

const kept = 10_000;

export class RequestLog implements Requests {
  readonly log: RecordedRequest[] = [];
  readonly violations: RecordedRequest[] = [];
  writes = 0;
  next = 0;
  readonly #counts = new Map<string, number>();
  readonly #listeners = new Set<(request: RecordedRequest) => void>();

  count(family: string): number {
    return this.#counts.get(family) ?? 0;
  }

  subscribe(listener: (request: RecordedRequest) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  record(request: RecordedRequest): void {
    this.next += 1;
    this.log.push(request);
    if (this.log.length > kept) this.log.shift();
    if (request.violation) this.violations.push(request);
    if (request.method !== "GET" && request.method !== "HEAD") this.writes += 1;
    if (request.family !== undefined) this.#counts.set(request.family, this.count(request.family) + 1);
    for (const listener of this.#listeners) listener(request);
  }
}
