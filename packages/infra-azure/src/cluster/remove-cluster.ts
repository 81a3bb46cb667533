import type { ConditionInput } from "@capstan/contract/wire";
import type { ClusterObservation, Handled } from "@capstan/kit/cluster";
import { absent, pending, removing } from "@capstan/kit/cluster";
import { logOwner, ownerKey, ownerText } from "@capstan/kit/engine";
import { isChanging, provisioningStateOf } from "../arm/operation.ts";
import { azureClusterConditions, AzureReason } from "../api/azure-conditions.ts";
import type { ResourceType } from "../arm/resource-id.ts";
import { isWithin, nameOfId, resourceTypes } from "../arm/resource-id.ts";
import { applyTags } from "../cloud/apply-tags.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import type { ClusterContext } from "./cluster-context.ts";
import { placeIn } from "./cluster-context.ts";
import { isOwned, otherOwner, wasGivenUpBy } from "./belonging.ts";
import type { ClusterService } from "./cluster-conditions.ts";
import { clusterServices, serviceCondition } from "./cluster-conditions.ts";
import { groupParts, removalWaves } from "./cluster-parts.ts";
import { giveUp, hasRecordedGroup, isWrittenOver, ownTags } from "./group-claims.ts";
import type { Part } from "./part.ts";
import { isOurs } from "./part.ts";
import type { ClusterPlace } from "./place.ts";
import type { Tags } from "./resource-tags.ts";
import { tagOf } from "./resource-tags.ts";
import { othersAmong, resourcesIn, whyItStays } from "./shared-group.ts";

/** Types of what a spec may stop to name, what uses others first. */
const leftoverTypes: readonly (readonly [ClusterService, ResourceType])[] = [
  ["ResourceGroup", resourceTypes.scaleSet],
  ["ResourceGroup", resourceTypes.virtualMachine],
  ["ResourceGroup", resourceTypes.networkInterface],
  ["ResourceGroup", resourceTypes.availabilitySet],
  ["PrivateEndpoints", resourceTypes.privateEndpoint],
  ["LoadBalancers", resourceTypes.loadBalancer],
  ["NATGateways", resourceTypes.natGateway],
  ["SecurityGroups", resourceTypes.securityGroup],
  ["RouteTables", resourceTypes.routeTable],
  ["PublicIPs", resourceTypes.publicIP],
];

const isOfType = ({ id }: AzureResource, type: string): boolean =>
  id.toLowerCase().includes(`/providers/${type.toLowerCase()}/`);

/** Takes the cluster's tags from groups that stay. */
export const releaseStep = "release resource group";

interface Found extends Part {
  readonly present: AzureResource;
}

const foundOf = async ({ api, call }: ClusterContext, all: readonly Part[]): Promise<readonly Found[]> => {
  const found = await Promise.all(all.map(async (part) => ({ ...part, present: await api.find(part.ref, call) })));
  return found.flatMap(({ present, ...part }) => (present === undefined ? [] : [{ ...part, present }]));
};

/** Resources to delete next, and resource groups that stay. */
interface Removal {
  /** To be deleted now. */
  readonly next: readonly Found[];
  /** Tags of the part that carries the installation's mark, while it exists. */
  readonly tags: Tags | undefined;
  /** Groups of the cluster in which others have something, and why they stay. */
  readonly staying: readonly {
    readonly group: Found;
    readonly why: string;
    readonly others: readonly AzureResource[];
  }[];
}

const isOwnGroup = async (context: ClusterContext, place: ClusterPlace, group: Found): Promise<boolean> => {
  const { present, ref } = group;
  if (isOurs(group, present, place)) return true;
  // What changed it in the moment it was given up may have been an earlier write of the cluster's own that had no answer.
  if (wasGivenUpBy(present, place.claim.owner)) return (await resourcesIn(context, ref)).length === 0;
  return isWrittenOver(context, place, { group: ref, present, isMadeHere: false });
};

/**
 * Returns the resources to delete next, last made first. Resource groups that were made for the Cluster are deleted as a whole, once
 * nothing of it is left outside them. A group in which others own something stays, and only the Cluster's own resources in it are deleted.
 */
const removalOf = async (context: ClusterContext, place: ClusterPlace): Promise<Removal> => {
  const groups = await foundOf(context, groupParts(place));
  const areOurs = await Promise.all(groups.map((group) => isOwnGroup(context, place, group)));
  const ours = groups.filter((_, index) => areOurs[index]);
  const shared = await Promise.all(
    ours.map(async (group) => ({ group, others: othersAmong(await resourcesIn(context, group.ref), place.claim) })),
  );
  const going = shared.filter(({ others }) => others.length === 0).map(({ group }) => group);
  const staying = shared
    .filter(({ others }) => others.length > 0)
    .map(({ group, others }) => ({ group, others, why: whyItStays(group.ref, others, place.claim) }));
  const goesAlong = ({ ref }: Part): boolean => going.some((group) => isWithin(ref.id, group.ref.id));
  const marked = ours[0]?.present;
  for (const wave of removalWaves(place)) {
    const found = await foundOf(
      context,
      wave.filter((part) => !goesAlong(part)),
    );
    const own = found.filter((part) => isOurs(part, part.present, place));
    if (own.length > 0) return { next: own, staying, tags: marked?.tags ?? own[0]?.present.tags };
  }
  const left = await leftovers(
    context,
    place,
    groups.filter((group) => !going.includes(group)),
  );
  return { next: left.length > 0 ? left : going, staying, tags: marked?.tags };
};

