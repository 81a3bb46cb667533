import type { CallHook } from "@capstan/testing";
import { Agent, Dispatcher } from "undici";

/** Connections that conformance suites let a process die at: where the hook throws, the call has no answer. */
export class GatedDispatcher extends Dispatcher {
  hook: CallHook = () => undefined;
  readonly #agent: Agent;
  readonly #nameOf: (call: { readonly method: string; readonly path: string }) => string;

  constructor(ca: string, nameOf: (call: { readonly method: string; readonly path: string }) => string) {
    super();
    this.#agent = new Agent({ connect: { ca } });
    this.#nameOf = nameOf;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { method, path } = options;
    if (method === "GET" || method === "HEAD") return this.#agent.dispatch(options, handler);
    const name = this.#nameOf({ method, path: path.split("?", 1)[0] ?? path });
    try {
      this.hook(name, "before");
    } catch (error) {
      // No one has begun to work on it.
      queueMicrotask(() => handler.onResponseError?.(undefined as never, error as Error));
      return true;
    }
    return this.#agent.dispatch(options, {
      ...bound(handler),
      onResponseStart: (controller, ...rest) => {
        try {
          this.hook(name, "after");
          handler.onResponseStart?.(controller, ...rest);
        } catch (error) {
          controller.abort(error as Error);
        }
      },
    });
  }

  override async close(): Promise<void> {
    await this.#agent.close();
  }

  override async destroy(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** The handler's methods, which are called without it. */
const bound = (handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler => ({
  onRequestStart: (...rest) => handler.onRequestStart?.(...rest),
  onRequestUpgrade: (...rest) => handler.onRequestUpgrade?.(...rest),
  onResponseData: (...rest) => handler.onResponseData?.(...rest),
  onResponseEnd: (...rest) => handler.onResponseEnd?.(...rest),
  onResponseError: (...rest) => handler.onResponseError?.(...rest),
});
