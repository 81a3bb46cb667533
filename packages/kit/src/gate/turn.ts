export interface TurnOptions {
  /** The object, for example by its uid. */
  readonly key: string;
  /** Turns of one flow share its part of a limit: for example those of a cluster's objects. */
  readonly flow: string;
  /** The group of the turn, for example a kind: turns of one group take about as many calls. */
  readonly of: string;
  /** Nothing waits for it: the object is as it should be. Default false. */
  readonly idle?: boolean;
}

/** One visit of an object, as gates of outside calls see it: its calls belong together. */
export class Turn {
  readonly key: string;
  readonly flow: string;
  readonly of: string;
  readonly idle: boolean;
  readonly #ends: (() => void)[] = [];
  #over = false;

  constructor({ flow, idle = false, key, of }: TurnOptions) {
    this.key = key;
    this.flow = flow;
    this.of = of;
    this.idle = idle;
  }

  /** True if the visit has ended. Calls that it started may continue. */
  get over(): boolean {
    return this.#over;
  }

  /** Calls `run` when the visit ends. */
  onEnd(run: () => void): void {
    this.#ends.push(run);
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    for (const run of this.#ends.splice(0)) run();
  }
}
