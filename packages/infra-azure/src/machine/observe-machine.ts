import type { MachineAddress, MachineFacts, MachineObservation } from "@capstan/kit/machine";
import { absent, failed, pending, present, removing, wasProvisioned } from "@capstan/kit/machine";
import { isChanging, provisioningStateOf } from "../arm/operation.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import { AzureFailure, AzureReason } from "../api/azure-conditions.ts";
import {
  bootstrapOfFailed,
  isFailedByExtension,
  isRunning,
  machineFailure,
} from "../bootstrap-check/failed-machine.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import { serviceCondition } from "../cluster/cluster-conditions.ts";
import { ownerOfTaken } from "../cluster/taken-name.ts";
import { isOurs, knownVm, providerIDOf } from "./find-vm.ts";
import { configurationsOf, ipOf, machineAddresses } from "./machine-addresses.ts";
import type { MachineContext, MachinePlan } from "./machine-plan.ts";
import { filledSubnet, machinePlan, subnetOf } from "./machine-plan.ts";
import { preparation, preparedConditions, vmCondition } from "./preparation.ts";
import { skuOf } from "../cloud/skus.ts";
import { sizeProblem } from "./size-check.ts";
import { balancedInterfaces, leaveBalancersStep } from "./leave-balancers.ts";
import { switchedOff } from "./switched-off.ts";
import { upkeepOf } from "./upkeep.ts";

/** Before anything is made: what cannot become a machine is said at once. */
const sizeRefusal = async ({ api, call }: MachineContext, { place, spec, vm, zone }: MachinePlan) => {
  const { azureEnvironment: environment, location } = place.spec;
  const problem = sizeProblem(skuOf(await api.skus(location, call), spec.vmSize), {
    environment,
    location,
    spec,
    zone,
  });
  if (problem === undefined) return undefined;
  const status = { failureReason: AzureReason.invalidConfiguration, failureMessage: problem };
  return failed({ handle: vm.id, reason: AzureReason.invalidConfiguration, message: problem, status });
};

const observeMissing = async (context: MachineContext, plan: MachinePlan): Promise<MachineObservation> => {
  const { providerID } = context.object.spec ?? {};
  if (providerID !== undefined) {
    const message = `the virtual machine ${plan.name} was deleted at Azure and is not recreated: delete the Machine`;
    const status = { vmState: AzureReason.deleted, failureReason: AzureFailure.update, failureMessage: message };
    return failed({
      handle: plan.vm.id,
      reason: AzureReason.vmDeleted,
      message,
      status,
      conditions: [vmCondition("failed", message)],
      ...((await balancedInterfaces(context, plan)).length > 0 && { step: leaveBalancersStep }),
    });
  }
  for (const card of plan.interfaces) subnetOf(context, plan, card);
  const refused = await sizeRefusal(context, plan);
  if (refused !== undefined) return refused;
  const { conditions, open } = await preparation(context, plan);
  return open ?? absent({ conditions: [...conditions, vmCondition("creating")] });
};

/** Addresses as they are now: once they are recorded, interfaces are only read again when a list shows that they changed. */
const addressesOf = async (
  { api, call, object }: MachineContext,
  { interfaces, name }: MachinePlan,
): Promise<{ readonly addresses?: readonly MachineAddress[] }> => {
  const isRecorded = (object.status?.addresses ?? []).length > 0;
  const look = (ref: ResourceRef) => (isRecorded ? api.known(ref, call) : api.find(ref, call));
  const cards = await Promise.all(interfaces.map(({ ref }) => look(ref)));
  // Someone takes the machine apart: what is known of it is the last that it had.
  if (isRecorded && cards.includes(undefined)) return {};
  const configurations = cards.flatMap((card) => (card === undefined ? [] : configurationsOf(card)));
  const ids = configurations.flatMap(({ publicIP }) => publicIP ?? []);
  const { apiVersion } = interfaces[0]!.ref;
  const type = "Microsoft.Network/publicIPAddresses";
  const found = await Promise.all(ids.map(async (id) => [id, ipOf(await look({ id, type, apiVersion }))] as const));
  const publicIPs = new Map(found.flatMap(([id, ip]) => (ip === undefined ? [] : [[id, ip] as const])));
  return { addresses: machineAddresses(name, configurations, publicIPs) };
};

