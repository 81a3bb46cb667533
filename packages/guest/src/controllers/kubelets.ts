import type { Clock } from "@capstan/contract";

/** What a machine's kubelet runs as. */
export interface Kubelet {
  /** Name of its Node. */
  readonly node: string;
  /** Of its machine. */
  readonly address: string;
}

/** The kubelets of one cluster that run, and since when the others are silent. */
export class Kubelets {
  readonly #clock: Clock;
  readonly #running = new Map<string, Kubelet>();
  readonly #stopped = new Map<string, number>();
  readonly #listeners = new Set<(node: string) => void>();
  readonly #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.now();
  }

  /** Returns the function that ends it, as when its machine is switched off. A later one of the same Node takes its place. */
  start(kubelet: Kubelet): () => void {
    const { node } = kubelet;
    this.#running.set(node, kubelet);
    this.#stopped.delete(node);
    this.#notify(node);
    return () => {
      if (this.#running.get(node) !== kubelet) return;
      this.#running.delete(node);
      this.#stopped.set(node, this.#clock.now());
      this.#notify(node);
    };
  }

  get(node: string): Kubelet | undefined {
    return this.#running.get(node);
  }

  all(): readonly Kubelet[] {
    return [...this.#running.values()];
  }

  /** Milliseconds for which nothing has been heard of a Node. */
  silentMs(node: string): number {
    return this.#running.has(node) ? 0 : this.#clock.now() - (this.#stopped.get(node) ?? this.#since);
  }

  forget(node: string): void {
    this.#stopped.delete(node);
  }

  /** Calls for every Node whose kubelet starts or ends. */
  subscribe(listener: (node: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(node: string): void {
    for (const listener of this.#listeners) listener(node);
  }
}