/**
 * Returns resources that were made for the object but are no longer in its spec, in groups that stay: those of the first type that nothing
 * else uses. They include parts of machines that were not deleted one by one, since their group was to be deleted as a whole.
 */
const leftovers = async (
  context: ClusterContext,
  { claim }: ClusterPlace,
  groups: readonly Found[],
): Promise<readonly Found[]> => {
  const { key, value } = context.identity.label;
  const mine = ownerText(claim.owner);
  const isLeft = (group: Found, each: AzureResource): boolean =>
    tagOf(each, key) === value || (isOwned(group.present, claim) && tagOf(each, ownerKey) === mine);
  const lists = await Promise.all(
    groups.map(async (group) => (await resourcesIn(context, group.ref)).filter((each) => isLeft(group, each))),
  );
  const own = lists.flat();
  for (const [service, { apiVersion, type }] of leftoverTypes) {
    const found = own.filter((resource) => isOfType(resource, type));
    if (found.length === 0) continue;
    const parts = found.map(({ id, tags }) => ({ service, ref: { id, type, apiVersion }, tags, body: () => ({}) }));
    return foundOf(context, parts);
  }
  return [];
};

/** Returns the conditions of the parts that are being deleted, after the given ones of parts that are gone. */
const conditionsOf = (next: readonly Found[], conditions: readonly ConditionInput[]): readonly ConditionInput[] => [
  ...conditions,
  ...clusterServices.flatMap((service) => {
    const going = next.filter((part) => part.service === service);
    if (going.length === 0) return [];
    const failed = going.filter(({ present }) => provisioningStateOf(present) === "Failed");
    if (failed.length === 0) return [serviceCondition(service, "deleting")];
    const names = failed.map(({ ref }) => nameOfId(ref.id)).join(", ");
    return [serviceCondition(service, "deletionFailed", `Azure could not delete ${names}; retrying`)];
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

/** That a group stays, and why. */
const stayConditions = (staying: Removal["staying"]): readonly ConditionInput[] =>
  staying.length === 0
    ? []
    : [
        {
          type: azureClusterConditions.ResourceGroup.type,
          status: "False",
          reason: AzureReason.groupStays,
          message: staying.map(({ why }) => why).join("; "),
          severity: "Info",
        },
      ];

/** A group that stays is no one's from then on, and goes with none of those who use it. */
export const releaseGroups = async (context: ClusterContext & Handled): Promise<void> => {
  const place = placeIn(context);
  for (const { group, others, why } of (await removalOf(context, place)).staying) {
    context.event({ type: "Warning", reason: AzureReason.groupStays, message: why });
    for (const owner of new Set(others.map((other) => otherOwner(other, place.claim)))) {
      logOwner(context, { owner, what: `the resource group ${nameOfId(group.ref.id)}` });
    }
    // Without a record, the mark may have come too late: then the group is another user's.
    if (hasRecordedGroup(context.object, group.ref)) {
      await applyTags(context, group.ref.id, { remove: ownTags(group.present, place) });
    } else await giveUp(context, place, group);
  }
};

/** An AzureCluster whose infrastructure is to go. */
export const observeClusterRemoval = async (context: ClusterContext): Promise<ClusterObservation> => {
  const { next, staying, tags } = await removalOf(context, placeIn(context));
  const marks = tags === undefined ? {} : { tags };
  if (next.length === 0 && staying.length > 0) {
    const message = staying.map(({ why }) => why).join("; ");
    return removing({
      reason: AzureReason.groupStays,
      message,
      step: releaseStep,
      ...marks,
      conditions: stayConditions(staying),
    });
  }
  if (next.length === 0) return absent();
  const names = next.map(({ ref }) => nameOfId(ref.id)).join(", ");
  const conditions = [...conditionsOf(next, deleted(context, next)), ...stayConditions(staying)];
  if (next.every(({ present }) => isChanging(present))) {
    return removing({
      ...marks,
      conditions,
      reason: AzureReason.deleting,
      message: `waiting for ${names} to be gone`,
      pollMs: 2000,
    });
  }
  return pending({ ...marks, conditions, reason: AzureReason.deleting, message: names });
};

/** Deletes what is next. All of it is tried, whatever fails. */
export const removeCluster = async (context: ClusterContext & Handled): Promise<void> => {
  const { api, call, operations } = context;
  const failures: unknown[] = [];
  for (const { present, ref } of (await removalOf(context, placeIn(context))).next) {
    if (isChanging(present)) continue;
    try {
      await operations.start(`delete ${nameOfId(ref.id)}`, () => api.remove(ref, call));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
};
