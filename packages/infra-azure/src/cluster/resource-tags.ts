const prefix = "sigs.k8s.io_cluster-api-provider-azure_";

/** What a resource is for, as the tag of the same name says. */
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

/** The key of the tag by which a resource belongs to a Cluster. */
const ownedKey = (clusterName: string): string => `${prefix}cluster_${clusterName}`;

export interface TagFacts {
  /** Of the Cluster, which is not always that of the AzureCluster. */
  readonly clusterName: string;
  readonly additional: Tags;
  /** The object that it is made for. */
  readonly label: { readonly key: string; readonly value: string };
}

/** The tags of a resource that is made here. */
export const resourceTags = (
  facts: TagFacts,
  { name, role }: { readonly name: string; readonly role?: ResourceRole },
): Tags => ({
  ...facts.additional,
  [ownedKey(facts.clusterName)]: "owned",
  ...(role !== undefined && { [`${prefix}role`]: role }),
  Name: name,
  [facts.label.key]: facts.label.value,
});

/** The tag by which the cloud provider in the cluster knows its machines. */
export const cloudProviderTag = (clusterName: string): Tags => ({ [`kubernetes.io_cluster_${clusterName}`]: "owned" });

/** Whether a resource was made for a Cluster, by whatever controller: only such are changed and deleted. Keys have no letter case. */
export const isOwned = (resource: { readonly tags?: Tags } | undefined, clusterName: string): boolean => {
  const key = ownedKey(clusterName).toLowerCase();
  return Object.entries(resource?.tags ?? {}).some(([name, value]) => name.toLowerCase() === key && value === "owned");
};

/** The value of a tag, whatever the letter case of its key. */
export const tagOf = (resource: { readonly tags?: Tags } | undefined, key: string): string | undefined =>
  Object.entries(resource?.tags ?? {}).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1];
