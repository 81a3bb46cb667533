/** Something that happens by itself at a time. */
export interface StoredTimer {
  /** What it happens to. */
  readonly key: string;
  /** What happens, by the name of its task. */
  readonly task: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What the state of every simulator holds besides the vendor's own. Plain JSON, saved as it is. */
export interface SimulatedState {
  /** Of the vendor's part. */
  readonly version: number;
  /** Second number of the simulator's loopback block `127.<block>.0.0/16`. */
  block: number;
  /** Hosts of the block handed out so far. */
  nextHost: number;
  nextId: number;
  /** What is under way. */
  timers: StoredTimer[];
  /** The authority of its HTTPS servers, PEM: clients that trust it go on after a restart. */
  authority?: { readonly certificate: string; readonly key: string };
}

/** The vendor's part of the state. */
export interface StateDefinition<S extends SimulatedState> {
  readonly version: S["version"];
  /** An account in which nothing is yet. */
  readonly empty: () => Omit<S, keyof SimulatedState>;
  /** The first id that is given out. Default 1. */
  readonly firstId?: number;
}

/** The whole state of a new simulator. */
export const emptyState = <S extends SimulatedState>({ version, empty, firstId = 1 }: StateDefinition<S>): S =>
  ({ version, block: 0, nextHost: 1, nextId: firstId, timers: [], ...empty() }) as unknown as S;
