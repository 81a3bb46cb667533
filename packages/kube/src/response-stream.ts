import type { Dispatcher } from "undici";
import { answerTooLarge } from "./errors.ts";

/** An answer whose body is read while it comes. */
export interface HttpStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** `text` throws `kube.answer_too_large` when there is more than that. */
  readonly body: AsyncIterable<Uint8Array> & { text(maxBytes?: number): Promise<string> };
}

/**
 * Bytes that may wait for a slow reader before the server is paused. Pausing makes undici put back what it has read and copy it
 * when it continues, so that it must not happen with every read of a socket (64 KiB).
 */
const maxWaitingBytes = 1_048_576;

/** The parts of an answer's body as the socket brought them: not copied, and not joined as those of a Node stream are. */
class ResponseBody {
  readonly #controller: Dispatcher.DispatchController;
  #parts: Uint8Array[] = [];
  #waitingBytes = 0;
  #end: { readonly error?: unknown } | undefined;
  #changed = Promise.withResolvers<void>();

  constructor(controller: Dispatcher.DispatchController) {
    this.#controller = controller;
  }

  push(part: Uint8Array): void {
    this.#parts.push(part);
    this.#waitingBytes += part.length;
    if (this.#waitingBytes >= maxWaitingBytes) this.#controller.pause();
    this.#changed.resolve();
  }

  end(end: { readonly error?: unknown }): void {
    this.#end = end;
    this.#changed.resolve();
  }

  /** Drops what has not been read yet. */
  drop(): void {
    this.#parts = [];
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        for (let part = this.#parts.shift(); part !== undefined; part = this.#parts.shift()) yield part;
        this.#waitingBytes = 0;
        if (this.#end !== undefined) break;
        this.#changed = Promise.withResolvers();
        this.#controller.resume();
        await this.#changed.promise;
      }
      if ("error" in this.#end) throw this.#end.error;
    } finally {
      if (this.#end === undefined) this.#controller.abort(new Error("the rest of the answer is not read"));
    }
  }

  async text(maxBytes = Infinity): Promise<string> {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of this) {
      bytes += part.length;
      if (bytes > maxBytes) throw answerTooLarge("an answer", maxBytes);
      parts.push(part);
    }
    return Buffer.concat(parts).toString("utf8");
  }
}

class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #stream = Promise.withResolvers<HttpStream>();
  readonly #signal: AbortSignal | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #body: ResponseBody | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    if (signal?.aborted === true) this.#abort();
    signal?.addEventListener("abort", this.#abort, { once: true });
  }

  get stream(): Promise<HttpStream> {
    return this.#stream.promise;
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#signal?.reason;
    this.#stream.reject(reason);
    this.#body?.drop();
    this.#controller?.abort(reason as Error);
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal?.aborted === true) this.#abort();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    this.#body = new ResponseBody(controller);
    this.#stream.resolve({ status, headers, body: this.#body });
  }

  onResponseData(_controller: Dispatcher.DispatchController, part: Uint8Array): void {
    this.#body?.push(part);
  }

  onResponseEnd(): void {
    this.#finish({});
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish({ error });
    this.#stream.reject(error);
  }

  #finish(end: { readonly error?: unknown }): void {
    this.#signal?.removeEventListener("abort", this.#abort);
    this.#body?.end(end);
  }
}

/** Sends a request whose answer is read while it comes. Aborting the signal ends it at any time, with the signal's reason. */
export const openStream = async (
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal | undefined,
): Promise<HttpStream> => {
  const handler = new ResponseHandler(signal);
  dispatcher.dispatch(options, handler);
  return handler.stream;
};
