import { epochKey, ownerKey, ownerText } from "@capstan/kit/engine";
import type { EpochMark, Owner } from "@capstan/kit/engine";

const prefix = "sigs.k8s.io_cluster-api-provider-azure_";

/** Purpose of a resource, the value of upstream's tag `role`. */
export type ResourceRole =
  | "apiserver"
  | "apiserver-internal"
  | "nodeOutbound"
  | "controlPlaneOutbound"
  | "common"
  | "control-plane"
  | "node"
  | "Bastion";

export type Tags = Readonly<Record<string, string>>;

const ownedPrefix = `${prefix}cluster_`;

/** The key of the tag by which a resource belongs to a Cluster. */
const ownedKey = (clusterName: string): string => `${ownedPrefix}${clusterName}`;

/** The tag by which a resource says which installation manages it, where that is known. */
export const epochTags = ({ epoch }: Pick<TagFacts, "epoch">): Tags =>
  epoch === undefined ? {} : { [epoch.label.key]: epoch.label.value };

/** Returns the wanted tags without the installation's mark, which has a step of its own. */
export const comparedTags = (wanted: Tags): Tags =>
  Object.fromEntries(Object.entries(wanted).filter(([key]) => key !== epochKey));

/** The tags by which a resource belongs to a Cluster: upstream's, and the owner. */
export const ownedTags = ({ clusterName, owner }: Pick<TagFacts, "clusterName" | "owner">): Tags => ({
  [ownedKey(clusterName)]: "owned",
  [ownerKey]: ownerText(owner),
});

/** The name of the Cluster that upstream's tag says. */
export const taggedCluster = ({ tags = {} }: { readonly tags?: Tags }): string | undefined => {
  const [key] =
    Object.entries(tags).find(([name, value]) => name.toLowerCase().startsWith(ownedPrefix) && value === "owned") ?? [];
  return key?.slice(ownedPrefix.length);
};

export interface TagFacts {
  /** Name of the Cluster, which may differ from that of the AzureCluster. */
  readonly clusterName: string;
  readonly additional: Tags;
  /** The object that it is made for. */
  readonly label: { readonly key: string; readonly value: string };
  /** The AzureCluster. */
  readonly owner: Owner;
  /** The installation that manages it, where it is known. */
  readonly epoch?: EpochMark;
}

/** Tags of several sources, the later ones first in rank. Names have no letter case: of two that differ in it alone one is left. */
export const mergedTags = (...sources: readonly (Tags | undefined)[]): Tags => {
  const byName = new Map<string, readonly [string, string]>();
  for (const source of sources) {
    for (const [name, value] of Object.entries(source ?? {})) byName.set(name.toLowerCase(), [name, value]);
  }
  return Object.fromEntries(byName.values());
};

/** The tags of a resource that is made here. */
export const resourceTags = (
  facts: TagFacts,
  { name, role }: { readonly name: string; readonly role?: ResourceRole },
): Tags =>
  mergedTags(facts.additional, ownedTags(facts), role === undefined ? undefined : { [`${prefix}role`]: role }, {
    Name: name,
    [facts.label.key]: facts.label.value,
    ...epochTags(facts),
  });

/** Key of the tag with the uid of the object that a resource was made for. */
export const uidKey = "capstan-uid";

/** The tag by which the cloud provider in the cluster knows its machines. */
export const cloudProviderTag = (clusterName: string): Tags => ({ [`kubernetes.io_cluster_${clusterName}`]: "owned" });

/** Returns whether a resource has upstream's tag of a Cluster, whoever made it. Keys have no letter case. */
export const hasClusterTag = (resource: { readonly tags?: Tags }, clusterName: string): boolean =>
  tagOf(resource, ownedKey(clusterName)) === "owned";

export interface TagChanges {
  /** Those that are missing, or have other values. */
  readonly merge: Tags;
  /** Those that are no longer asked for. */
  readonly remove: Tags;
}

/**
 * Returns the changes to the tags of a resource; `undefined` if there are none. `before`: the tags that were requested last; tags of others
 * stay.
 */
export const tagChanges = (resource: { readonly tags?: Tags }, wanted: Tags, before: Tags): TagChanges | undefined => {
  const merge = Object.fromEntries(
    Object.entries(comparedTags(wanted)).filter(([key, value]) => tagOf(resource, key) !== value),
  );
  const gone = Object.keys(before).filter((key) => tagOf({ tags: wanted }, key) === undefined);
  const remove = Object.fromEntries(
    Object.entries(resource.tags ?? {}).filter(([key]) =>
      gone.some((name) => name.toLowerCase() === key.toLowerCase()),
    ),
  );
  const isNone = Object.keys(merge).length === 0 && Object.keys(remove).length === 0;
  return isNone ? undefined : { merge, remove };
};

/** The value of a tag, whatever the letter case of its key. */
export const tagOf = (resource: { readonly tags?: Tags } | undefined, key: string): string | undefined =>
  Object.entries(resource?.tags ?? {}).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1];
