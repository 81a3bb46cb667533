import { conditionOf, valueAt } from "@capstan/contract/wire";
import { isRecordedCluster, wasProvisioned } from "@capstan/kit/machine";
import { MachineCondition } from "@capstan/kit/machines";
import type { KubeObject } from "@capstan/schema";
import { provisioningStateOf } from "../arm/operation.ts";
import { resourceIdOf, sameId } from "../arm/resource-id.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import { isOwned, otherOwner } from "../cluster/belonging.ts";
import { tagOf } from "../cluster/resource-tags.ts";
import type { MachineContext, MachinePlan } from "./machine-plan.ts";

/** Where the cloud provider in the cluster finds the machine: only the name of the group is in lower case. */
export const providerIDOf = (vmId: string): string =>
  `azure://${vmId.replace(/(\/resourceGroups\/)([^/]+)/i, (_, before: string, group: string) => `${before}${group.toLowerCase()}`)}`;

const instanceView = { $expand: "instanceView" };

/** Returns whether what every list shows is all that there is to know: such a machine says nothing of itself yet, or no more. */
const isOnItsWay = (vm: AzureResource): boolean => ["Creating", "Deleting"].includes(provisioningStateOf(vm));

/** The virtual machine of an object, with what it says of itself as soon as it says anything. */
export const findVm = async (
  { api, call, object }: MachineContext,
  { vm }: MachinePlan,
): Promise<AzureResource | undefined> => {
  if (object.status?.vmState !== "Succeeded") {
    const found = await api.find(vm, call);
    if (found === undefined || isOnItsWay(found)) return found;
  }
  return api.find(vm, call, instanceView);
};

/**
 * As `findVm`, as it is known while its Node is healthy: lists do not show that a machine was switched off. While it boots it is looked at
 * again and again, whatever wakes it, and some seconds are no matter.
 */
export const knownVm = async (context: MachineContext, plan: MachinePlan): Promise<AzureResource | undefined> => {
  const { api, call, machine, object } = context;
  const isHealthy = conditionOf(machine, MachineCondition.nodeHealthy)?.status === "True";
  if (isHealthy) return api.known(plan.vm, call, instanceView);
  const isBooting = object.status?.vmState === "Succeeded" && valueAt(machine, "status.nodeRef") === undefined;
  return isBooting ? api.recent(plan.vm, call, instanceView) : findVm(context, plan);
};

/**
 * Returns whether a machine or scale set is the object's: made for it, or known by its id since before it was moved here or since another
 * controller. One that its provider id names and that has no one's mark is its own only when it was ready with it before; users can write
 * the record of an AzureCluster, so by that nothing is theirs that has no one's mark.
 */
export const isOurs = (
  {
    identity,
    infraCluster,
    object,
  }: Pick<MachineContext, "identity" | "infraCluster"> & { readonly object: KubeObject },
  { place }: Pick<MachinePlan, "place">,
  found: AzureResource,
): boolean => {
  if (tagOf(found, identity.label.key) === identity.label.value) return true;
  if (otherOwner(found, place.claim) !== undefined) return false;
  const isRecorded = infraCluster !== undefined && isRecordedCluster(infraCluster);
  const wasOurs = !isRecorded && wasProvisioned(object);
  if (!isOwned(found, place.claim) && !wasOurs) return false;
  const providerID = valueAt(object, "spec.providerID");
  return typeof providerID === "string" && sameId(resourceIdOf(providerID), found.id);
};
