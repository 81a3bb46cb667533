import type { RackState } from "../state.ts";

/** Where the configuration of agents is put, below the rack's own interface. */
export const bootMediaPath = "/elemental/media";

/** Boot media of hosts that register by themselves: the configuration of the agent on each, by registration. */
export class BootMedia {
  readonly #state: RackState;
  readonly #waiting = new Set<() => void>();

  constructor(state: RackState) {
    this.#state = state;
  }

  get(registration: string): string | undefined {
    return this.#state.bootMedia?.[registration];
  }

  put(registration: string, config: string): void {
    this.#state.bootMedia = { ...this.#state.bootMedia, [registration]: config };
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** The configuration on a medium: of a registration, or of the first there is. Waits for it. */
  async wait(registration: string | undefined, signal: AbortSignal): Promise<string> {
    for (;;) {
      signal.throwIfAborted();
      const media = this.#state.bootMedia ?? {};
      const [first] = Object.values(media);
      const config = registration === undefined ? first : media[registration];
      if (config !== undefined) return config;
      await this.#change(signal);
    }
  }

  #change(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
    return promise.finally(() => this.#waiting.delete(resolve));
  }
}
