import type { Duplex } from "node:stream";
import type { Clock } from "@capstan/contract";
import type { Dispatcher } from "undici";
import { answerError } from "./errors.ts";

/** A request for another protocol on its connection. */
export interface UpgradeRequest {
  readonly method: "GET" | "POST";
  /** Path and query, escaped. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Longest wait for the answer. Default 30 000. */
  readonly timeoutMs?: number | undefined;
  /** For example `SPDY/3.1`. */
  readonly protocol: string;
}

const defaultTimeoutMs = 30_000;

/** Bytes of a refusal after which the rest of it is not read. */
const longestRefusal = 2 ** 16;

class UpgradeHandler implements Dispatcher.DispatchHandler {
  readonly result = Promise.withResolvers<Duplex>();
  readonly #refused: (status: number, body: string) => Error;
  readonly #signal: AbortSignal | undefined;
  readonly #parts: Buffer[] = [];
  #bytes = 0;
  #status = 0;

  constructor(signal: AbortSignal | undefined, refused: (status: number, body: string) => Error) {
    this.#signal = signal;
    this.#refused = refused;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const abort = (): void => controller.abort(this.#signal?.reason as Error);
    if (this.#signal?.aborted === true) abort();
    else this.#signal?.addEventListener("abort", abort, { once: true });
  }

  onRequestUpgrade(_controller: unknown, _status: number, _headers: unknown, socket: Duplex): void {
    this.result.resolve(socket);
  }

  onResponseStart(_controller: unknown, status: number): void {
    this.#status = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, part: Buffer): void {
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= longestRefusal) return;
    this.onResponseEnd();
    controller.abort(new Error("the rest of the refusal is not read"));
  }

  onResponseEnd(): void {
    this.result.reject(this.#refused(this.#status, Buffer.concat(this.#parts).toString()));
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.result.reject(error);
  }
}

/** Sends a request whose connection becomes one of another protocol. */
export const upgraded = (
  dispatcher: Dispatcher,
  { method, path, protocol, signal, timeoutMs }: UpgradeRequest,
  options: {
    readonly origin: string;
    readonly path: string;
    readonly headers: Record<string, string>;
    readonly clock: Clock;
  },
): Promise<Duplex> => {
  const call = `${method} ${path.split("?", 1)[0]}`;
  const refused = (status: number, body: string): Error =>
    answerError({ status, body, call, now: options.clock.now() });
  const handler = new UpgradeHandler(signal, refused);
  const { origin, headers } = options;
  const headersTimeout = timeoutMs ?? defaultTimeoutMs;
  dispatcher.dispatch({ origin, path: options.path, method, headers, upgrade: protocol, headersTimeout }, handler);
  return handler.result.promise;
};
