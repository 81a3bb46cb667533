import type { ModularCloud, ModularKind, ModularOperation, ModularResource, ModularTags } from "./modular-cloud.ts";

interface Call {
  readonly signal: AbortSignal;
}

/** Customer's API of the cloud. Creations and deletions answer with the id of an operation. */
export interface ModularApi {
  /** All resources that have these tags. */
  list(tags: ModularTags, call: Call): Promise<readonly ModularResource[]>;
  create(resource: Omit<ModularResource, "state" | "address">, call: Call): Promise<string>;
  delete(kind: ModularKind, name: string, call: Call): Promise<string>;
  /** Adds to the tags of a server, or changes them. */
  tag(name: string, tags: ModularTags, call: Call): Promise<void>;
  /** `undefined` when the cloud does not know it any more. */
  operation(id: string, call: Call): Promise<ModularOperation | undefined>;
}

export const modularApi = (cloud: ModularCloud): ModularApi => ({
  list: (tags, call) => {
    const wanted = Object.entries(tags);
    const has = (resource: ModularResource): boolean => wanted.every(([key, value]) => resource.tags[key] === value);
    return cloud.calls.make("list", () => cloud.resources.filter(has), call);
  },
  create: (resource, call) => cloud.calls.make(`create ${resource.kind}`, () => cloud.create(resource), call),
  delete: (kind, name, call) => cloud.calls.make(`delete ${kind}`, () => cloud.delete(kind, name), call),
  tag: (name, tags, call) => cloud.calls.make("tag server", () => cloud.tag(name, tags), call),
  operation: (id, call) => cloud.calls.make("operation", () => cloud.operation(id), call),
});
