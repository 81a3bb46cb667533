/** A task that is due at a certain time. */
export interface StoredTimer {
  /** Object of the task, which also identifies the timer for replacement and cancellation. */
  readonly key: string;
  /** Name of the task. */
  readonly task: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The part of the state that all simulators have in common. Plain JSON, saved as it is. */
export interface SimulatedState {
  /** Version of the vendor's part. */
  readonly version: number;
  /** Second number of the simulator's loopback block `127.<block>.0.0/16`. */
  block: number;
  /** Hosts of the block handed out so far. */
  nextHost: number;
  nextId: number;
  /** Tasks that are not due yet. */
  timers: StoredTimer[];
  /** Certificate authority of the HTTPS servers, PEM. It is kept, so that clients still trust the servers after a restart. */
  authority?: { readonly certificate: string; readonly key: string };
}

/** The vendor's part of the state. */
export interface StateDefinition<S extends SimulatedState> {
  readonly version: S["version"];
  /** The vendor's part for a new, empty account. */
  readonly empty: () => Omit<S, keyof SimulatedState>;
  /** The first id that is handed out. Default 1. */
  readonly firstId?: number;
}

/** The whole state of a new simulator. */
export const emptyState = <S extends SimulatedState>({ version, empty, firstId = 1 }: StateDefinition<S>): S =>
  ({ version, block: 0, nextHost: 1, nextId: firstId, timers: [], ...empty() }) as unknown as S;
