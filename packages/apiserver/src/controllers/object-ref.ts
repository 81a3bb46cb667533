import type { KubeObject } from "@capstan/schema";
import type { RegistrySnapshot, ResourceDefinition, ResourceRef } from "../model/types.ts";

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
