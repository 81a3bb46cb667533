import type { PoolBootstrap, PoolFacts, PoolMember, PoolObservation } from "@capstan/kit/machine-pool";
import { absent, failed, pending, present, removing } from "@capstan/kit/machine-pool";
import { isJsonObject } from "@capstan/schema";
import { AzureReason } from "../api/azure-conditions.ts";
import { isChanging, provisioningStateOf } from "../arm/operation.ts";
import { nameOfId, sameId } from "../arm/resource-id.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import { isOwned, tagOf } from "../cluster/resource-tags.ts";
import { serviceCondition } from "../cluster/cluster-conditions.ts";
import { providerIDOf } from "../machine/find-vm.ts";
import { refs } from "../cluster/place.ts";
import { dataTag, type PoolContext, type PoolPlan, poolPlan, templateTag } from "./pool-plan.ts";

const pollMs = 5000;

const capacityOf = (set: AzureResource): number => {
  const { sku } = set as { readonly sku?: unknown };
  const capacity = isJsonObject(sku) ? sku["capacity"] : undefined;
  return typeof capacity === "number" ? capacity : 0;
};

/** Machines of the scale set. Those of Flexible ones are virtual machines of their own. */
const instancesOf = async ({ api, call }: PoolContext, { set }: PoolPlan): Promise<readonly AzureResource[]> =>
  (await api.list(`${set.id}/virtualMachines`, set.apiVersion, call)) ?? [];

const idOf = ({ id }: AzureResource, { isFlexible, place }: PoolPlan): string =>
  isFlexible ? refs.virtualMachine(place, nameOfId(id)).id : id;

const instanceIDOf = (instance: AzureResource): string =>
  (instance as { readonly instanceId?: string }).instanceId ?? nameOfId(instance.id);

const createdAt = ({ properties }: AzureResource): number | undefined => {
  const at = Date.parse(String(properties?.["timeCreated"] ?? ""));
  return Number.isNaN(at) ? undefined : at;
};

const memberOf = (instance: AzureResource, plan: PoolPlan): PoolMember => {
  const instanceID = instanceIDOf(instance);
  const at = createdAt(instance);
  const id = nameOfId(instance.id)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, "-");
  return {
    name: plan.isFlexible ? id : `${plan.name}-${id}`,
    providerID: providerIDOf(idOf(instance, plan)),
    upToDate: tagOf(instance, templateTag) === plan.revision,
    leaving: provisioningStateOf(instance) === "Deleting",
    ...(at !== undefined && { createdAt: at }),
    spec: { instanceID },
  };
};

const statusOf = (instances: readonly AzureResource[], set: AzureResource, plan: PoolPlan, version = "") => ({
  provisioningState: provisioningStateOf(set),
  ...(version !== "" && { version }),
  instances: instances.map((instance) => ({
    instanceID: instanceIDOf(instance),
    instanceName: instance.name ?? "",
    providerID: providerIDOf(idOf(instance, plan)),
    provisioningState: provisioningStateOf(instance),
    latestModelApplied: tagOf(instance, templateTag) === plan.revision,
  })),
});

/** Whether the scale set is the object's: made for it, or known by its id since before it was moved here. */
const isOurs = ({ identity, object }: PoolContext, set: AzureResource): boolean =>
  tagOf(set, identity.label.key) === identity.label.value ||
  sameId(object.spec?.providerID?.replace(/^azure:\/\//, ""), set.id);

/** What was seen of a scale set and its machines. */
const factsOf = async (context: PoolContext, plan: PoolPlan, set: AzureResource): Promise<PoolFacts> => {
  const instances = await instancesOf(context, plan);
  return {
    handle: plan.set.id,
    capacity: capacityOf(set),
    members: instances.map((instance) => memberOf(instance, plan)),
    spec: { providerID: providerIDOf(plan.set.id) },
    status: statusOf(instances, set, plan, context.version),
  };
};

const setCondition = (state: "creating" | "updating" | "failed" | "deleting" | "ready", message = "") => ({
  ...serviceCondition("ScaleSet", state, message),
  type: "ScaleSetRunning",
});

/** An AzureMachinePool whose scale set is to be. */
export const observePool = async (context: PoolContext & PoolBootstrap): Promise<PoolObservation> => {
  const plan = poolPlan(context);
  const set = await context.api.find(plan.set, context.call);
  if (set === undefined) return absent({ conditions: [setCondition("creating")] });
  if (!isOurs(context, set)) {
    const message = `a scale set ${plan.name} of somebody else is in the resource group ${plan.place.spec.resourceGroup}; rename the MachinePool, or delete the other one`;
    return failed({ handle: plan.set.id, capacity: 0, members: [], reason: AzureReason.nameTaken, message });
  }
  const facts = await factsOf(context, plan, set);
  const state = provisioningStateOf(set);
  if (state === "Deleting") return removing({ ...facts, conditions: [setCondition("deleting")], pollMs });
  const { bootstrapDigest: digest } = context;
  const isCurrent =
    tagOf(set, templateTag) === plan.revision && (digest === undefined || tagOf(set, dataTag) === digest);
  if (isChanging(set)) {
    const phase = state === "Creating" ? "creating" : "updating";
    return pending({ ...facts, reason: state, conditions: [setCondition(phase)], pollMs });
  }
  const conditions = [setCondition(state === "Failed" ? "failed" : "ready")];
  return present({ ...facts, conditions, ...(!isCurrent && { step: "update" }) });
};

/** An AzureMachinePool whose scale set is to go. */
export const observePoolRemoval = async (context: PoolContext): Promise<PoolObservation> => {
  const plan = poolPlan(context);
  const { api, call, cluster } = context;
  const group = await api.find(refs.group(plan.place), call);
  const goesWhole = cluster.metadata.deletionTimestamp !== undefined && isOwned(group, plan.place.clusterName);
  if (group === undefined || goesWhole) return absent();
  const set = await api.find(plan.set, call);
  if (set === undefined || !isOurs(context, set)) return absent();
  const facts = await factsOf(context, plan, set);
  const conditions = [setCondition("deleting")];
  return provisioningStateOf(set) === "Deleting"
    ? removing({ ...facts, conditions, pollMs })
    : pending({ ...facts, conditions, reason: AzureReason.deleting });
};
