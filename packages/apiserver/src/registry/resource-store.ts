import type { ObjectKey } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { Clock, Logger, Random } from "@capstan/contract";
import { bodyKindOf, decodeObject } from "../decode/decode-object.ts";
import type { Collection } from "../storage/collection.ts";
import type { ObjectStorage } from "../storage/object-storage.ts";
import type { StoredChange } from "../storage/stored-object.ts";
import { createObject } from "./create.ts";
import { deleteMatching } from "./delete-collection.ts";
import { deleteObject } from "./delete.ts";
import { listObjects } from "./list.ts";
import { patchChange } from "./patch.ts";
import { selectionOf } from "./selectors.ts";
import { serveOne } from "./served.ts";
import { isStatusError, notFound } from "../model/status-error.ts";
import type { AdmissionPlugin } from "./extension.ts";
import type {
  CallOptions,
  ListQuery,
  Registry,
  ResourceDefinition,
  ResourceRef,
  ResourceStore,
  StoreEvent,
  SubresourceDefinition,
  User,
} from "../model/types.ts";
import { updateObject } from "./update.ts";
import type { WriteCall, WriteEnvironment } from "./write-call.ts";

/** The user of internal callers. */
export const serverUser: User = Object.freeze({
  name: "system:apiserver",
  groups: ["system:masters", "system:authenticated"],
});

const ignoreWarning = (): void => undefined;

const writeCall = (definition: ResourceDefinition, namespace: string | undefined, options: CallOptions): WriteCall => ({
  definition,
  namespace: definition.namespaced ? (namespace ?? "") : "",
  user: options.user ?? serverUser,
  dryRun: options.dryRun === true,
  fieldManager: options.fieldManager ?? "apiserver",
  fieldValidation: options.fieldValidation ?? "Ignore",
  warn: options.warn ?? ignoreWarning,
  options: {},
});

const storeEvent = ({ object: { object }, previous, type }: StoredChange): StoreEvent =>
  previous === undefined
    ? { type, object }
    : {
        type,
        object,
        // It may have to be parsed again, and few look at it.
        get previous() {
          return previous.object;
        },
      };

const subresourceOf = (definition: ResourceDefinition, name = ""): SubresourceDefinition | undefined => {
  const found = definition.subresources.find((subresource) => subresource.name === name);
  if (name !== "" && found === undefined) {
    throw notFound(definition, name);
  }
  return found;
};

