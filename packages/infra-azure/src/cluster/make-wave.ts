import { isCapstanError } from "@capstan/contract";
import type { Writing } from "@capstan/kit/cluster";
import type { OneByOne } from "@capstan/kit/engine";
import { throwForemost } from "../arm/arm-error.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import { nameOfId } from "../arm/resource-id.ts";
import { applyTags } from "../cloud/apply-tags.ts";
import type { ClusterService } from "./cluster-conditions.ts";
import type { ClusterContext } from "./cluster-context.ts";
import { placeIn } from "./cluster-context.ts";
import { groupParts } from "./cluster-parts.ts";
import { giveUp, lateClaims, seenGroup } from "./group-claims.ts";
import type { NewGroups } from "./new-groups.ts";
import type { Look, SeenPart } from "./part.ts";
import { hasOnlyTagsDue, isDue, seen } from "./part.ts";
import type { ClusterPlace } from "./place.ts";
import { refs } from "./place.ts";
import { survey } from "./survey.ts";

/** Azure changes one part of a network at a time. */
const oneByOne: ReadonlySet<ClusterService> = new Set(["Subnets", "VnetPeering"]);

/** Returns the parts of a wave that can be made at once. */
const atOnce = (due: readonly SeenPart[]): readonly SeenPart[] =>
  due.filter(
    ({ service }, index) => !oneByOne.has(service) || due.findIndex((part) => part.service === service) === index,
  );

type MakeContext = ClusterContext & Writing;

const make = async (context: MakeContext, part: SeenPart, groups: NewGroups): Promise<void> => {
  const { api, call, operations } = context;
  const { body, present, ref, tagChanges } = part;
  if (hasOnlyTagsDue(part)) return applyTags(context, ref.id, tagChanges ?? {});
  if (part.service === "ResourceGroup" && present === undefined) return makeGroup(context, part, groups);
  await operations.start(`make ${nameOfId(ref.id)}`, () => api.put(ref, body(present), call, { present }));
};

/** A group that was there when the write arrived is another's, whose mark is gone: the cluster's goes, too. */
const makeGroup = async (
  context: MakeContext,
  { body, ref, tags = {} }: SeenPart,
  groups: NewGroups,
): Promise<void> => {
  const { api, call, operations } = context;
  const place = placeIn(context);
  let wasMade = false;
  await operations.start(`make ${nameOfId(ref.id)}`, async () => {
    wasMade = await api.makeGroup(ref, body(undefined), call);
    return undefined;
  });
  if (wasMade) groups.made(ref, place.claim.owner);
  else await withdraw(context, place, { ref, present: { tags } }, groups);
};

const withdraw = async (
  context: MakeContext,
  place: ClusterPlace,
  group: Parameters<typeof giveUp>[2],
  groups: NewGroups,
): Promise<void> => {
  groups.givenUp(group.ref, context.clock.now());
  await giveUp(context, place, group);
};

const isGroup = ({ service }: SeenPart): boolean => service === "ResourceGroup";

/**
 * Returns the parts to make now, of the first wave that is not done; none while a part belongs to another owner, which the next look
 * reports.
 */
const dueIn = async (context: MakeContext, groups: NewGroups): Promise<readonly SeenPart[]> => {
  const { api, call } = context;
  const place = placeIn(context);
  const madeHere = (ref: ResourceRef): boolean => groups.wasMadeFor(ref, place.claim.owner);
  const { open = [], parts } = await survey(context, place, { look: (ref) => api.known(ref, call), madeHere });
  // What is written is as it is now, and so are the marks of its groups; what it stands on need not be.
  const look: Look = (ref) => api.find(ref, call);
  const [groupsNow, now] = await Promise.all([
    Promise.all(groupParts(place).map((part) => seenGroup(context, place, { look, madeHere, part }))),
    Promise.all(open.filter((part) => !isGroup(part)).map((part) => seen(part, { call, look, place }))),
  ]);
  if ([...groupsNow, ...now].some(({ owner }) => owner !== undefined)) return [];
  const all = [...groupsNow, ...parts.filter((part) => !isGroup(part)), ...now];
  const late = await lateClaims(context, place, { parts: all, madeHere });
  for (const { present = {}, ref } of late) await withdraw(context, place, { ref, present }, groups);
  if (late.length > 0) return [];
  const due = groupsNow.filter(isDue);
  return due.length > 0 ? due : atOnce(now.filter(isDue));
};

/** Makes what is due of the first wave that is not done: all of it is tried, whatever fails. */
const makeWave = async (context: MakeContext, groups: NewGroups): Promise<void> => {
  const failures: unknown[] = [];
  for (const part of await dueIn(context, groups)) {
    try {
      await make(context, part, groups);
    } catch (error) {
      failures.push(error);
      // Another user has just made it: of two that begin in one group, whoever has the first part has the rest.
      if (part.present === undefined && isCapstanError(error, "azure.changed")) break;
    }
  }
  throwForemost(failures);
};

/**
 * Makes waves one at a time in each resource group: of two clusters that begin in one at the same moment, the second looks once the first
 * has made its parts.
 */
export const inTurn =
  (turns: OneByOne, groups: NewGroups) =>
  (context: MakeContext): Promise<void> => {
    const group = refs.group(placeIn(context)).id.toLowerCase();
    return turns.run(group, () => makeWave(context, groups));
  };
