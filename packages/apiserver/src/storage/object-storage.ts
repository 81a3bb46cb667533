import type { KubeObject } from "@capstan/schema";
import { CapstanError, type Clock, type Logger } from "@capstan/contract";
import type { LogRow, StorageBackend, StoredState } from "./backend.ts";
import { Collection } from "./collection.ts";
import { type StoredChange, StoredObject, storeKey } from "./stored-object.ts";

interface Batch {
  readonly changes: {
    readonly collection: Collection;
    readonly change: StoredChange;
    readonly at: number;
    /** Kept until it is published, so that no one has to parse it again for that. */
    readonly object: KubeObject;
  }[];
  readonly committed: PromiseWithResolvers<void>;
}

const logRow = ({ collection, change, at }: Omit<Batch["changes"][number], "object">): LogRow => ({
  revision: change.revision,
  store: collection.name,
  namespace: change.object.namespace,
  name: change.object.name,
  at,
  ...(change.type === "DELETED" ? {} : { text: change.object.text }),
  ...(change.previous === undefined ? {} : { replaces: change.previous.revision }),
});

/** A change as it was, made from what is kept of it and the state before it. */
const restoredChange = (row: LogRow, previous: StoredObject | undefined): StoredChange => {
  const { namespace, name, revision, text } = row;
  if (text === undefined) {
    const last = previous ?? new StoredObject({ namespace, name, revision, text: "{}" });
    return { type: "DELETED", revision, object: StoredObject.of(namespace, name, revision, last.object), previous };
  }
  const object = new StoredObject({ namespace, name, revision, text });
  return { type: previous === undefined ? "ADDED" : "MODIFIED", revision, object, previous };
};

/** Time for which history is kept: the minimum of kube-apiserver. */
const historyMs = 300_000;
/** Minimum interval between recorded moments, by which history too old to keep is found. */
const forgetEveryMs = 60_000;

/**
 * All objects of a server: living ones and recent history in memory, every change appended to a backend. Changes of one turn of
 * the event loop are committed together. When the backend fails, the storage refuses every further change: memory and disk must
 * not part.
 */
export class ObjectStorage {
  readonly #backend: StorageBackend;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #onFailure: (failure: CapstanError) => void;
  readonly #collections = new Map<string, Collection>();
  readonly #collectionListeners = new Set<(collection: Collection) => void>();
  #revision: number;
  #published: number;
  #batch: Batch | undefined;
  #committing: Batch | undefined;
  #failure: Error | undefined;
  /** Revisions with the times at which they were the latest. */
  readonly #moments: { readonly at: number; readonly revision: number }[] = [];

  constructor(options: {
    readonly backend: StorageBackend;
    readonly clock: Clock;
    readonly log: Logger;
    /** Called once, when no change is accepted any more. */
    readonly onFailure?: ((failure: CapstanError) => void) | undefined;
  }) {
    this.#backend = options.backend;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#onFailure = options.onFailure ?? (() => undefined);
    const state = this.#backend.load();
    this.#revision = state.revision;
    this.#published = state.revision;
    this.#restore(state);
  }

  /** The latest revision: that of the newest change in memory, durable or not. */
  get revision(): number {
    return this.#revision;
  }

  /** Every change up to this revision is durable and known to watchers. It never goes back, and stays when the backend fails. */
  get published(): number {
    return this.#published;
  }

  /** The next change gets a revision above this one. */
  advance(revision: number): void {
    this.#revision = Math.max(this.#revision, revision);
  }

  /** Why no change is accepted any more. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Every store that exists. */
  get collections(): readonly Collection[] {
    return [...this.#collections.values()];
  }

  /** The store of this name; made when it is first asked for. */
  collection(name: string): Collection {
    return this.#collections.get(name) ?? this.#addCollection(name, this.#revision);
  }

  onCollection(listener: (collection: Collection) => void): () => void {
    this.#collectionListeners.add(listener);
    return () => this.#collectionListeners.delete(listener);
  }

  /** Resolves when every change made so far is durable: what is read then may be shown to the outside. */
  async settled(): Promise<void> {
    await (this.#batch ?? this.#committing)?.committed.promise;
  }

  /** Waits for pending changes and lets go of the backend. */
  async close(): Promise<void> {
    while (this.#batch !== undefined || this.#committing !== undefined) {
      await this.settled().catch(() => undefined);
    }
    this.#failure ??= new CapstanError({
      code: "apiserver.storage_closed",
      reason: "StorageClosed",
      message: "The storage is closed",
    });
    this.#backend.close();
  }

