import type { KubeObject, ObjectMeta } from "@capstan/schema";

/** The key of an object, namespaced or not. */
export const keyOf = ({ metadata }: { readonly metadata: ObjectMeta }) => ({
  ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
  name: metadata.name ?? "",
});

/** The namespace and name of a namespaced object. */
export const clusterKey = ({ metadata }: KubeObject): { readonly namespace: string; readonly name: string } => ({
  namespace: metadata.namespace ?? "",
  name: metadata.name ?? "",
});
