import { CapstanError, type Logger, type Random, silentLogger } from "@capstan/contract";
import type { ObjectKey } from "@capstan/kube-values";
import { apiVersionOf, type KubeObject, type Resource } from "@capstan/schema";
import type { Cache, Informer, InformerOptions } from "../cache.ts";
import type { Connection } from "../connection.ts";
import type { WriteObserver } from "../create-client.ts";
import { defaultContents } from "./ingest.ts";
import { type EffectiveOptions, type InformerStatus, WatchInformer } from "./watch-informer.ts";

export interface CacheOptions {
  readonly connection: Connection;
  readonly random: Random;
  readonly log?: Logger;
  /** Namespaces of every namespaced informer that does not name its own, with a watch for each. Default: all, with one watch. */
  readonly namespaces?: readonly string[];
  /** Called when a watch starts, breaks or lists again. */
  readonly onStatus?: (resource: Resource, status: InformerStatus) => void;
}

/** A cache that can be told of own writes (give it to `createClient` as the observer) and asked how its watches are. */
export interface WatchCache extends Cache, WriteObserver {
  statuses(): readonly (InformerStatus & { readonly resource: Resource })[];
}

const nameOf = (resource: Pick<Resource, "group" | "plural">): string => `${resource.plural}.${resource.group}`;

const optionsConflict = (resource: Resource, option: string): CapstanError =>
  new CapstanError({
    code: "kube.informer_conflict",
    reason: "InformerConflict",
    message: `${nameOf(resource)} is already watched with another ${option}; declare one informer that serves all readers`,
    retry: { kind: "never" },
  });

class SharedCache implements WatchCache {
  readonly #options: CacheOptions;
  readonly #informers = new Map<string, WatchInformer<KubeObject>>();
  readonly #running = new Set<WatchInformer<KubeObject>>();
  #signal: AbortSignal | undefined;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  informer<T extends KubeObject>(resource: Resource<T>, options: InformerOptions = {}): Informer<T> {
    const known = this.#informers.get(nameOf(resource));
    if (known !== undefined) {
      this.#agree(known, resource, options);
      return known as unknown as Informer<T>;
    }
    const { connection, random, log = silentLogger, onStatus } = this.#options;
    const environment = { connection, random, log, ...(onStatus === undefined ? {} : { onStatus }) };
    const created = new WatchInformer<T>(resource, this.#effective(resource, options), environment);
    this.#informers.set(nameOf(resource), created as unknown as WatchInformer<KubeObject>);
    this.#runAll();
    return created;
  }

  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): T | undefined {
    return this.#watched(resource).get(key);
  }

  list<T extends KubeObject>(resource: Resource<T>, options?: { readonly namespace?: string }): readonly T[] {
    return this.#watched(resource).list(options);
  }

  byIndex<T extends KubeObject>(resource: Resource<T>, name: string, value: string): readonly T[] {
    return this.#watched(resource).byIndex(name, value);
  }

  async start({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    // Started by the first who asks; later ones wait for what is declared by then.
    this.#signal ??= signal;
    this.#runAll();
    await Promise.all([...this.#informers.values()].map((informer) => informer.waitForSync({ signal })));
  }

  observe(resource: Resource, written: KubeObject): void {
    const informer = this.#sameVersion(resource);
    if (informer !== undefined) informer.observe(written);
  }

  observeDeleted(resource: Resource, key: ObjectKey, uid: string): void {
    this.#informers.get(nameOf(resource))?.observeDeleted(key, uid);
  }

  statuses(): readonly (InformerStatus & { readonly resource: Resource })[] {
    return Array.from(this.#informers.values(), ({ resource, status }) => ({ resource, ...status }));
  }

  #effective(resource: Resource, { contents, namespace, labelSelector }: InformerOptions): EffectiveOptions {
    const namespaces = namespace === undefined ? this.#options.namespaces : [namespace];
    return {
      contents: contents ?? defaultContents(resource),
      ...(labelSelector !== undefined && { labelSelector }),
      ...(resource.namespaced && namespaces !== undefined && { namespaces: [...new Set(namespaces)] }),
    };
  }

  #runAll(): void {
    const signal = this.#signal;
    if (signal === undefined) return;
    for (const informer of this.#informers.values()) {
      if (this.#running.has(informer)) continue;
      this.#running.add(informer);
      informer.run({ signal }).catch((error: unknown) => {
        this.#options.log?.error("an informer ended", { kind: informer.resource.kind, error });
      });
    }
  }

  #agree(known: WatchInformer<KubeObject>, resource: Resource, options: InformerOptions): void {
    if (known.resource.version !== resource.version) throw optionsConflict(resource, "version");
    const present = { ...known.options, namespace: known.options.namespaces?.join() };
    for (const option of ["contents", "namespace", "labelSelector"] as const) {
      if (options[option] !== undefined && options[option] !== present[option]) {
        throw optionsConflict(resource, option);
      }
    }
  }

  /** An answer in another version has another shape: the watch will bring it in ours. */
  #sameVersion(resource: Resource): WatchInformer<KubeObject> | undefined {
    const informer = this.#informers.get(nameOf(resource));
    return informer !== undefined && apiVersionOf(informer.resource) === apiVersionOf(resource) ? informer : undefined;
  }

  #watched<T extends KubeObject>(resource: Resource<T>): Informer<T> {
    const informer = this.#informers.get(nameOf(resource));
    if (informer !== undefined) return informer as unknown as Informer<T>;
    throw new CapstanError({
      code: "kube.cache_not_watched",
      reason: "CacheNotWatched",
      message: `${nameOf(resource)} is read from the cache but not watched; declare cache.informer(...) in the controller's setup`,
      retry: { kind: "never" },
    });
  }
}

/** A cache over a connection. Informers declared before `start` are part of what `start` waits for. */
export const createCache = (options: CacheOptions): WatchCache => new SharedCache(options);
