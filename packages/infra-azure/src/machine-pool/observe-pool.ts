import type { PoolBootstrap, PoolFacts, PoolMember, PoolObservation } from "@capstan/kit/machine";
import {
  absentPool as absent,
  failedPool as failed,
  pendingPool as pending,
  presentPool as present,
  removingPool as removing,
} from "@capstan/kit/machine";
import { isJsonObject } from "@capstan/schema";
import { AzureFailure, AzureReason } from "../api/azure-conditions.ts";
import { isChanging, provisioningStateOf } from "../arm/operation.ts";
import { nameOfId } from "../arm/resource-id.ts";
import { machineFailure } from "../bootstrap-check/failed-machine.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import { refs } from "../cluster/place.ts";
import { ownerOfTaken } from "../cluster/taken-name.ts";
import { tagOf } from "../cluster/resource-tags.ts";
import { isOurs, providerIDOf } from "../machine/find-vm.ts";
import { groupGoes } from "../machine/remove-machine.ts";
import { imageReference } from "../machine/image-reference.ts";
import { memberConditions, setCondition } from "./pool-conditions.ts";
import { cardsOf } from "./pool-model.ts";
import type { PoolContext, PoolPlan } from "./pool-plan.ts";
import { imageFacts, poolPlan, templateTag } from "./pool-plan.ts";
import { poolSizeProblem } from "./pool-size.ts";
import { poolUpkeep } from "./pool-upkeep.ts";
import { skuOfSet } from "./scale-set-body.ts";
import type { SetRetries } from "./set-retries.ts";

const pollMs = 5000;

/** Asks a scale set once more for the machines that it could not make. */
export const retryStep = "retry";

/** A plan, with the image of its machines. */
type SeenPlan = PoolPlan & { readonly image: Readonly<Record<string, unknown>> };

const idOf = ({ id }: AzureResource, { isFlexible, place }: PoolPlan): string =>
  isFlexible ? refs.virtualMachine(place, nameOfId(id)).id : id;

const instanceIDOf = (instance: AzureResource): string =>
  (instance as { readonly instanceId?: string }).instanceId ?? nameOfId(instance.id);

/** Returns whether a machine has the image that the present template names. What Azure adds to the reference is its own. */
const hasImage = ({ properties }: AzureResource, wanted: Readonly<Record<string, unknown>>): boolean => {
  const storage = properties?.["storageProfile"];
  const reference = isJsonObject(storage) ? storage["imageReference"] : undefined;
  if (!isJsonObject(reference)) return true;
  return Object.entries(wanted).every(
    ([key, value]) => String(reference[key] ?? "").toLowerCase() === String(value).toLowerCase(),
  );
};

/** Returns whether a machine is of the present template: it says so, and what is seen of it agrees. */
const isUpToDate = (instance: AzureResource, { image, revision, spec }: SeenPlan): boolean =>
  tagOf(instance, templateTag) === revision &&
  (skuOfSet(instance).name ?? spec.vmSize).toLowerCase() === spec.vmSize.toLowerCase() &&
  hasImage(instance, image);

const createdAt = ({ properties }: AzureResource): number | undefined => {
  const at = Date.parse(String(properties?.["timeCreated"] ?? ""));
  return Number.isNaN(at) ? undefined : at;
};

export const isDeleting = (instance: AzureResource): boolean => provisioningStateOf(instance) === "Deleting";

const memberOf = (instance: AzureResource, plan: SeenPlan): PoolMember => {
  const instanceID = instanceIDOf(instance);
  const at = createdAt(instance);
  const id = nameOfId(instance.id)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, "-");
  return {
    name: plan.isFlexible ? id : `${plan.name}-${id}`,
    providerID: providerIDOf(idOf(instance, plan)),
    upToDate: isUpToDate(instance, plan),
    leaving: isDeleting(instance),
    ...(at !== undefined && { createdAt: at }),
    spec: { instanceID },
  };
};

const statusOf = (instances: readonly AzureResource[], set: AzureResource, plan: SeenPlan, version = "") => ({
  provisioningState: provisioningStateOf(set),
  ...(version !== "" && { version }),
  instances: instances.map((instance) => ({
    instanceID: instanceIDOf(instance),
    instanceName: instance.name ?? "",
    providerID: providerIDOf(idOf(instance, plan)),
    provisioningState: provisioningStateOf(instance),
    latestModelApplied: isUpToDate(instance, plan),
  })),
});

const instanceView = { $expand: "instanceView" };

/** Machines of a Flexible set are virtual machines of their own, which the list of the set does not follow at once. */
const asTheyAre = async (
  { api, call }: PoolContext,
  { isFlexible, place }: PoolPlan,
  listed: readonly AzureResource[],
): Promise<readonly AzureResource[]> => {
  if (!isFlexible) return listed;
  const vms = await Promise.all(
    listed.map(({ id }) => api.known(refs.virtualMachine(place, nameOfId(id)), call, instanceView)),
  );
  return vms.flatMap((vm) => vm ?? []);
};

interface SeenSet {
  readonly set: AzureResource;
  readonly instances: readonly AzureResource[];
}

/** A scale set and its machines as they are known, or, where the one does not go with the others, as they are now. */
const lookAt = async (context: PoolContext, plan: PoolPlan): Promise<SeenSet | undefined> => {
  const { api, call } = context;
  const set = await api.known(plan.set, call);
  if (set === undefined) return undefined;
  const instances = await asTheyAre(context, plan, (await api.instances(plan.set, call)) ?? []);
  if (instances.length === skuOfSet(set).capacity && !instances.some(isDeleting)) return { set, instances };
  const now = await api.find(plan.set, call);
  const listed = (await api.list(`${plan.set.id}/virtualMachines`, plan.set.apiVersion, call)) ?? [];
  return now === undefined ? undefined : { set: now, instances: await asTheyAre(context, plan, listed) };
};

