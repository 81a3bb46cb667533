import { ownerIn, ownerKey } from "@capstan/kit/engine";
import type { Owner } from "@capstan/kit/engine";
import type { Tags } from "./resource-tags.ts";
import { hasClusterTag, tagOf, taggedCluster, uidKey } from "./resource-tags.ts";

/** Who asks whose a resource is. */
export interface Claim {
  /** Name of the Cluster. */
  readonly clusterName: string;
  /** The AzureCluster. */
  readonly owner: Owner;
  /** Namespace and name of another AzureCluster with this uid. */
  readonly otherWithUid?: ((uid: string) => string | undefined) | undefined;
  /** Namespace and name of another AzureCluster for which something that has a Cluster's name alone could be as well. */
  readonly rival?: (() => string | undefined) | undefined;
}

const nobody = "none";

/** Mark of a group that an owner marked too late, and gave up: of no one, unless someone has recorded that it was made for them. */
export const givenUpBy = ({ mark }: Owner): Tags => ({ [ownerKey]: `${nobody} ${mark}` });

const isGivenUp = (resource: Tagged): boolean => tagOf(resource, ownerKey)?.split(" ", 1)[0] === nobody;

/** Returns whether a group was given up by an owner, and no one has marked it since. */
export const wasGivenUpBy = (resource: Tagged, owner: Owner): boolean =>
  tagOf(resource, ownerKey) === givenUpBy(owner)[ownerKey];

interface Tagged {
  readonly tags?: Tags;
}

/**
 * The owner of a resource who is not the one that asks, by kind, namespace and name: messages show it by `shownOwner`. `undefined`: it is ours, or no one's. What has upstream's tag of our Cluster and
 * no mark was made by an older release or by upstream's controllers, and is ours unless an older release made it for another AzureCluster, or
 * another one could say the same.
 */
export const otherOwner = (
  resource: Tagged | undefined,
  { clusterName, otherWithUid, owner, rival }: Claim,
): string | undefined => {
  if (resource === undefined || isGivenUp(resource)) return undefined;
  const mark = ownerIn(tagOf(resource, ownerKey));
  const named = (name: string): string => `AzureCluster ${name}`;
  if (mark !== undefined) return mark.mark === owner.mark ? undefined : named(`${mark.namespace}/${mark.name}`);
  if (hasClusterTag(resource, clusterName)) {
    const uid = tagOf(resource, uidKey) ?? "";
    const other = otherWithUid?.(uid) ?? (uid === owner.id ? undefined : rival?.());
    return other === undefined ? undefined : named(other);
  }
  const cluster = taggedCluster(resource);
  return cluster === undefined ? undefined : `Cluster ${cluster}`;
};

/** Returns whether a resource was made for a Cluster: only such are changed and deleted. */
export const isOwned = (resource: Tagged | undefined, claim: Claim): boolean => {
  if (resource === undefined || isGivenUp(resource) || otherOwner(resource, claim) !== undefined) return false;
  return ownerIn(tagOf(resource, ownerKey)) !== undefined || hasClusterTag(resource, claim.clusterName);
};
