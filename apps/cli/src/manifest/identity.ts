import type { ManifestObject } from "@capstan/apiserver";
import type { KubeObject } from "@capstan/schema";

/** What tells one object of manifests from every other, whichever version of its group it is written in; `namespace` is that of objects without. */
export const identityOf = ({ object }: Pick<ManifestObject, "object">, namespace = "default"): string => {
  const { apiVersion, kind, metadata } = object;
  return [apiVersion.replace(/\/.*/, ""), kind, metadata.namespace ?? namespace, metadata.name].join(" ");
};

/** An object as people are told of it: `Kind namespace/name`. */
export const nameOf = ({ kind, metadata }: KubeObject): string =>
  `${kind} ${metadata.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata.name ?? ""}`;