/** Returns the facts about a scale set and its machines. */
const factsOf = (context: PoolContext, plan: PoolPlan, { instances, set }: SeenSet): PoolFacts => {
  const { version } = context;
  const { image, osDisk } = plan.spec;
  const seen = { ...plan, image: imageReference(image, { ...imageFacts(context), osType: osDisk.osType }) };
  return {
    handle: plan.set.id,
    // What Azure deletes it no longer counts.
    capacity: skuOfSet(set).capacity + instances.filter(isDeleting).length,
    members: instances.map((instance) => memberOf(instance, seen)),
    spec: { providerID: providerIDOf(plan.set.id) },
    status: {
      ...statusOf(instances, set, seen, version),
      ...(image !== undefined && { image }),
      failureReason: null,
      failureMessage: null,
    },
  };
};

const refused = (plan: PoolPlan, reason: string, message: string): PoolObservation =>
  failed({
    handle: plan.set.id,
    capacity: 0,
    members: [],
    reason,
    message,
    conditions: [setCondition("failed", message)],
    status: { failureReason: reason, failureMessage: message },
  });

const observeMissing = async (context: PoolContext, plan: PoolPlan): Promise<PoolObservation> => {
  cardsOf(context, plan, undefined);
  const { location } = plan.place.spec;
  const problem = poolSizeProblem(await context.api.skus(location, context.call), plan);
  return problem === undefined
    ? absent({ conditions: [setCondition("creating")] })
    : refused(plan, AzureReason.invalidConfiguration, problem);
};

/** One that could not make all of its machines: what Azure says of it, and another try after a while. */
const observeFailed = async (
  { api, call, clock, identity }: PoolContext,
  facts: PoolFacts,
  { plan, retries }: { readonly plan: PoolPlan; readonly retries: SetRetries },
): Promise<PoolObservation> => {
  const waitMs = retries.waitMs(identity.uid, clock.now());
  if (waitMs === 0) return present({ ...facts, conditions: [setCondition("updating")], step: retryStep });
  const { code, message: said } = machineFailure({
    id: plan.set.id,
    properties: { instanceView: await api.instanceView(plan.set, call) },
  });
  const cause = [code, said].filter((text) => text !== "").join(": ");
  const message = `Azure has created ${facts.members.length} of ${facts.capacity} machines${cause === "" ? "" : `: ${cause}`}; retrying every five minutes`;
  const status = { ...facts.status, failureReason: AzureFailure.create, failureMessage: message };
  const conditions = [...(facts.conditions ?? []), setCondition("failed", message)];
  return failed({ ...facts, status, conditions, reason: AzureReason.failed, message, pollMs: waitMs });
};

/** An AzureMachinePool whose scale set is to be. */
export const observePool = async (
  context: PoolContext & PoolBootstrap,
  retries: SetRetries,
): Promise<PoolObservation> => {
  const plan = poolPlan(context);
  const { identity, replicas } = context;
  const found = await lookAt(context, plan);
  if (found === undefined) return observeMissing(context, plan);
  const { set } = found;
  if (!isOurs(context, plan, set)) {
    const owner = ownerOfTaken(context, { taken: set, claim: plan.place.claim, what: `the scale set ${plan.name}` });
    const message = `the resource group ${plan.place.spec.resourceGroup} already has a scale set ${plan.name} owned by ${owner}; rename the AzureMachinePool, or delete the other one`;
    return refused(plan, AzureReason.nameTaken, message);
  }
  const seen = factsOf(context, plan, found);
  const state = provisioningStateOf(set);
  if (state === "Deleting") return removing({ ...seen, conditions: [setCondition("deleting")], pollMs });
  const { annotations, conditions, step } = await poolUpkeep(context, plan, set);
  const facts = { ...seen, annotations, conditions: [...conditions, ...memberConditions(seen, replicas)] };
  if (state === "Failed" && seen.members.length < seen.capacity) {
    return observeFailed(context, facts, { plan, retries });
  }
  if (!isChanging(set)) retries.forget(identity.uid);
  if (state === "Creating") {
    return pending({ ...facts, conditions: [...facts.conditions, setCondition("creating")], reason: state, pollMs });
  }
  if (isChanging(set) && step !== undefined) {
    return pending({ ...facts, conditions: [...facts.conditions, setCondition("updating")], reason: state, pollMs });
  }
  // Its machines are of use while Azure gets it more of them, or other data.
  if (isChanging(set)) return present({ ...facts, conditions: [...facts.conditions, setCondition("ready")], pollMs });
  const known = { ...facts, tags: set.tags ?? {}, conditions: [...facts.conditions, setCondition("ready")] };
  return present({ ...known, ...(step !== undefined && { step }) });
};

/** An AzureMachinePool whose scale set is to go. */
export const observePoolRemoval = async (context: PoolContext): Promise<PoolObservation> => {
  const plan = poolPlan(context);
  const { api, call } = context;
  if (await groupGoes(context, plan.place)) return absent();
  const set = await api.find(plan.set, call);
  if (set === undefined || !isOurs(context, plan, set)) return absent();
  const facts = { handle: plan.set.id, capacity: skuOfSet(set).capacity, members: [], tags: set.tags ?? {} };
  const conditions = [setCondition("deleting")];
  return provisioningStateOf(set) === "Deleting"
    ? removing({ ...facts, conditions, pollMs })
    : pending({ ...facts, conditions, reason: AzureReason.deleting });
};
