/** One change as it is kept. */
export interface LogRow {
  readonly revision: number;
  readonly store: string;
  readonly namespace: string;
  readonly name: string;
  /** The JSON of the object after the change; absent for a deletion. */
  readonly text?: string;
  /** Revision of the state that the change replaced or removed; absent for a creation. */
  readonly replaces?: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface StoredState {
  /** The last revision given out; 1 when the storage is new. */
  readonly revision: number;
  /** Changes up to this revision are no longer all known. */
  readonly compacted: number;
  /** In order: the change that made each living object, every change after `compacted`, and what these have replaced. */
  readonly rows: Iterable<LogRow>;
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
  load: () => ({ revision: 1, compacted: 1, rows: [] }),
  append: () => undefined,
  close: () => undefined,
});