/** Everything a server shares between its HTTP side and its internal callers. */
export interface Core {
  readonly registry: Registry;
  readonly storage: ObjectStorage;
  readonly store: ResourceStore;
  readonly writes: WriteEnvironment;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** Joins registry and storage. `admission` may still grow until the server starts. */
export const createCore = (options: {
  readonly registry: Registry;
  readonly storage: ObjectStorage;
  readonly admission: readonly AdmissionPlugin[];
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}): Core => {
  const { registry, storage, log } = options;
  const resolve = (ref: ResourceRef): ResourceDefinition => {
    const definition = registry.snapshot.resolve(ref);
    if (definition === undefined || definition.virtual !== undefined) {
      throw notFound(ref, "");
    }
    return definition;
  };
  const store: ResourceStore = { ...reads(storage, registry, resolve, log), ...writesOf(resolve, () => writes) };
  const writes: WriteEnvironment = { ...options, store };
  return { ...options, store, writes };
};

type Resolve = (ref: ResourceRef) => ResourceDefinition;

const reads = (
  storage: ObjectStorage,
  registry: Registry,
  resolve: Resolve,
  log: Logger,
): Pick<ResourceStore, "get" | "find" | "list" | "watch" | "watchAll" | "peek" | "peekAll"> => {
  const collectionFor = (ref: ResourceRef): Collection =>
    storage.collection(registry.snapshot.resolve(ref)?.storage.store ?? `${ref.group}/${ref.plural}`);
  const isolated = (listener: (event: StoreEvent) => void) => (event: StoreEvent) => {
    try {
      listener(event);
    } catch (error) {
      log.error("a store listener failed", { error: String(error), kind: event.object.kind });
    }
  };
  const get = async (ref: ResourceRef, key: ObjectKey): Promise<KubeObject> => {
    const definition = resolve(ref);
    await storage.settled();
    const stored = storage.collection(definition.storage.store).get(key.namespace ?? "", key.name);
    if (stored === undefined) {
      throw notFound(definition, key.name);
    }
    return (await serveOne(definition, stored)).object;
  };
  return {
    get,
    find: async (ref, key) => {
      try {
        return await get(ref, key);
      } catch (error) {
        if (isStatusError(error, "NotFound")) {
          return undefined;
        }
        throw error;
      }
    },
    list: async (ref, query = {}) => {
      const definition = resolve(ref);
      await storage.settled();
      const { items, resourceVersion } = await listObjects(storage, definition, query);
      return { items: items.map(({ object }) => object), resourceVersion };
    },
    watch: (ref, listener, query) =>
      watchCollection(storage, collectionFor(ref), isolated(listener), query, () => registry.snapshot.resolve(ref)),
    watchAll: (listener) => {
      const stops: (() => void)[] = [];
      const follow = (collection: Collection): void => {
        stops.push(watchCollection(storage, collection, isolated(listener)));
      };
      const present = storage.collections;
      // Before anything is told: what listeners do may bring new stores up.
      stops.push(storage.onCollection(follow));
      present.forEach(follow);
      return () => stops.forEach((stop) => stop());
    },
    peek: (ref, key) => collectionFor(ref).get(key.namespace ?? "", key.name)?.object,
    peekAll: (ref, query) => [...collectionFor(ref).range(query?.namespace)].map(({ object }) => object),
  };
};

const watchCollection = (
  storage: ObjectStorage,
  collection: Collection,
  listener: (event: StoreEvent) => void,
  query: ListQuery = {},
  definition?: () => ResourceDefinition | undefined,
): (() => void) => {
  const served = definition?.() ?? { selectableFields: {}, namespaced: true };
  const { select = () => true } = selectionOf(served, query) as { select?: (object: KubeObject) => boolean };
  const inScope = (namespace: string): boolean => (query.namespace ?? "") === "" || namespace === query.namespace;
  const start = storage.revision;
  const unsubscribe = collection.subscribe((change) => {
    if (change.revision > start && inScope(change.object.namespace)) {
      const event = storeEvent(change);
      if (select(event.object) || (event.previous !== undefined && select(event.previous))) {
        listener(event);
      }
    }
  });
  for (const { object } of collection.range(query.namespace)) {
    if (select(object)) {
      listener({ type: "ADDED", object });
    }
  }
  return unsubscribe;
};

const decoded = (call: WriteCall, value: KubeObject): KubeObject =>
  decodeObject(
    { value, duplicates: [] },
    { body: bodyKindOf(call.definition), from: "body", fieldValidation: call.fieldValidation, warn: call.warn },
  );

const writesOf = (
  resolve: Resolve,
  environment: () => WriteEnvironment,
): Pick<ResourceStore, "create" | "update" | "patch" | "delete" | "deleteCollection"> => {
  const environmentOf = ({ admitted }: CallOptions): WriteEnvironment =>
    admitted === true ? { ...environment(), admission: [] } : environment();
  return {
    create: async (ref, object, options = {}) => {
      const call = writeCall(resolve(ref), object.metadata.namespace, options);
      return (await createObject(environmentOf(options), call, decoded(call, object))).object;
    },
    update: async (ref, object, options = {}) => {
      const call = writeCall(resolve(ref), object.metadata.namespace, options);
      const subresource = subresourceOf(call.definition, options.subresource);
      const body = decoded(call, object);
      const { served } = await updateObject(environmentOf(options), call, object.metadata.name ?? "", {
        ...(subresource === undefined ? {} : { subresource }),
        method: "put",
        createsMissing: false,
        next: () => body,
      });
      return served.object;
    },
    patch: async (ref, key, patch, options = {}) => {
      const call = writeCall(resolve(ref), key.namespace, options);
      const subresource = subresourceOf(call.definition, options.subresource);
      const change = patchChange(
        environmentOf(options),
        call,
        key.name,
        patch,
        subresource === undefined ? {} : { subresource },
      );
      return (await updateObject(environmentOf(options), call, key.name, change)).served.object;
    },
    delete: async (ref, key, options = {}) => {
      const call = writeCall(resolve(ref), key.namespace, options);
      const { served, gone, durable } = await deleteObject(environmentOf(options), call, key.name, options);
      await durable;
      return gone ? undefined : served.object;
    },
    deleteCollection: async (ref, query = {}, options = {}) => {
      const call = writeCall(resolve(ref), query.namespace, options);
      const { items } = await deleteMatching(environmentOf(options), call, query, options);
      return items.map(({ object }) => object);
    },
  };
};
