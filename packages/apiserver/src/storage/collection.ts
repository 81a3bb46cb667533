import { byText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { ChangeHistory } from "./history.ts";
import { SortedKeys } from "./sorted-keys.ts";
import { type StoredChange, StoredObject, storeKey, type WrittenObject } from "./stored-object.ts";

/** A change that is in memory already; it may be shown to the outside once `durable` has resolved. */
export interface PendingChange {
  readonly change: StoredChange;
  readonly durable: Promise<void>;
}

/** Interface of a storage to its collections. */
export interface ChangeSink {
  nextRevision(): number;
  /** Queues a change for the next group commit. */
  queue(collection: Collection, change: StoredChange): Promise<void>;
}

/** All objects of one store, in memory, with their recent history. */
export class Collection {
  readonly name: string;
  readonly history: ChangeHistory;
  readonly #sink: ChangeSink;
  readonly #objects = new Map<string, StoredObject>();
  readonly #keys = new SortedKeys();
  readonly #listeners = new Set<(change: StoredChange) => void>();

  /** `floor`: history before this revision is unknown. */
  constructor(name: string, sink: ChangeSink, floor: number) {
    this.name = name;
    this.#sink = sink;
    this.history = new ChangeHistory(floor);
  }

  get size(): number {
    return this.#objects.size;
  }

  get(namespace: string, name: string): StoredObject | undefined {
    return this.#objects.get(storeKey(namespace, name));
  }

  /** In order; of one namespace, or of all when it is empty. `after`: only keys behind this one. */
  *range(namespace = "", after = ""): Generator<StoredObject> {
    const prefix = namespace === "" ? "" : `${namespace}/`;
    for (const key of this.#keys.from(after > prefix ? `${after}\0` : prefix)) {
      if (!key.startsWith(prefix)) {
        return;
      }
      yield this.#objects.get(key) as StoredObject;
    }
  }

  /** As `range`, at an older revision; `undefined` when the history does not reach back. */
  at(revision: number, namespace = "", after = ""): readonly StoredObject[] | undefined {
    const before = this.history.statesAt(revision);
    if (before === undefined) {
      return undefined;
    }
    const present = [...this.range(namespace, after)];
    if (before.size === 0) {
      return present;
    }
    const prefix = namespace === "" ? "" : `${namespace}/`;
    const untouched = present.filter((object) => !before.has(object.key));
    const restored = [...before.values()].filter(
      (object) => object !== undefined && object.key.startsWith(prefix) && object.key > after,
    );
    return restored.length === 0
      ? untouched
      : [...untouched, ...(restored as StoredObject[])].sort((a, b) => byText(a.key, b.key));
  }

  /** Stores a new object. The caller has made sure that the key is free. */
  create(namespace: string, name: string, object: KubeObject | WrittenObject): PendingChange {
    const stored = StoredObject.of(namespace, name, this.#sink.nextRevision(), object);
    return this.#apply({ type: "ADDED", object: stored, previous: undefined });
  }

  /** Replaces an object. The caller has made sure that `previous` is the living state. */
  update(previous: StoredObject, object: KubeObject | WrittenObject): PendingChange {
    const stored = StoredObject.of(previous.namespace, previous.name, this.#sink.nextRevision(), object);
    return this.#apply({ type: "MODIFIED", object: stored, previous });
  }

  /** Removes an object; `object` is its last state as watchers will see it. */
  delete(previous: StoredObject, object: KubeObject | WrittenObject): PendingChange {
    const stored = StoredObject.of(previous.namespace, previous.name, this.#sink.nextRevision(), object);
    return this.#apply({ type: "DELETED", object: stored, previous });
  }

  /** Called for every change once it is durable, in order. */
  subscribe(listener: (change: StoredChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** For the storage: makes a durable change known. */
  publish(change: StoredChange): void {
    for (const listener of this.#listeners) {
      listener(change);
    }
  }

  /** For the storage, when it opens: takes objects as they are. */
  restore(objects: Iterable<StoredObject>): void {
    for (const object of objects) {
      this.#objects.set(object.key, object);
      this.#keys.add(object.key);
    }
  }

  #apply(change: Pick<StoredChange, "type" | "object" | "previous">): PendingChange {
    const complete: StoredChange = { ...change, revision: change.object.revision };
    const { key } = change.object;
    if (change.type === "DELETED") {
      this.#objects.delete(key);
      this.#keys.remove(key);
    } else {
      if (change.type === "ADDED") {
        this.#keys.add(key);
      }
      this.#objects.set(key, change.object);
    }
    this.history.add(complete);
    return { change: complete, durable: this.#sink.queue(this, complete) };
  }
}
