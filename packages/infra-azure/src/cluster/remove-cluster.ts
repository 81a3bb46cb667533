import type { ConditionInput } from "@capstan/contract/wire";
import type { ClusterObservation, Handled } from "@capstan/kit/cluster";
import { absent, pending, removing } from "@capstan/kit/cluster";
import { isChanging, provisioningStateOf } from "../arm/operation.ts";
import { AzureReason } from "../api/azure-conditions.ts";
import type { ResourceType } from "../arm/resource-id.ts";
import { isWithin, nameOfId, resourceTypes } from "../arm/resource-id.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import type { ClusterContext } from "./cluster-context.ts";
import { placeIn } from "./cluster-context.ts";
import type { ClusterService } from "./cluster-conditions.ts";
import { clusterServices, serviceCondition } from "./cluster-conditions.ts";
import { groupParts, removalWaves } from "./cluster-parts.ts";
import type { Part } from "./part.ts";
import type { ClusterPlace } from "./place.ts";
import { isOwned, tagOf } from "./resource-tags.ts";

/** Types of what a spec may stop to name, what uses others first. */
const leftoverTypes: readonly (readonly [ClusterService, ResourceType])[] = [
  ["PrivateEndpoints", resourceTypes.privateEndpoint],
  ["LoadBalancers", resourceTypes.loadBalancer],
  ["NATGateways", resourceTypes.natGateway],
  ["SecurityGroups", resourceTypes.securityGroup],
  ["RouteTables", resourceTypes.routeTable],
  ["PublicIPs", resourceTypes.publicIP],
];

const isOfType = ({ id }: AzureResource, type: string): boolean =>
  id.toLowerCase().includes(`/providers/${type.toLowerCase()}/`);

interface Found extends Part {
  readonly present: AzureResource;
}

const foundOf = async ({ api, call }: ClusterContext, all: readonly Part[]): Promise<readonly Found[]> => {
  const found = await Promise.all(all.map(async (part) => ({ ...part, present: await api.find(part.ref, call) })));
  return found.flatMap(({ present, ...part }) => (present === undefined ? [] : [{ ...part, present }]));
};

/** By the tags that it bears at this moment; peerings, which have none, are the cluster's by their name. */
const isOurs = ({ isOurs: isMade = () => true, present, tags }: Found, { clusterName }: ClusterPlace): boolean =>
  tags === undefined ? isMade(present) : isOwned(present, clusterName);

/**
 * What is to be deleted next: the last made first, and resource groups that were made for the Cluster as a whole, once nothing is left of it
 * outside of them.
 */
const nextToDelete = async (context: ClusterContext, place: ClusterPlace): Promise<readonly Found[]> => {
  const groups = await foundOf(context, groupParts(place));
  const ours = groups.filter((group) => isOurs(group, place));
  const goesAlong = ({ ref }: Part): boolean => ours.some((group) => isWithin(ref.id, group.ref.id));
  for (const wave of removalWaves(place)) {
    const found = await foundOf(
      context,
      wave.filter((part) => !goesAlong(part)),
    );
    const own = found.filter((part) => isOurs(part, place));
    if (own.length > 0) return own;
  }
  const left = await leftovers(
    context,
    groups.filter((group) => !ours.includes(group)),
  );
  return left.length > 0 ? left : ours;
};

/** What was made for the object and its spec does not name any more, in the groups of others: the first that nothing else uses. */
const leftovers = async (context: ClusterContext, groups: readonly Found[]): Promise<readonly Found[]> => {
  const { api, call, identity } = context;
  const { key, value } = identity.label;
  const lists = await Promise.all(groups.map(({ ref }) => api.list(`${ref.id}/resources`, ref.apiVersion, call)));
  const own = lists.flatMap((list) => list ?? []).filter((resource) => tagOf(resource, key) === value);
  for (const [service, { apiVersion, type }] of leftoverTypes) {
    const found = own.filter((resource) => isOfType(resource, type));
    if (found.length === 0) continue;
    const parts = found.map(({ id, tags }) => ({ service, ref: { id, type, apiVersion }, tags, body: () => ({}) }));
    return foundOf(context, parts);
  }
  return [];
};

/** What goes, and what has gone. */
const conditionsOf = (next: readonly Found[], conditions: readonly ConditionInput[]): readonly ConditionInput[] => [
  ...conditions,
  ...clusterServices.flatMap((service) => {
    const going = next.filter((part) => part.service === service);
    if (going.length === 0) return [];
    const failed = going.filter(({ present }) => provisioningStateOf(present) === "Failed");
    if (failed.length === 0) return [serviceCondition(service, "deleting")];
    const names = failed.map(({ ref }) => nameOfId(ref.id)).join(", ");
    return [serviceCondition(service, "deletionFailed", `Azure could not delete ${names}; it is tried again`)];
  }),
  serviceCondition("NetworkInfrastructure", "deleting"),
];

/** Services of which the conditions said that they were being deleted, and of which nothing is left. */
const deleted = ({ object }: ClusterContext, next: readonly Found[]): readonly ConditionInput[] =>
  clusterServices.flatMap((service) => {
    const before = object.status?.conditions?.find(({ type }) => type === `${service}Ready`)?.reason;
    const wasGoing = before === AzureReason.deleting || before === AzureReason.deletionFailed;
    return wasGoing && next.every((part) => part.service !== service) ? [serviceCondition(service, "deleted")] : [];
  });

/** An AzureCluster whose infrastructure is to go. */
export const observeClusterRemoval = async (context: ClusterContext): Promise<ClusterObservation> => {
  const { object, uses } = context;
  const next = await nextToDelete(context, placeIn(context));
  if (next.length === 0) {
    return uses.identities.isHeld(object)
      ? removing({ reason: AzureReason.releasingIdentity, step: "release identity", isLast: true })
      : absent();
  }
  const names = next.map(({ ref }) => nameOfId(ref.id)).join(", ");
  const conditions = conditionsOf(next, deleted(context, next));
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
