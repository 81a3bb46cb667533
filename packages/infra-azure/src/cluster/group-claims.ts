import { conditionOf } from "@capstan/contract/wire";
import type { ConditionInput } from "@capstan/contract/wire";
import type { Writing } from "@capstan/kit/cluster";
import { ownedCondition, ownerIn, ownerKey } from "@capstan/kit/engine";
import { isChanging } from "../arm/operation.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import { nameOfId } from "../arm/resource-id.ts";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { applyTags } from "../cloud/apply-tags.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import { givenUpBy, isOwned } from "./belonging.ts";
import type { ClusterContext } from "./cluster-context.ts";
import type { Look, Part, SeenPart } from "./part.ts";
import { seen } from "./part.ts";
import type { ClusterPlace } from "./place.ts";
import { hasClusterTag, tagChanges, tagOf, uidKey } from "./resource-tags.ts";
import { othersAmong, resourcesIn } from "./shared-group.ts";

/*
 * Resource groups have no etags, and a PUT replaces their tags, however late it arrives. So the mark on a group is not all that says whose it
 * is: whoever made it has recorded that in the status, and what is inside has marks that no one writes over.
 */

const isGroup = ({ service }: Pick<Part, "service">): boolean => service === "ResourceGroup";

const what = ({ id }: ResourceRef): string => `resource group ${nameOfId(id)}`;

const recordOf = (object: AzureCluster): readonly string[] => {
  const condition = conditionOf(object, "Owned", "v1beta1");
  return condition?.status === "True" ? (condition.message ?? "").split(", ") : [];
};

/** Returns whether the status, which users do not write, says that a resource group was made for the AzureCluster. */
export const hasRecordedGroup = (object: AzureCluster, group: ResourceRef): boolean =>
  recordOf(object).includes(what(group));

/** Returns whether something of the cluster is there beside its resource groups. */
const hasBegun = (parts: readonly SeenPart[], { claim }: ClusterPlace): boolean =>
  parts.some((part) => !isGroup(part) && isOwned(part.present, claim));

interface Found {
  readonly parts: readonly SeenPart[];
  /** Returns whether this process was told by Azure that it made a group for the cluster. */
  readonly madeHere: (group: ResourceRef) => boolean;
}

const isProven = (object: AzureCluster, place: ClusterPlace, { madeHere, parts }: Found, group: ResourceRef): boolean =>
  madeHere(group) || hasRecordedGroup(object, group) || hasBegun(parts, place);

/** Returns the condition that records which resource groups were made for the cluster. */
export const groupRecord = (object: AzureCluster, place: ClusterPlace, found: Found): readonly ConditionInput[] => {
  const groups = found.parts.filter(isGroup);
  const own = groups.filter(({ present, ref }) => isOwned(present, place.claim) && isProven(object, place, found, ref));
  const names = own.map(({ ref }) => what(ref)).join(", ");
  const field = "spec.resourceGroup";
  if (names !== "") return [ownedCondition({ what: names, field }, true)];
  // Someone who wants to keep a group takes its mark away.
  const isFreed = groups.every(({ present }) => present !== undefined && tagOf(present, ownerKey) === undefined);
  const before = recordOf(object).join(", ");
  return before !== "" && isFreed ? [ownedCondition({ what: before, field }, false)] : [];
};

interface GroupAsked {
  readonly group: ResourceRef;
  readonly present: AzureResource;
  /** True if this process was told by Azure that it made the group for the cluster. */
  readonly isMadeHere: boolean;
}

/**
 * Returns whether a group that has another user's mark was made for the cluster all the same: it was recorded, the cluster's things are in it, and
 * nothing of who has written over the mark. One that has no mark was freed by someone.
 */
export const isWrittenOver = async (
  context: ClusterContext,
  { claim }: ClusterPlace,
  { group, isMadeHere, present }: GroupAsked,
): Promise<boolean> => {
  const mark = tagOf(present, ownerKey);
  if (mark === undefined || isOwned(present, claim)) return false;
  if (!isMadeHere && !hasRecordedGroup(context.object, group)) return false;
  const inside = await resourcesIn(context, group);
  if (ownerIn(mark) !== undefined && inside.some((each) => tagOf(each, ownerKey) === mark)) return false;
  if (inside.length === 0) return isMadeHere || isChanging(present);
  return inside.some((each) => isOwned(each, claim));
};

/** Reads a resource group as a part. If the mark of the cluster's group was overwritten, its tags are due to change. */
export const seenGroup = async (
  context: ClusterContext,
  place: ClusterPlace,
  { look, madeHere, part }: { readonly part: Part; readonly look: Look; readonly madeHere: Found["madeHere"] },
): Promise<SeenPart> => {
  const found = await seen(part, { call: context.call, look, place });
  const { present, ref } = found;
  if (present === undefined || isChanging(present)) return found;
  const asked = { group: ref, present, isMadeHere: madeHere(ref) };
  if (!(await isWrittenOver(context, place, asked))) return found;
  const { owner: _, ...rest } = found;
  const changes = tagChanges(present, part.tags ?? {}, place.lastApplied.tags);
  return { ...rest, state: "updating", tagChanges: changes };
};

/**
 * The groups that bear the cluster's mark without being its own, because a write that came too late put it there: others have something in
 * them, the cluster has not, and nothing says that it made them.
 */
export const lateClaims = async (
  context: ClusterContext,
  place: ClusterPlace,
  found: Found,
): Promise<readonly SeenPart[]> => {
  const unproven = found.parts.filter(
    (part) => isGroup(part) && isOwned(part.present, place.claim) && !isProven(context.object, place, found, part.ref),
  );
  const isOfOthers = await Promise.all(
    unproven.map(async ({ ref }) => othersAmong(await resourcesIn(context, ref), place.claim).length > 0),
  );
  return unproven.filter((_, index) => isOfOthers[index]);
};

/** The tags by which a resource is the cluster's. */
export const ownTags = ({ tags = {} }: Pick<AzureResource, "tags">, { claim: { clusterName } }: ClusterPlace) =>
  Object.fromEntries(
    Object.entries(tags).filter(
      ([key, value]) =>
        [ownerKey, uidKey].includes(key.toLowerCase()) || hasClusterTag({ tags: { [key]: value } }, clusterName),
    ),
  );

/** Takes the cluster's mark from a group that is not its own. Whoever has recorded that it is theirs marks it again. */
export const giveUp = async (
  context: ClusterContext & Writing,
  place: ClusterPlace,
  { present, ref }: { readonly ref: ResourceRef; readonly present: Pick<AzureResource, "tags"> },
): Promise<void> => {
  const remove = Object.fromEntries(
    Object.entries(ownTags(present, place)).filter(([key]) => key.toLowerCase() !== ownerKey),
  );
  await applyTags(context, ref.id, { merge: givenUpBy(place.claim.owner), remove });
};
