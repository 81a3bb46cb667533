import type { CacheEvent, Informer, InformerOptions } from "@capstan/kube";
import { keyOf } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import { type Environment, type Request, type RequestSink, type Source, type WatchOptions } from "./controller.ts";
import { lowPriority } from "./work-queue.ts";

type Requests<T> = (event: CacheEvent<T>, environment: Environment) => readonly Request[];

const watchSource = <T extends KubeObject>(
  resource: Resource<T>,
  options: WatchOptions<T>,
  requests: Requests<T>,
): Source => {
  const { when, ...informerOptions } = options;
  const informer = (environment: Environment): Informer<T> =>
    environment.cache.informer(resource, informerOptions satisfies InformerOptions);
  return {
    prepare: (environment) => {
      informer(environment);
    },
    start: async (queue, environment, { signal }) => {
      const source = informer(environment);
      const unsubscribe = source.subscribe((event) => {
        if (when !== undefined && !when(event)) return;
        const priority = event.type !== "deleted" && event.initial ? lowPriority : 0;
        for (const request of requests(event, environment)) queue.add(request, { priority });
      });
      signal.addEventListener("abort", unsubscribe, { once: true });
      await source.waitForSync({ signal });
    },
  };
};

/** Requests for the objects of a kind themselves. */
export const watch = <T extends KubeObject>(resource: Resource<T>, options: WatchOptions<T> = {}): Source => ({
  ...watchSource(resource, options, ({ object }) => [keyOf(object)]),
  subject: resource,
});

/**
 * Requests for the owners of the objects of a kind: the controlling owner of kind `owner`, whatever its version, or with
 * `anyOwner` every owner of that kind.
 */
export const watchOwned = <T extends KubeObject>(
  resource: Resource<T>,
  owner: Pick<Resource, "group" | "kind" | "namespaced">,
  options: WatchOptions<T> & { readonly anyOwner?: boolean } = {},
): Source => {
  const { anyOwner = false, ...watchOptions } = options;
  const owners = (object: KubeObject): readonly Request[] =>
    (object.metadata.ownerReferences ?? [])
      .filter(({ apiVersion, kind, controller }) => {
        const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
        return kind === owner.kind && group === owner.group && (anyOwner || controller === true);
      })
      .map(({ name }) => ({ namespace: owner.namespaced ? (object.metadata.namespace ?? "") : "", name }));
  return watchSource(resource, watchOptions, (event) => both(event, owners));
};

/** Requests that `map` reads from the objects of a kind; for an update, from the object before and after it. */
export const watchMapped = <T extends KubeObject>(
  resource: Resource<T>,
  map: (object: T, environment: Environment) => readonly Request[],
  options: WatchOptions<T> = {},
): Source => watchSource(resource, options, (event, environment) => both(event, (object) => map(object, environment)));

export interface PollOptions<Item> {
  /** In logs. */
  readonly name: string;
  readonly intervalMs: number;
  readonly list: (environment: Environment, options: { readonly signal: AbortSignal }) => Promise<readonly Item[]>;
  /** Names an item across polls. */
  readonly idOf: (item: Item) => string;
  /** Default: the items differ as JSON. */
  readonly changed?: (before: Item, after: Item) => boolean;
  /** Who is to know of an item that appeared, changed or went away. */
  readonly requests: (item: Item, environment: Environment) => readonly Request[];
}

/** A world without watches: lists it again and again and requests only what differs from the list before. */
export const poll = <Item>(options: PollOptions<Item>): Source => ({
  start: (queue, environment, { signal }) => {
    void keepPolling(options, queue, environment, signal);
  },
});

const keepPolling = async <Item>(
  options: PollOptions<Item>,
  queue: RequestSink,
  environment: Environment,
  signal: AbortSignal,
): Promise<void> => {
  let known: ReadonlyMap<string, Item> = new Map();
  while (!signal.aborted) {
    try {
      const items = await options.list(environment, { signal });
      const next = new Map(items.map((item) => [options.idOf(item), item]));
      for (const item of differences(known, next, options.changed ?? differsAsJson)) {
        for (const request of options.requests(item, environment)) queue.add(request);
      }
      known = next;
    } catch (error) {
      if (signal.aborted) return;
      environment.log.warn("polling failed; the next poll tries again", { source: options.name, error });
    }
    await environment.clock.sleep(options.intervalMs, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
};

const differsAsJson = (before: unknown, after: unknown): boolean => JSON.stringify(before) !== JSON.stringify(after);

const differences = <Item>(
  before: ReadonlyMap<string, Item>,
  after: ReadonlyMap<string, Item>,
  changed: (before: Item, after: Item) => boolean,
): readonly Item[] => {
  const found: Item[] = [];
  for (const [id, item] of after) {
    const old = before.get(id);
    if (old === undefined || changed(old, item)) found.push(item);
  }
  for (const [id, item] of before) if (!after.has(id)) found.push(item);
  return found;
};

const both = <T extends KubeObject>(
  event: CacheEvent<T>,
  map: (object: T) => readonly Request[],
): readonly Request[] =>
  event.type === "updated" && event.previous !== event.object
    ? [...map(event.previous), ...map(event.object)]
    : map(event.object);
