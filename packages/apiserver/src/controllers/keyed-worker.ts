import type { Clock, Logger } from "@capstan/contract";

export interface KeyedWorkerOptions<K> {
  readonly name: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly reconcile: (key: K) => Promise<void>;
}

const firstRetryMs = 5;
const lastRetryMs = 30_000;

/**
 * Runs `reconcile` for the keys that are added: at most once at a time per key, again if the key is added meanwhile, and after
 * a growing pause (5 ms to 30 s) if it throws. Different keys run side by side.
 */
export class KeyedWorker<K> {
  readonly #options: KeyedWorkerOptions<K>;
  readonly #running = new Map<K, Promise<void>>();
  readonly #again = new Set<K>();
  readonly #failures = new Map<K, number>();
  readonly #retries = new Map<K, () => void>();
  #stopped = false;

  constructor(options: KeyedWorkerOptions<K>) {
    this.#options = options;
  }

  add(key: K): void {
    if (this.#stopped) return;
    this.#retries.get(key)?.();
    this.#retries.delete(key);
    if (this.#running.has(key)) this.#again.add(key);
    else this.#running.set(key, this.#run(key));
  }

  /** Resolves once nothing runs for a key; a pending retry is not waited for. */
  async done(key: K): Promise<void> {
    while (this.#running.has(key)) await this.#running.get(key);
  }

  /** Resolves when everything that was added is done, except what waits for another try. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Resolves when nothing runs any more; nothing is started again. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const cancel of this.#retries.values()) cancel();
    this.#retries.clear();
    this.#again.clear();
    await this.idle();
  }

  async #run(key: K): Promise<void> {
    // The caller's turn ends first, so that several events of one write are handled together.
    await Promise.resolve();
    try {
      await this.#options.reconcile(key);
      this.#failures.delete(key);
    } catch (error) {
      this.#retryLater(key, error);
    }
    this.#running.delete(key);
    if (this.#again.delete(key)) this.add(key);
  }

  #retryLater(key: K, error: unknown): void {
    if (this.#stopped) return;
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const pause = Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 20));
    const { name, clock, log } = this.#options;
    log.debug("a controller will retry", { controller: name, key: String(key), error: String(error) });
    this.#retries.set(
      key,
      clock.schedule(pause, () => {
        this.#retries.delete(key);
        this.add(key);
      }),
    );
  }
}
