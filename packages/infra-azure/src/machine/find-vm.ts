import { conditionOf } from "@capstan/contract/wire";
import { MachineCondition } from "@capstan/kit/machines";
import { resourceIdOf, sameId } from "../arm/resource-id.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import { otherOwner } from "../cluster/belonging.ts";
import { tagOf } from "../cluster/resource-tags.ts";
import type { MachineContext, MachinePlan } from "./machine-plan.ts";

/** Where the cloud provider in the cluster finds the machine: only the name of the group is in lower case. */
export const providerIDOf = (vmId: string): string =>
  `azure://${vmId.replace(/(\/resourceGroups\/)([^/]+)/i, (_, before: string, group: string) => `${before}${group.toLowerCase()}`)}`;

const instanceView = { $expand: "instanceView" };

/** The virtual machine of an object, with what it says of itself. */
export const findVm = ({ api, call }: MachineContext, { vm }: MachinePlan): Promise<AzureResource | undefined> =>
  api.find(vm, call, instanceView);

/** As `findVm`, as it is known while its Node is healthy: lists do not show that a machine was switched off. */
export const knownVm = (
  { api, call, machine }: MachineContext,
  { vm }: MachinePlan,
): Promise<AzureResource | undefined> =>
  conditionOf(machine, MachineCondition.nodeHealthy)?.status === "True"
    ? api.known(vm, call, instanceView)
    : api.find(vm, call, instanceView);

/** Whether the machine is the object's: made for it, or known by its id since before it was moved here or since another controller. */
export const isOurs = ({ identity, object }: MachineContext, { place }: MachinePlan, vm: AzureResource): boolean => {
  if (tagOf(vm, identity.label.key) === identity.label.value) return true;
  if (otherOwner(vm, place.claim) !== undefined) return false;
  return sameId(resourceIdOf(object.spec?.providerID ?? ""), vm.id);
};
