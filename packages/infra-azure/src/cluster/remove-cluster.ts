import type { ClusterObservation, Handled } from "@capstan/kit/cluster";
import { absent, pending, removing } from "@capstan/kit/cluster";
import { isChanging } from "../arm/operation.ts";
import { AzureReason } from "../api/azure-conditions.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import { nameOfId } from "../arm/resource-id.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import { serviceCondition } from "./cluster-conditions.ts";
import { removalWaves } from "./cluster-parts.ts";
import type { ClusterContext } from "./observe-cluster.ts";
import { placeIn } from "./observe-cluster.ts";
import type { ClusterPlace } from "./place.ts";
import { refs } from "./place.ts";
import { isOwned } from "./resource-tags.ts";

interface Found {
  readonly ref: ResourceRef;
  readonly present: AzureResource;
}

const foundOf = async ({ api, call }: ClusterContext, all: readonly ResourceRef[]): Promise<readonly Found[]> => {
  const found = await Promise.all(all.map(async (ref) => ({ ref, present: await api.find(ref, call) })));
  return found.flatMap(({ present, ref }) => (present === undefined ? [] : [{ ref, present }]));
};

const groupsOf = (place: ClusterPlace): readonly ResourceRef[] => {
  const own = refs.group(place);
  const other = refs.networkGroup(place);
  return own.id.toLowerCase() === other.id.toLowerCase() ? [own] : [own, other];
};

/**
 * What is to be deleted next, by the tags that resources bear at this moment: resource groups that were made for the Cluster go as a whole,
 * and in others what was made for it, the last made first.
 */
const nextToDelete = async (context: ClusterContext, place: ClusterPlace): Promise<readonly Found[]> => {
  const isOurs = ({ present }: Found): boolean => isOwned(present, place.clusterName);
  const groups = await foundOf(context, groupsOf(place));
  const ours = groups.filter(isOurs);
  const left = groups.filter((group) => !isOurs(group)).map(({ ref }) => ref.id.toLowerCase());
  if (ours.length > 0) return ours;
  if (left.length === 0) return [];
  for (const wave of removalWaves(place, { failureDomains: [] })) {
    const found = (
      await foundOf(
        context,
        wave.map(({ ref }) => ref),
      )
    ).filter(isOurs);
    if (found.length > 0) return found;
  }
  return [];
};

/** An AzureCluster whose infrastructure is to go. */
export const observeClusterRemoval = async (context: ClusterContext): Promise<ClusterObservation> => {
  const { object, uses } = context;
  const next = await nextToDelete(context, placeIn(context));
  if (next.length === 0) {
    return uses.identities.isHeld(object)
      ? removing({ reason: AzureReason.releasingIdentity, step: "release identity" })
      : absent();
  }
  const names = next.map(({ ref }) => nameOfId(ref.id)).join(", ");
  const conditions = [serviceCondition("NetworkInfrastructure", "deleting")];
  if (next.every(({ present }) => isChanging(present))) {
    return removing({
      conditions,
      reason: AzureReason.deleting,
      message: `waiting for ${names} to be gone`,
      pollMs: 2000,
    });
  }
  return pending({ conditions, reason: AzureReason.deleting, message: names });
};

/** Deletes what is next. All of it is tried, whatever fails. */
export const removeCluster = async (context: ClusterContext & Handled): Promise<void> => {
  const { api, call, operations } = context;
  const failures: unknown[] = [];
  for (const { present, ref } of await nextToDelete(context, placeIn(context))) {
    if (isChanging(present)) continue;
    try {
      await operations.start(`delete ${nameOfId(ref.id)}`, () => api.remove(ref, call));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
};
