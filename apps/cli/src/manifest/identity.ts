import type { ManifestObject } from "@capstan/apiserver";
import type { KubeObject } from "@capstan/schema";

/**
 * Returns the identity of an object in manifests, independent of the version of its group; `namespace` applies to
 * objects that name none.
 */
export const identityOf = ({ object }: Pick<ManifestObject, "object">, namespace = "default"): string => {
  const { apiVersion, kind, metadata } = object;
  return [apiVersion.replace(/\/.*/, ""), kind, metadata.namespace ?? namespace, metadata.name].join(" ");
};

/** An object as people are told of it: `Kind namespace/name`. */
export const nameOf = ({ kind, metadata }: KubeObject): string =>
  `${kind} ${metadata.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata.name ?? ""}`;
