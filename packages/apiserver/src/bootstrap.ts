import { resource, type KubeObject } from "@capstan/schema";
import { isStatusError } from "./model/status-error.ts";
import type { CallOptions, Registry, ResourceStore } from "./model/types.ts";

/** Creates the objects that are missing; those that exist are left as they are. */
export const createMissing = async (
  registry: Registry,
  store: ResourceStore,
  objects: readonly KubeObject[],
  options: CallOptions = {},
): Promise<void> => {
  await Promise.all(
    objects.map(async (object) => {
      const [group = "", version = ""] = object.apiVersion.includes("/")
        ? object.apiVersion.split("/")
        : ["", object.apiVersion];
      const definition = registry.snapshot.findKind(group, version, object.kind);
      const { name, namespace: scope } = object.metadata;
      const ref = definition ?? resource({ group, version, kind: object.kind, plural: object.kind.toLowerCase() });
      if (name !== undefined && store.peek(ref, { name, namespace: scope ?? "" }) !== undefined) {
        return;
      }
      try {
        await store.create(ref, object, options);
      } catch (error) {
        if (!isStatusError(error, "AlreadyExists")) {
          throw error;
        }
      }
    }),
  );
};

/** Creates an object, or gives the existing one what `object` says besides metadata. */
export const createOrChange = async (
  registry: Registry,
  store: ResourceStore,
  object: KubeObject,
  options: CallOptions = {},
): Promise<void> => {
  await createMissing(registry, store, [object], options);
  const { apiVersion, kind, metadata, ...content } = object;
  const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  const definition = registry.snapshot.findKind(group, version, kind);
  if (definition !== undefined) {
    const key = { name: metadata.name ?? "", namespace: metadata.namespace ?? "" };
    await store.patch(definition, key, { type: "merge", patch: content }, options);
  }
};