const factsOf = (context: MachineContext, plan: MachinePlan, vm: AzureResource): MachineFacts => ({
  handle: plan.vm.id,
  providerID: providerIDOf(plan.vm.id),
  spec: { ...filledSubnet(context, plan) },
  ...(vm.zones?.[0] !== undefined && { failureDomain: vm.zones[0] }),
  ...(plan.spec.spotVMOptions !== undefined && { interruptible: true }),
  status: { vmState: provisioningStateOf(vm) },
});

/** When Azure began to make it, where it says so. */
const createdAt = ({ properties }: AzureResource): number | undefined => {
  const time = Date.parse(String(properties?.["timeCreated"]));
  return Number.isNaN(time) ? undefined : time;
};

/** While someone, for example an extension or a command, changes a machine that runs. */
const updatingPollMs = 10_000;

/** A machine that runs is of use although Azure calls it Updating, as it does for as long as an extension is installed or a command runs. */
const isUpdated = (vm: AzureResource): boolean => provisioningStateOf(vm) === "Updating" && isRunning(vm);

/** An AzureMachine whose machine is to be. */
export const observeMachine = async (context: MachineContext): Promise<MachineObservation> => {
  const plan = machinePlan(context);
  const vm = await knownVm(context, plan);
  if (vm === undefined) return observeMissing(context, plan);
  if (!isOurs(context, plan, vm)) {
    const owner = ownerOfTaken(context, { taken: vm, claim: plan.place.claim, what: `the VM ${plan.name}` });
    const message = `the resource group ${plan.place.spec.resourceGroup} already has a VM ${plan.name} owned by ${owner}; rename the Machine, or delete the other one`;
    return failed({ handle: plan.vm.id, reason: AzureReason.nameTaken, message });
  }
  const state = provisioningStateOf(vm);
  const facts = factsOf(context, plan, vm);
  if (state === "Deleting") return removing({ ...facts, conditions: [vmCondition("deleting")] });
  if (isChanging(vm) && !isUpdated(vm)) {
    const phase = state === "Creating" ? "creating" : "updating";
    const startedAt = state === "Creating" ? createdAt(vm) : undefined;
    const conditions = [vmCondition(phase)];
    return pending({
      ...facts,
      reason: state,
      conditions,
      pollMs: 2000,
      ...(startedAt !== undefined && { startedAt }),
    });
  }
  if (state !== "Succeeded" && !isUpdated(vm) && !isFailedByExtension(vm)) return observeFailed(context, vm, facts);
  const off = switchedOff(vm, facts);
  if (off !== undefined) return off;
  const { annotations, conditions, status, step } = await upkeepOf(context, plan, vm);
  const known = {
    ...facts,
    ...(await addressesOf(context, plan)),
    status: { ...facts.status, ...status },
    annotations,
    conditions: [...preparedConditions(plan), vmCondition("ready"), serviceCondition("Disks", "ready"), ...conditions],
  };
  // Azure takes no other change meanwhile.
  if (isUpdated(vm)) return present({ ...known, pollMs: updatingPollMs });
  return present({ ...known, tags: vm.tags ?? {}, ...(step !== undefined && { step }) });
};

/** One that ran before may recover by itself; one that never did is replaced by a health check. */
const observeFailed = (context: MachineContext, vm: AzureResource, facts: MachineFacts): MachineObservation => {
  const said = machineFailure(vm).message;
  const message = said === "" ? "Azure could not create the virtual machine" : said;
  const bootstrap = bootstrapOfFailed(vm);
  const ranBefore = wasProvisioned(context.object);
  const status = ranBefore
    ? facts.status
    : { ...facts.status, failureReason: AzureFailure.create, failureMessage: message };
  return failed({
    ...facts,
    ...(status && { status }),
    ...(bootstrap && { bootstrap }),
    reason: AzureReason.failed,
    message,
    conditions: [vmCondition("failed", message)],
  });
};
