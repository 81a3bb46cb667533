import type { KubeObject } from "@capstan/schema";

/** The namespace and name of a namespaced object. */
export const clusterKey = ({ metadata }: KubeObject): { readonly namespace: string; readonly name: string } => ({
  namespace: metadata.namespace ?? "",
  name: metadata.name ?? "",
});
