import type { Handled, MachineObservation } from "@capstan/kit/machine";
import { absent, isRecordedCluster, pending, removing } from "@capstan/kit/machine";
import { isChanging } from "../arm/operation.ts";
import { AzureReason } from "../api/azure-conditions.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import { nameOfId, sameId } from "../arm/resource-id.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import type { ClusterPlace } from "../cluster/place.ts";
import { refs } from "../cluster/place.ts";
import { applyTags } from "../cloud/apply-tags.ts";
import { isOwned, otherOwner } from "../cluster/belonging.ts";
import { tagOf } from "../cluster/resource-tags.ts";
import { othersAmong, resourcesIn } from "../cluster/shared-group.ts";
import { findVm, isOurs } from "./find-vm.ts";
import type { MachineContext, MachinePlan } from "./machine-plan.ts";
import { machinePlan, partTags } from "./machine-plan.ts";
import { vmCondition } from "./preparation.ts";

interface Found {
  readonly ref: ResourceRef;
  readonly present: AzureResource;
}

const foundOf = async ({ api, call }: MachineContext, all: readonly ResourceRef[]): Promise<readonly Found[]> => {
  const found = await Promise.all(all.map(async (ref) => ({ ref, present: await api.find(ref, call) })));
  return found.flatMap(({ present, ref }) => (present === undefined ? [] : [{ ref, present }]));
};

/** Returns whether the resource group goes as a whole with its Cluster, or is gone: then nothing has to be deleted one by one. */
export const groupGoes = async (
  { api, call, cluster, infraCluster }: Pick<MachineContext, "api" | "call" | "cluster" | "infraCluster">,
  place: ClusterPlace,
): Promise<boolean> => {
  const group = await api.find(refs.group(place), call);
  if (group === undefined) return true;
  // Without the AzureCluster no one deletes the group.
  if (infraCluster === undefined || isRecordedCluster(infraCluster)) return false;
  if (cluster.metadata.deletionTimestamp === undefined || !isOwned(group, place.claim)) return false;
  return othersAmong(await resourcesIn({ api, call }, refs.group(place)), place.claim).length === 0;
};

/** Parts that were made for the Cluster's machine of this name, and that no machine uses. */
const isPart = ({ place }: MachinePlan, { present }: Found): boolean =>
  (tagOf(present, place.tags.label.key) === place.tags.label.value || isOwned(present, place.claim)) &&
  present.properties?.["virtualMachine"] === undefined;

/** The machine that uses a disk. */
const userOf = ({ present }: Found): unknown => (present as { readonly managedBy?: unknown }).managedBy;

/**
 * Azure gives a disk the tags of the machine that it is made with. Where it has not, the disks of a machine get them before it goes: then
 * nothing else tells whose they are.
 */
const markDisks = async (context: MachineContext & Handled, plan: MachinePlan): Promise<void> => {
  for (const disk of await foundOf(context, plan.disks)) {
    const user = userOf(disk);
    if (typeof user !== "string" || !sameId(user, plan.vm.id) || isPart(plan, disk)) continue;
    if (otherOwner(disk.present, plan.place.claim) !== undefined) continue;
    await applyTags(context, disk.ref.id, { merge: partTags(plan, nameOfId(disk.ref.id)) });
  }
};

/** An availability set that no machine is in any more. */
const isEmptySet = ({ properties }: AzureResource): boolean => {
  const machines = properties?.["virtualMachines"];
  return !Array.isArray(machines) || machines.length === 0;
};

/**
 * Returns the resources to delete next: the virtual machine, then its interfaces and disks, then the resources that those used. Inbound NAT
 * rules have no tags.
 */
const nextToDelete = async (context: MachineContext, plan: MachinePlan): Promise<readonly Found[]> => {
  const vm = await findVm(context, plan);
  if (vm !== undefined && isOurs(context, plan, vm)) return [{ ref: plan.vm, present: vm }];
  if (vm !== undefined) return [];
  const own = await foundOf(
    context,
    plan.interfaces.map(({ ref }) => ref),
  );
  const disks = (await foundOf(context, plan.disks)).filter((found) => userOf(found) === undefined);
  const users = [...own, ...disks].filter((found) => isPart(plan, found));
  if (users.length > 0) return users;
  const rules = plan.natRule === undefined ? [] : await foundOf(context, [plan.natRule.ref]);
  const addresses = plan.publicIP === undefined ? [] : await foundOf(context, [plan.publicIP]);
  const sets = plan.availabilitySet === undefined ? [] : await foundOf(context, [plan.availabilitySet.ref]);
  return [
    ...rules,
    ...addresses.filter((found) => isPart(plan, found)),
    ...sets.filter(({ present }) => isOwned(present, plan.place.claim) && isEmptySet(present)),
  ];
};

/** An AzureMachine whose machine is to go. */
export const observeMachineRemoval = async (context: MachineContext): Promise<MachineObservation> => {
  const plan = machinePlan(context);
  if (await groupGoes(context, plan.place)) return absent();
  const next = await nextToDelete(context, plan);
  if (next.length === 0) return absent();
  const conditions = [vmCondition("deleting")];
  const tags = next.find(({ ref }) => ref.id === plan.vm.id)?.present.tags;
  const facts = { handle: plan.vm.id, status: { vmState: "Deleting" }, conditions, ...(tags && { tags }) };
  const names = next.map(({ ref }) => nameOfId(ref.id)).join(", ");
  if (next.every(({ present }) => isChanging(present))) {
    return removing({ ...facts, reason: AzureReason.deleting, message: `waiting for ${names}`, pollMs: 2000 });
  }
  return pending({ ...facts, reason: AzureReason.deleting, message: names });
};

/** Deletes what is next. All of it is tried, whatever fails. */
export const removeMachine = async (context: MachineContext & Handled): Promise<void> => {
  const { api, call, operations } = context;
  const plan = machinePlan(context);
  const failures: unknown[] = [];
  for (const { present, ref } of await nextToDelete(context, plan)) {
    if (isChanging(present)) continue;
    if (ref.id === plan.vm.id) await markDisks(context, plan);
    const query = ref.id === plan.vm.id ? { forceDeletion: "true" } : {};
    try {
      await operations.start(`delete ${nameOfId(ref.id)}`, () => api.remove(ref, call, query));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
};
