import type { ArmCall } from "../arm/arm-client.ts";
import { isChanging, provisioningStateOf } from "../arm/operation.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import type { AzureResource, ResourceBody } from "../cloud/azure-api.ts";
import { isOwned, otherOwner } from "./belonging.ts";
import type { ClusterService, ServiceState } from "./cluster-conditions.ts";
import type { ClusterPlace } from "./place.ts";
import type { TagChanges, Tags } from "./resource-tags.ts";
import { hasClusterTag, tagChanges } from "./resource-tags.ts";

/** One resource of a cluster. */
export interface Part {
  readonly service: ClusterService;
  readonly ref: ResourceRef;
  readonly body: (present: AzureResource | undefined) => ResourceBody;
  /** Returns whether what is there has to be changed. Default: it never is. */
  readonly differs?: (present: AzureResource) => boolean;
  /** By which it is ours: one that others made is neither changed nor deleted. What has no tags belongs to something else. */
  readonly tags: Tags | undefined;
  /**
   * Returns the tags that identify the owner of a part without tags of its own, or with the mark in another place. Default: a part without
   * tags belongs to the owner of its parent.
   */
  readonly marks?: (present: AzureResource) => Tags;
  /** Returns the resource that a part without tags belongs to, if the part was not made for the cluster. */
  readonly takenBy?: (present: AzureResource) => string | undefined;
}

/** A part as it was found. */
export interface SeenPart extends Part {
  readonly present: AzureResource | undefined;
  readonly state: ServiceState;
  /** Tag changes that are due. */
  readonly tagChanges: TagChanges | undefined;
  /** Who has what the cluster cannot share. */
  readonly owner?: string;
}

/** Services whose parts a cluster may use although another owner made them. */
const shared: ReadonlySet<ClusterService> = new Set([
  "ResourceGroup",
  "VNet",
  "SecurityGroups",
  "RouteTables",
  "PrivateDNSZone",
  "PrivateDNSLink",
]);

/** By which it is known whose a part is. */
const markedOf = ({ marks, tags }: Part, present: AzureResource): { readonly tags?: Tags } | undefined => {
  if (marks !== undefined) return { tags: marks(present) };
  return tags === undefined ? undefined : present;
};

/**
 * Who has a part that the cluster can neither make nor share. What is shared under the name of the Cluster, too, was made for another Cluster
 * of the same name, and two of those cannot be told apart by upstream's controllers and the cloud provider.
 */
export const takenBy = (
  part: Part,
  present: AzureResource,
  { claim }: Pick<ClusterPlace, "claim">,
): string | undefined => {
  const marked = markedOf(part, present);
  if (marked === undefined) return part.takenBy?.(present);
  const other = otherOwner(marked, claim);
  return shared.has(part.service) && !hasClusterTag(marked, claim.clusterName) ? undefined : other;
};

/** Returns whether a part was made for the cluster: only such are changed and deleted. */
export const isOurs = (part: Part, present: AzureResource, { claim }: Pick<ClusterPlace, "claim">): boolean => {
  const marked = markedOf(part, present);
  return marked === undefined ? part.takenBy?.(present) === undefined : isOwned(marked, claim);
};

/** Reads a resource, as of now or as it is known. */
export type Look = (ref: ResourceRef, call: ArmCall) => Promise<AzureResource | undefined>;

const stateOf = (part: Part, present: AzureResource | undefined, changes: TagChanges | undefined): ServiceState => {
  if (present === undefined) return "creating";
  if (isChanging(present)) return "updating";
  if (provisioningStateOf(present) === "Failed") return "failed";
  return changes !== undefined || part.differs?.(present) === true ? "updating" : "ready";
};

/** Reads a part, and returns it with its state, the other owner that has it, and the tag changes that are due. */
export const seen = async (
  part: Part,
  { call, look, place }: { readonly look: Look; readonly call: ArmCall; readonly place: ClusterPlace },
): Promise<SeenPart> => {
  const present = await look(part.ref, call);
  const owner = present === undefined ? undefined : takenBy(part, present, place);
  if (owner !== undefined) return { ...part, present, state: "failed", tagChanges: undefined, owner };
  const isForeign = present !== undefined && part.tags !== undefined && !isOwned(present, place.claim);
  // What others make is waited for, too.
  if (isForeign) return { ...part, present, state: isChanging(present) ? "updating" : "ready", tagChanges: undefined };
  const changes =
    present === undefined || part.tags === undefined
      ? undefined
      : tagChanges(present, part.tags, place.lastApplied.tags);
  return { ...part, present, state: stateOf(part, present, changes), tagChanges: changes };
};

/** Returns whether a part has to be written: it is missing, otherwise than it should be, or was not made to its end. */
export const isDue = ({ owner, present, state }: SeenPart): boolean =>
  state !== "ready" && owner === undefined && (present === undefined || !isChanging(present));

/** Returns whether its tags are all that has to be changed. */
export const hasOnlyTagsDue = ({ differs, present, tagChanges: changes }: SeenPart): boolean =>
  present !== undefined &&
  changes !== undefined &&
  provisioningStateOf(present) !== "Failed" &&
  differs?.(present) !== true;
