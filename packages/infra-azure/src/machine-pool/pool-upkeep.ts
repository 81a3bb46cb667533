import type { ConditionInput } from "@capstan/contract/wire";
import type { Operations } from "@capstan/kit/engine";
import type { PoolBootstrap } from "@capstan/kit/machine";
import { applyTags } from "../cloud/apply-tags.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import type { TagChanges } from "../cluster/resource-tags.ts";
import { epochTags, tagChanges, tagOf } from "../cluster/resource-tags.ts";
import { missingIdentities } from "../machine/machine-identities.ts";
import { tagsIn, tagsText } from "../machine/machine-tags.ts";
import { giveRole, roleOf } from "../machine/role-assignment.ts";
import type { PoolContext, PoolPlan } from "./pool-plan.ts";
import { dataTag, poolPlan, resourceTagsOf, templateTag } from "./pool-plan.ts";
import { skuOfSet } from "./scale-set-body.ts";

/** On an AzureMachinePool: the additional tags that its scale set got last, as upstream keeps them. */
export const lastAppliedTags = "sigs.k8s.io/cluster-api-provider-azure-last-applied-tags-vmss";

const updateStep = "update";
const tagStep = "tag";
const roleStep = "assign role";

/** Findings about an existing scale set. */
interface Upkeep {
  readonly conditions: readonly ConditionInput[];
  readonly annotations: Readonly<Record<string, string>>;
  /** Step that is due next. */
  readonly step?: string;
}

const changesOf = (
  { object }: Pick<PoolContext, "object">,
  plan: PoolPlan,
  set: AzureResource,
): TagChanges | undefined => tagChanges(set, resourceTagsOf(plan), tagsIn(object, lastAppliedTags));

/** Returns whether machines are made from what the spec says, and get the present bootstrap data. */
const isCurrent = (digest: string | undefined, plan: PoolPlan, set: AzureResource): boolean =>
  tagOf(set, templateTag) === plan.revision &&
  (digest === undefined || tagOf(set, dataTag) === digest) &&
  skuOfSet(set).name?.toLowerCase() === plan.spec.vmSize.toLowerCase() &&
  missingIdentities(plan.spec, set).length === 0;

/**
 * Returns the findings about a scale set, with the next of the steps that are due, one at a time. Changes that others made are only
 * reverted in the profile that machines are made from.
 */
export const poolUpkeep = async (
  context: PoolContext & PoolBootstrap,
  plan: PoolPlan,
  set: AzureResource,
): Promise<Upkeep> => {
  const role = await roleOf(context, plan);
  const areTagsOld = changesOf(context, plan, set) !== undefined;
  const known = {
    conditions: role.conditions,
    annotations: areTagsOld ? {} : { [lastAppliedTags]: tagsText(plan.place.tags.additional) },
  };
  if (areTagsOld) return { ...known, step: tagStep };
  if (!isCurrent(context.bootstrapDigest, plan, set)) return { ...known, step: updateStep };
  return role.isDue ? { ...known, step: roleStep } : known;
};

/** Puts the installation's mark on a scale set. */
export const markPool = (context: PoolContext & { readonly operations: Operations }): Promise<void> =>
  applyTags(context, poolPlan(context).set.id, { merge: epochTags(context.identity) });

/** Starts changes without following them: their result shows in the scale set itself. */
const unfollowed: Operations = { start: async (_name, begin) => void (await begin()) };

const tagSet = async (context: PoolContext): Promise<void> => {
  const { api, call } = context;
  const plan = poolPlan(context);
  const set = await api.find(plan.set, call);
  await applyTags({ api, call, operations: unfollowed }, plan.set.id, (set && changesOf(context, plan, set)) ?? {});
};

const assignRole = async (context: PoolContext): Promise<void> => {
  const plan = poolPlan(context);
  await giveRole(context, plan, await context.api.find(plan.set, context.call));
};

/** The steps that put something about a scale set right, beside that which changes its model. */
export const poolUpkeepSteps = { [tagStep]: tagSet, [roleStep]: assignRole } as const;
