interface Entry {
  readonly value: unknown;
  readonly expiresAt: number;
}

/** Control over the cache of answers that hardly ever change: regions, types, availability, kernels. */
export interface ResponseCache {
  /** Off: every call goes to the API. Default on. */
  enabled: boolean;
  /** Forgets the answers of one path below the API version, for example `regions`, or all. */
  invalidate(path?: string): void;
}

export class TimedCache implements ResponseCache {
  enabled = true;
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;
  readonly #expiryMs: number | undefined;

  /** `expiryMs` replaces the expiry of every kind of answer. */
  constructor(now: () => number, expiryMs?: number) {
    this.#now = now;
    this.#expiryMs = expiryMs;
  }

  get(key: string): unknown {
    const entry = this.enabled ? this.#entries.get(key) : undefined;
    if (entry === undefined) return undefined;
    if (entry.expiresAt > this.#now()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: unknown, expiryMs: number): void {
    if (this.enabled) this.#entries.set(key, { value, expiresAt: this.#now() + (this.#expiryMs ?? expiryMs) });
  }

  /** Keys are `<path> <rest>`. */
  invalidate(path?: string): void {
    if (path === undefined) this.#entries.clear();
    else for (const key of this.#entries.keys()) if (key.split(" ", 1)[0] === path) this.#entries.delete(key);
  }
}
