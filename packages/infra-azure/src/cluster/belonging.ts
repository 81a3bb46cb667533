import { ownerIn, ownerKey } from "@capstan/kit/owner";
import type { Owner } from "@capstan/kit/owner";
import type { Tags } from "./resource-tags.ts";
import { hasClusterTag, tagOf, taggedCluster, uidKey } from "./resource-tags.ts";

/** Who asks whose a resource is. */
export interface Claim {
  /** Of the Cluster. */
  readonly clusterName: string;
  /** The AzureCluster. */
  readonly owner: Owner;
  /** Namespace and name of another AzureCluster with this uid. */
  readonly otherWithUid?: ((uid: string) => string | undefined) | undefined;
}

interface Tagged {
  readonly tags?: Tags;
}

/**
 * The owner of a resource who is not the one that asks. `undefined`: it is ours, or nobody's. What bears upstream's tag of our Cluster and
 * no mark was made by an older release or by upstream's controllers, and is ours unless an older release made it for another AzureCluster.
 */
export const otherOwner = (
  resource: Tagged | undefined,
  { clusterName, otherWithUid, owner }: Claim,
): string | undefined => {
  if (resource === undefined) return undefined;
  const mark = ownerIn(tagOf(resource, ownerKey));
  if (mark !== undefined) return mark.mark === owner.mark ? undefined : `AzureCluster ${mark.namespace}/${mark.name}`;
  if (hasClusterTag(resource, clusterName)) {
    const other = otherWithUid?.(tagOf(resource, uidKey) ?? "");
    return other === undefined ? undefined : `AzureCluster ${other}`;
  }
  const cluster = taggedCluster(resource);
  return cluster === undefined ? undefined : `Cluster ${cluster}`;
};

/** Whether a resource was made for a Cluster: only such are changed and deleted. */
export const isOwned = (resource: Tagged | undefined, claim: Claim): boolean => {
  if (resource === undefined || otherOwner(resource, claim) !== undefined) return false;
  return ownerIn(tagOf(resource, ownerKey)) !== undefined || hasClusterTag(resource, claim.clusterName);
};
