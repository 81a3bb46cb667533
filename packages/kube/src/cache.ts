import type { ObjectKey } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";

/** A change of one object in the cache. `initial` marks events of the first list and of a relist without change. */
export type CacheEvent<T> =
  | { readonly type: "added"; readonly object: T; readonly initial: boolean }
  | {
      readonly type: "updated";
      readonly object: T;
      readonly previous: T;
      readonly initial: boolean;
    }
  | { readonly type: "deleted"; readonly object: T };

export type IndexFunction<T> = (object: T) => readonly string[];

/** One watch of one kind, shared by every reader in the process. */
export interface Informer<T extends KubeObject = KubeObject> {
  readonly resource: Resource<T>;
  readonly synced: boolean;
  /** Those that it watches, of a kind with namespaces; `undefined`: all. */
  readonly namespaces?: readonly string[] | undefined;
  /** Handlers are isolated from one another; objects already cached are replayed as `added` with `initial: true`. */
  subscribe(handler: (event: CacheEvent<T>) => void): () => void;
  get(key: ObjectKey): T | undefined;
  list(options?: { readonly namespace?: string }): readonly T[];
  /**
   * Indexes are declared once, by name; declaring the same name again is an error unless the function is the same. An object for which the
   * function throws has no values.
   */
  addIndex(name: string, index: IndexFunction<T>): void;
  /** O(result). */
  byIndex(name: string, value: string): readonly T[];
  waitForSync(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Read-your-writes: puts the answer of a write into the cache if it is newer, and tells the handlers. */
  observe(written: T): void;
  /** Read-your-writes for a delete that was answered with the object gone. */
  observeDeleted(key: ObjectKey, uid: string): void;
}

export interface InformerOptions {
  /** Default: what the ingest transform of the kind keeps (no managedFields; Secrets, ConfigMaps and CRDs as metadata only). */
  readonly contents?: "full" | "metadata";
  readonly namespace?: string;
  readonly labelSelector?: string;
}

/**
 * All informers of one API server. Objects are deeply frozen and shared: read without copying, never change them.
 * Reading a kind that has no informer yet throws `kube.cache_not_watched`: declare it first.
 */
export interface Cache {
  /** The informer of a kind; started on first use if the cache is running. One per kind: later options must agree with the first. */
  informer<T extends KubeObject>(resource: Resource<T>, options?: InformerOptions): Informer<T>;
  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): T | undefined;
  list<T extends KubeObject>(resource: Resource<T>, options?: { readonly namespace?: string }): readonly T[];
  byIndex<T extends KubeObject>(resource: Resource<T>, name: string, value: string): readonly T[];
  /** Starts every declared informer; resolves when all are synced. */
  start(options: { readonly signal: AbortSignal }): Promise<void>;
}
