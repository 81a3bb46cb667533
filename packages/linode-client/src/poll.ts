import type { System } from "./system.ts";

export interface WaitOptions {
  /** Gives up after this time with a `WaitTimeoutError`. */
  readonly withinMs: number;
  /** Between looks. Default 3 000. */
  readonly intervalMs?: number;
  readonly signal?: AbortSignal;
}

/** Thrown when a wait does not end in time. */
export class WaitTimeoutError extends Error {
  readonly withinMs: number;

  constructor(what: string, withinMs: number) {
    super(`${what}: not within ${withinMs} ms`);
    this.name = "WaitTimeoutError";
    this.withinMs = withinMs;
  }
}

const defaultIntervalMs = 3000;

/** Calls `look` until it answers something; failures of `look` end the wait. `what` names the wait in the error. */
export const poll = async <T>(
  system: System,
  what: string,
  wait: WaitOptions,
  look: (options: { readonly signal?: AbortSignal }) => Promise<T | undefined>,
): Promise<T> => {
  const options = wait.signal === undefined ? {} : { signal: wait.signal };
  const deadline = system.now() + wait.withinMs;
  for (;;) {
    const found = await look(options);
    if (found !== undefined) return found;
    const left = deadline - system.now();
    if (left <= 0) throw new WaitTimeoutError(what, wait.withinMs);
    await system.sleep(Math.min(wait.intervalMs ?? defaultIntervalMs, left), options);
  }
};
