/** Time as a dependency: nothing outside the runtime's system clock reads real time or sets real timers. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Calls `callback` once after `ms`; the returned function cancels it. */
  schedule(ms: number, callback: () => void): () => void;
}

/** Randomness as a dependency. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Cryptographically strong unless the instance is seeded for a test. */
  bytes(length: number): Uint8Array;
}

/** RFC 3339 in UTC with whole seconds, as Kubernetes writes times. */
export const rfc3339 = (ms: number): string => `${new Date(ms).toISOString().slice(0, -".000Z".length)}Z`;
