import type { ManifestObject } from "@capstan/apiserver";

/** What tells one object of manifests from every other, whichever version of its group it is written in; `namespace` is that of objects without. */
export const identityOf = ({ object }: ManifestObject, namespace = "default"): string => {
  const { apiVersion, kind, metadata } = object;
  return [apiVersion.replace(/\/.*/, ""), kind, metadata.namespace ?? namespace, metadata.name].join(" ");
};
