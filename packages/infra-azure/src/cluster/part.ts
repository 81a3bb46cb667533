import { isJsonObject } from "@capstan/schema";
import type { ArmCall } from "../arm/arm-client.ts";
import { isChanging, provisioningStateOf } from "../arm/operation.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import type { AzureResource, ResourceBody } from "../cloud/azure-api.ts";
import type { ClusterService, ServiceState } from "./cluster-conditions.ts";
import type { ClusterPlace } from "./place.ts";
import type { TagChanges, Tags } from "./resource-tags.ts";
import { isOwned, tagChanges } from "./resource-tags.ts";

/** One resource of a cluster. */
export interface Part {
  readonly service: ClusterService;
  readonly ref: ResourceRef;
  readonly body: (present: AzureResource | undefined) => ResourceBody;
  /** Whether what is there has to be changed. Default: it never is. */
  readonly differs?: (present: AzureResource) => boolean;
  /** By which it is ours: one that others made is neither changed nor deleted. What has no tags belongs to something else. */
  readonly tags: Tags | undefined;
  /** Of parts without tags: whether it was made for the cluster. Default: it goes with what it belongs to. */
  readonly isOurs?: (present: AzureResource) => boolean;
}

/** A part as it was found. */
export interface SeenPart extends Part {
  readonly present: AzureResource | undefined;
  readonly state: ServiceState;
  /** What has to be changed about its tags. */
  readonly tagChanges: TagChanges | undefined;
}

/** Reads a resource, as of now or as it is known. */
export type Look = (ref: ResourceRef, call: ArmCall) => Promise<AzureResource | undefined>;

const stateOf = (part: Part, present: AzureResource | undefined, changes: TagChanges | undefined): ServiceState => {
  if (present === undefined) return "creating";
  if (isChanging(present)) return "updating";
  if (provisioningStateOf(present) === "Failed") return "failed";
  return changes !== undefined || part.differs?.(present) === true ? "updating" : "ready";
};

/** What is there of a part. */
export const seen = async (
  part: Part,
  { call, look, place }: { readonly look: Look; readonly call: ArmCall; readonly place: ClusterPlace },
): Promise<SeenPart> => {
  const present = await look(part.ref, call);
  const isForeign = present !== undefined && part.tags !== undefined && !isOwned(present, place.clusterName);
  // What others make is waited for, too.
  if (isForeign) return { ...part, present, state: isChanging(present) ? "updating" : "ready", tagChanges: undefined };
  const changes =
    present === undefined || part.tags === undefined
      ? undefined
      : tagChanges(present, part.tags, place.lastApplied.tags);
  return { ...part, present, state: stateOf(part, present, changes), tagChanges: changes };
};

/** Whether a part has to be written: it is missing, otherwise than it should be, or was not made to its end. */
export const isDue = ({ present, state }: SeenPart): boolean =>
  state !== "ready" && (present === undefined || !isChanging(present));

/** Whether its tags are all that has to be changed. */
export const hasOnlyTagsDue = ({ differs, present, tagChanges: changes }: SeenPart): boolean =>
  present !== undefined &&
  changes !== undefined &&
  provisioningStateOf(present) !== "Failed" &&
  differs?.(present) !== true;

/** The etag of a resource of the network, which changes of others make a new one of. */
export const etagOf = (present: AzureResource | undefined): string | undefined => {
  const etag: unknown = isJsonObject(present) ? present["etag"] : undefined;
  return typeof etag === "string" ? etag : undefined;
};
