import type { KubeObject } from "@capstan/schema";
import type { ObjectKey, RegistrySnapshot, ResourceDefinition, ResourceRef } from "../model/types.ts";

const groupOf = (apiVersion: string): string =>
  apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";

const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf("/") + 1);

/** The definition of a kind: of this version, or of any served version, since objects are known by the stored one. */
export const definitionOf = (
  snapshot: RegistrySnapshot,
  { apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">,
): ResourceDefinition | undefined => {
  const group = groupOf(apiVersion);
  return (
    snapshot.findKind(group, versionOf(apiVersion), kind) ??
    snapshot.definitions.find((definition) => definition.group === group && definition.kind === kind)
  );
};

/** The resource without a version: the preferred one. */
export const refOf = ({ group, plural }: ResourceDefinition): ResourceRef => ({ group, plural });

export const keyOf = ({ metadata }: KubeObject): ObjectKey => ({
  name: metadata.name ?? "",
  ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
});

/** A key as text, for maps and queues. */
export const keyText = ({ namespace = "", name }: ObjectKey): string => `${namespace}/${name}`;

export const keyFromText = (text: string): ObjectKey => {
  const at = text.indexOf("/");
  const namespace = text.slice(0, at);
  return { name: text.slice(at + 1), ...(namespace === "" ? {} : { namespace }) };
};