  #addCollection(name: string, floor: number): Collection {
    const collection = new Collection(
      name,
      {
        nextRevision: () => this.#nextRevision(),
        queue: (owner, change) => this.#queue(owner, change),
      },
      floor,
    );
    this.#collections.set(name, collection);
    for (const listener of this.#collectionListeners) {
      listener(collection);
    }
    return collection;
  }

  #restore({ rows, compacted }: StoredState): void {
    const living = new Map<Collection, Map<string, StoredObject>>();
    for (const row of rows) {
      const collection = this.#collections.get(row.store) ?? this.#addCollection(row.store, compacted);
      const objects = living.get(collection) ?? new Map<string, StoredObject>();
      living.set(collection, objects);
      const key = storeKey(row.namespace, row.name);
      const change = restoredChange(row, objects.get(key));
      if (change.type === "DELETED") {
        objects.delete(key);
      } else {
        objects.set(key, change.object);
      }
      if (row.revision > compacted) {
        collection.history.add(change);
      }
    }
    for (const [collection, objects] of living) {
      collection.restore(objects.values());
    }
  }

  #nextRevision(): number {
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    return ++this.#revision;
  }

  /** Drops history that is older than anybody may ask for. */
  #forget(now: number): void {
    const latest = this.#moments.at(-1);
    if (latest !== undefined && now - latest.at < forgetEveryMs) {
      return;
    }
    this.#moments.push({ at: now, revision: this.#revision });
    const old = this.#moments.findLastIndex(({ at }) => now - at >= historyMs);
    const [forgotten] = this.#moments.splice(0, old + 1).slice(-1);
    if (forgotten !== undefined) {
      for (const { history } of this.#collections.values()) {
        history.forget(forgotten.revision);
      }
    }
  }

  #queue(collection: Collection, change: StoredChange): Promise<void> {
    if (this.#batch === undefined) {
      this.#batch = { changes: [], committed: Promise.withResolvers() };
      // Callers see a failed commit through the promise they await; `settled` and `close` are not its only observers.
      this.#batch.committed.promise.catch(() => undefined);
      setImmediate(() => void this.#commit());
    }
    const now = this.#clock.now();
    this.#batch.changes.push({ collection, change, at: now, object: change.object.object });
    this.#forget(now);
    return this.#batch.committed.promise;
  }

  async #commit(): Promise<void> {
    await this.#committing?.committed.promise.catch(() => undefined);
    const batch = this.#batch as Batch;
    this.#committing = batch;
    this.#batch = undefined;
    try {
      if (this.#failure !== undefined) {
        throw this.#failure;
      }
      const appended = this.#backend.append(batch.changes.map(logRow));
      if (appended !== undefined) {
        await appended;
      }
    } catch (error) {
      this.#fail(error, batch);
      return;
    } finally {
      this.#committing = undefined;
    }
    for (const { collection, change } of batch.changes) {
      collection.publish(change);
      this.#published = change.revision;
    }
    batch.committed.resolve();
  }

  #fail(error: unknown, batch: Batch): void {
    const failure = new CapstanError({
      code: "apiserver.storage_failed",
      reason: "StorageFailed",
      message: `Changes cannot be kept: ${(error as Error).message}. Free space or repair the disk, then restart the server; acknowledged writes are not lost`,
      retry: { kind: "never" },
      cause: error,
    });
    const isFirst = this.#failure === undefined;
    this.#failure ??= failure;
    this.#log.error("storage failed; no further change is accepted", { error: String(error) });
    batch.committed.reject(this.#failure);
    if (isFirst) this.#onFailure(failure);
  }
}
