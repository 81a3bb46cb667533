import type { Clock, Logger, Random } from "@capstan/contract";
import { type ObjectKey, type LabelRequirement, meetsRequirements } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import type { CacheEvent, IndexFunction, Informer, InformerOptions } from "../cache.ts";
import type { Connection } from "../connection.ts";
import { readLabelSelector } from "../label-selector.ts";
import { collectionPath } from "../paths.ts";
import { type Ingest, ingestOf } from "./ingest.ts";
import { ObjectStore } from "./object-store.ts";
import { Reflector, type ReflectorSink } from "./reflector.ts";

/** The state of one watch, for metrics and readiness. */
export interface InformerStatus {
  readonly synced: boolean;
  readonly connected: boolean;
  /** Milliseconds since the epoch; undefined before the first event. */
  readonly lastEventAt: number | undefined;
  readonly relists: number;
  readonly objects: number;
}

export interface InformerEnvironment {
  readonly connection: Connection;
  readonly random: Random;
  readonly log: Logger;
  /** Called after every change of an informer's status that is not just another event. */
  readonly onStatus?: (resource: Resource, status: InformerStatus) => void;
}

/** The options of an informer with the kind's defaults filled in. */
export interface EffectiveOptions extends Omit<InformerOptions, "contents" | "namespace"> {
  readonly contents: "full" | "metadata";
  /** One watch each; absent: one watch over all of them, or over a kind without namespaces. */
  readonly namespaces?: readonly string[];
}

type Handler<T> = (event: CacheEvent<T>) => void;

/** One collection that is followed, and what it holds. */
interface Part<T extends KubeObject> {
  readonly namespace: string | undefined;
  readonly store: ObjectStore<T>;
  connected: boolean;
}

/** An informer over stores that reflectors keep up to date: one, or one per namespace. */
export class WatchInformer<T extends KubeObject> implements Informer<T> {
  readonly resource: Resource<T>;
  readonly options: EffectiveOptions;
  readonly #environment: InformerEnvironment;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #parts: readonly Part<T>[];
  readonly #ingest: Ingest<T>;
  readonly #selected: readonly LabelRequirement[];
  readonly #handlers = new Set<Handler<T>>();
  readonly #synced = Promise.withResolvers<void>();
  #isSynced = false;
  #lastEventAt: number | undefined;
  #lists = 0;

