import type { Writing } from "@capstan/kit/machine";
import { byText } from "@capstan/kube-values";
import { isJsonObject, type KubeObject } from "@capstan/schema";
import type { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import { applyTags } from "../cloud/apply-tags.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import type { Tags } from "../cluster/resource-tags.ts";
import { isOwned } from "../cluster/belonging.ts";
import { comparedTags, epochTags, tagOf } from "../cluster/resource-tags.ts";
import { findVm } from "./find-vm.ts";
import type { MachineContext, MachinePlan } from "./machine-plan.ts";
import { machinePlan, partTags } from "./machine-plan.ts";

/** On an AzureMachine: the additional tags that its virtual machine got last, as upstream keeps them. */
export const lastAppliedTags = "sigs.k8s.io/cluster-api-provider-azure-last-applied-tags-vm";

/** Tags that an annotation of an object keeps. */
export const tagsIn = ({ metadata }: KubeObject, annotation: string): Tags => {
  try {
    const applied: unknown = JSON.parse(metadata.annotations?.[annotation] ?? "{}");
    return isJsonObject(applied) ? (applied as Tags) : {};
  } catch {
    return {};
  }
};

interface TagChanges {
  /** That the machine lacks, or has with other values. */
  readonly missing: Tags;
  /** That were ours and are wanted no more. Those of others stay. */
  readonly dropped: Tags;
}

/** Tags that a machine got for its spec, which does not name them any more. */
export const droppedTags = (object: AzureMachine, wanted: Tags, vm: AzureResource): Tags => {
  const keys = new Set(Object.keys(wanted).map((key) => key.toLowerCase()));
  const dropped = Object.keys(tagsIn(object, lastAppliedTags)).flatMap((key) => {
    const value = tagOf(vm, key);
    return value === undefined || keys.has(key.toLowerCase()) ? [] : [[key, value] as const];
  });
  return Object.fromEntries(dropped);
};

const changesOf = (object: AzureMachine, plan: MachinePlan, vm: AzureResource): TagChanges => {
  const wanted = partTags(plan, plan.name);
  const missing = Object.entries(comparedTags(wanted)).filter(([key, value]) => tagOf(vm, key) !== value);
  return { missing: Object.fromEntries(missing), dropped: droppedTags(object, wanted, vm) };
};

/** Returns whether tags of a machine have to be changed; those of machines that others made are not. */
export const areTagsDue = (object: AzureMachine, plan: MachinePlan, vm: AzureResource): boolean => {
  if (!isOwned(vm, plan.place.claim)) return false;
  const { dropped, missing } = changesOf(object, plan, vm);
  return Object.keys({ ...missing, ...dropped }).length > 0;
};

/** Tags as an annotation keeps them. */
export const tagsText = (tags: Tags): string =>
  JSON.stringify(Object.fromEntries(Object.entries(tags).toSorted(([left], [right]) => byText(left, right))));

/** Returns the annotation that records the additional tags once all tags are up to date. */
export const appliedTags = ({ place }: MachinePlan): Readonly<Record<string, string>> => {
  return { [lastAppliedTags]: tagsText(place.tags.additional) };
};

/** Puts the installation's mark on a machine. */
export const markMachine = async (context: MachineContext & Writing): Promise<void> =>
  applyTags(context, machinePlan(context).vm.id, { merge: epochTags(context.identity) });

export const tagMachine = async (context: MachineContext & Writing): Promise<void> => {
  const { object } = context;
  const plan = machinePlan(context);
  const vm = await findVm(context, plan);
  if (vm === undefined || !areTagsDue(object, plan, vm)) return;
  const { dropped, missing } = changesOf(object, plan, vm);
  await applyTags(context, plan.vm.id, { merge: missing, remove: dropped });
};
