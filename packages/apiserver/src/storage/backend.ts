/** One change as it is kept: `text` is the JSON of the object after it, absent for a deletion; `previous` the JSON before it. */
export interface LogRow {
  readonly revision: number;
  readonly store: string;
  readonly namespace: string;
  readonly name: string;
  readonly text?: string;
  readonly previous?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** One living object as it is kept. */
export interface ObjectRow {
  readonly revision: number;
  readonly store: string;
  readonly namespace: string;
  readonly name: string;
  readonly text: string;
}

export interface StoredState {
  /** The last revision given out; 1 when the storage is new. */
  readonly revision: number;
  /** Revisions up to this one are no longer in `log`. */
  readonly compacted: number;
  readonly objects: Iterable<ObjectRow>;
  /** In order of revision. */
  readonly log: Iterable<LogRow>;
}

/**
 * Where objects survive the process. The server keeps everything living in memory; a backend is read once and then appended to.
 */
export interface StorageBackend {
  load(): StoredState;
  /** Atomically keeps the rows, which are in order of revision. They are durable when this returns (or resolves). */
  append(rows: readonly LogRow[]): void | Promise<void>;
  close(): void;
}

/** Keeps nothing: the server forgets everything when it stops. */
export const memoryBackend = (): StorageBackend => ({
  load: () => ({ revision: 1, compacted: 1, objects: [], log: [] }),
  append: () => undefined,
  close: () => undefined,
});