  constructor(resource: Resource<T>, options: EffectiveOptions, environment: InformerEnvironment) {
    this.resource = resource;
    this.options = options;
    this.#environment = environment;
    this.#clock = environment.connection.clock;
    this.#log = environment.log.child({ kind: resource.kind, group: resource.group });
    this.#ingest = ingestOf(resource, options.contents);
    this.#selected = readLabelSelector(options.labelSelector ?? "");
    this.#parts = (options.namespaces ?? [undefined]).map((namespace) => ({
      namespace,
      store: new ObjectStore<T>(),
      connected: false,
    }));
  }

  get namespaces(): readonly string[] | undefined {
    return this.options.namespaces;
  }

  get synced(): boolean {
    return this.#isSynced;
  }

  get status(): InformerStatus {
    return {
      synced: this.#isSynced,
      connected: this.#parts.every(({ connected }) => connected),
      lastEventAt: this.#lastEventAt,
      relists: Math.max(0, this.#lists - this.#parts.length),
      objects: this.#parts.reduce((sum, { store }) => sum + store.size, 0),
    };
  }

  /** Follows its collections until the signal is aborted. */
  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    await Promise.all(this.#parts.map((part) => this.#follow(part, signal)));
  }

  async #follow(part: Part<T>, signal: AbortSignal): Promise<void> {
    const { resource, options } = this;
    const environment = this.#environment;
    const reflector = new Reflector({
      connection: environment.connection,
      random: environment.random,
      log: this.#log,
      path: collectionPath(resource, part.namespace),
      labelSelector: options.labelSelector,
      metadataOnly: options.contents === "metadata",
      sink: this.#sink(part),
      onState: (state) => this.#report(part, state),
    });
    await reflector.run({ signal });
  }

  subscribe(handler: Handler<T>): () => void {
    // A function may be given twice: each subscription is its own.
    const subscription: Handler<T> = (event) => handler(event);
    for (const object of this.list()) this.#notify(subscription, { type: "added", object, initial: true });
    this.#handlers.add(subscription);
    return () => {
      this.#handlers.delete(subscription);
    };
  }

  get(key: ObjectKey): T | undefined {
    return this.#partOf(key.namespace)?.store.get(key);
  }

  list({ namespace }: { readonly namespace?: string } = {}): readonly T[] {
    if (namespace !== undefined) return this.#partOf(namespace)?.store.list(namespace) ?? [];
    return this.#fromAll((store) => store.list());
  }

  addIndex(name: string, index: IndexFunction<T>): void {
    for (const { store } of this.#parts) store.addIndex(name, index);
  }

  byIndex(name: string, value: string): readonly T[] {
    return this.#fromAll((store) => store.byIndex(name, value));
  }

  async waitForSync({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    if (signal === undefined || this.#isSynced) return this.#synced.promise;
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      await Promise.race([this.#synced.promise, aborted.promise]);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  observe(written: T): void {
    const store = this.#partOf(written.metadata.namespace)?.store;
    if (store === undefined) return;
    // What no longer matches is left to the watch, which tells it as a delete.
    if (!meetsRequirements(this.#selected, written.metadata.labels)) return;
    // The caller keeps its own object; only what is inside is shared and frozen.
    this.#emit(store.observe(this.#ingest({ ...written, metadata: { ...written.metadata } })));
  }

  observeDeleted(key: ObjectKey, uid: string): void {
    this.#emit(this.#partOf(key.namespace)?.store.observeDeleted(key, uid) ?? []);
  }

  /** Where the objects of a namespace are kept; `undefined` when that namespace is not watched. */
  #partOf(namespace: string | undefined): Part<T> | undefined {
    const [first] = this.#parts;
    if (first?.namespace === undefined) return first;
    return this.#parts.find((part) => part.namespace === namespace);
  }

  #fromAll(read: (store: ObjectStore<T>) => readonly T[]): readonly T[] {
    const [first] = this.#parts;
    return this.#parts.length === 1 && first !== undefined
      ? read(first.store)
      : this.#parts.flatMap(({ store }) => read(store));
  }

  #sink({ store }: Part<T>): ReflectorSink {
    const ingest = this.#ingest;
    return {
      get position() {
        return store.position;
      },
      beginList: () => store.beginList(),
      addListed: (object) => this.#emit(store.addListed(ingest(object))),
      completeList: (version) => {
        this.#lists += 1;
        this.#emit(store.completeList(version));
        if (this.#parts.some((part) => part.store.position === undefined)) return;
        this.#isSynced = true;
        this.#synced.resolve();
      },
      apply: (object) => this.#emit(store.apply(ingest(object))),
      remove: (object) => this.#emit(store.remove(ingest(object))),
      advance: (version) => store.advance(version),
    };
  }

  #emit(events: readonly CacheEvent<T>[]): void {
    this.#lastEventAt = this.#clock.now();
    for (const event of events) for (const handler of this.#handlers) this.#notify(handler, event);
  }

  #notify(handler: Handler<T>, event: CacheEvent<T>): void {
    try {
      handler(event);
    } catch (error) {
      const { namespace, name } = event.object.metadata;
      this.#log.error("a handler of cache events failed", { error, event: event.type, namespace, name });
    }
  }

  #report(part: Part<T>, state: "listing" | "watching" | "broken"): void {
    part.connected = state === "watching";
    this.#environment.onStatus?.(this.resource, this.status);
  }
}
