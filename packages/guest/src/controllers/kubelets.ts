import type { Clock } from "@capstan/contract";
import type { Disk } from "../boot/disk.ts";
import type { MachineNetwork } from "../network/network-plugin.ts";

/** The running kubelet of a machine. */
export interface Kubelet {
  /** Name of its Node. */
  readonly node: string;
  /** Address of its machine. */
  readonly address: string;
  readonly disk: Pick<Disk, "text">;
  /** Network of its Pods; absent on a lenient machine, which needs no plugin. */
  readonly network?: MachineNetwork | undefined;
  /** Returns whether it gets to the API server. Default: always. */
  readonly reachesServer?: () => boolean;
}

/** Returns whether Pods can have a network there. */
export const hasNetwork = ({ network }: Kubelet): boolean => network?.isReady() ?? true;

/** The kubelets of one cluster that run, and since when the others are silent. */
export class Kubelets {
  readonly #clock: Clock;
  readonly #running = new Map<string, Kubelet>();
  readonly #stopped = new Map<string, number>();
  /** Those that run and do not get to the API server, and since when. */
  readonly #cut = new Map<string, number>();
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
    const unsubscribe = kubelet.network?.subscribe(() => this.#notify(node));
    this.#notify(node);
    return () => {
      unsubscribe?.();
      if (this.#running.get(node) !== kubelet) return;
      this.#running.delete(node);
      this.#cut.delete(node);
      this.#stopped.set(node, this.#clock.now());
      this.#notify(node);
    };
  }

  get(node: string): Kubelet | undefined {
    return this.#running.get(node);
  }

  /** One that runs and was heard of last. */
  heard(node: string): Kubelet | undefined {
    return this.#cut.has(node) ? undefined : this.#running.get(node);
  }

  /** Those that report now. */
  hear(): readonly Kubelet[] {
    return [...this.#running.values()].filter((kubelet) => {
      const { node, reachesServer } = kubelet;
      const isHeard = reachesServer?.() ?? true;
      if (isHeard !== this.#cut.has(node)) return isHeard;
      if (isHeard) this.#cut.delete(node);
      else this.#cut.set(node, this.#clock.now());
      this.#notify(node);
      return isHeard;
    });
  }

  /** Milliseconds for which nothing has been heard of a Node. */
  silentMs(node: string): number {
    if (this.heard(node) !== undefined) return 0;
    return this.#clock.now() - (this.#cut.get(node) ?? this.#stopped.get(node) ?? this.#since);
  }

  forget(node: string): void {
    this.#stopped.delete(node);
  }

  /** Calls for every Node whose kubelet starts or ends, or whose network comes or goes. */
  subscribe(listener: (node: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(node: string): void {
    for (const listener of this.#listeners) listener(node);
  }
}
