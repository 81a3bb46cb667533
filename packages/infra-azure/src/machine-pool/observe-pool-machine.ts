import { conditionOf, machine as machineFields } from "@capstan/contract/wire";
import type { MachineAddress, MachineFacts, MachineObservation, MachineVerbContext } from "@capstan/kit/machine";
import {
  absent,
  failed,
  internalDNS,
  internalIP,
  pending,
  present,
  removing,
  wasProvisioned,
} from "@capstan/kit/machine";
import { MachineCondition } from "@capstan/kit/machines";
import { isJsonObject } from "@capstan/schema";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { AzureFailure, AzureReason } from "../api/azure-conditions.ts";
import type { AzureMachinePoolMachine } from "../api/azure-machine-pool-machine.v1beta1.ts";
import { isChanging, provisioningStateOf } from "../arm/operation.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import { interfaceRef, resourceIdOf, resourceTypes, scaleSetIdOf, virtualMachineRef } from "../arm/resource-id.ts";
import {
  bootstrapOfFailed,
  isFailedByExtension,
  isRunning,
  machineFailure,
} from "../bootstrap-check/failed-machine.ts";
import { hasExtensions, instanceBootstrap, instanceExtensions } from "../bootstrap-check/instance-extensions.ts";
import type { AzureApi, AzureResource } from "../cloud/azure-api.ts";
import { isOwned } from "../cluster/belonging.ts";
import { placeOf } from "../cluster/place.ts";
import { tagOf } from "../cluster/resource-tags.ts";
import { configurationsOf } from "../machine/machine-addresses.ts";
import type { MachineUses } from "../machine/machine-plan.ts";
import { clusterOf } from "../machine/machine-plan.ts";
import { vmCondition } from "../machine/preparation.ts";
import { groupGoes } from "../machine/remove-machine.ts";
import { switchedOff } from "../machine/switched-off.ts";
import { templateTag } from "./pool-plan.ts";

export type PoolMachineContext = MachineVerbContext<AzureMachinePoolMachine, AzureApi, AzureCluster, MachineUses>;

const pollMs = 5000;
const instanceView = { $expand: "instanceView" };

const idOf = ({ spec }: AzureMachinePoolMachine): string => resourceIdOf(spec?.providerID ?? "");

/** The machine of an object: an instance of its scale set, or a virtual machine of its own. */
export const machineRef = (object: AzureMachinePoolMachine): ResourceRef => virtualMachineRef(idOf(object));

/** As it is, or, while its Node is healthy, as it is known: lists do not show that a machine was switched off. */
const look = ({ api, call, machine, object }: PoolMachineContext): Promise<AzureResource | undefined> => {
  const ref = machineRef(object);
  return conditionOf(machine, MachineCondition.nodeHealthy)?.status === "True"
    ? api.known(ref, call, instanceView)
    : api.find(ref, call, instanceView);
};

const textIn = (value: unknown, field: string): string | undefined => {
  const text = isJsonObject(value) ? value[field] : undefined;
  return typeof text === "string" ? text : undefined;
};

/** Addresses are read once: they do not change during a machine's life. */
const addressesOf = async (
  { api, call, object }: PoolMachineContext,
  { properties }: AzureResource,
): Promise<{ readonly addresses?: readonly MachineAddress[] }> => {
  const name = textIn(properties?.["osProfile"], "computerName");
  if ((object.status?.addresses ?? []).length > 0 || name === undefined) return {};
  const profile = properties?.["networkProfile"];
  const listed = isJsonObject(profile) ? profile["networkInterfaces"] : undefined;
  const ids = (Array.isArray(listed) ? listed : []).flatMap((card: unknown) => textIn(card, "id") ?? []);
  const cards = await Promise.all(ids.map((id) => api.find(interfaceRef(id), call)));
  const ips = cards
    .flatMap((card) => (card === undefined ? [] : configurationsOf(card)))
    .flatMap(({ privateIP }) => privateIP ?? []);
  return { addresses: [internalDNS(name.toLowerCase()), ...ips.map(internalIP)] };
};

const scaleSetOf = async (
  { api, call, object }: PoolMachineContext,
  found: AzureResource,
): Promise<AzureResource | undefined> => {
  const id = scaleSetIdOf(idOf(object)) ?? textIn(found.properties?.["virtualMachineScaleSet"], "id");
  return id === undefined ? undefined : api.known({ ...resourceTypes.scaleSet, id }, call);
};

/** Returns whether it was made from what its scale set makes machines from today. */
const isLatest = async (context: PoolMachineContext, found: AzureResource): Promise<boolean> => {
  const set = await scaleSetOf(context, found);
  return set !== undefined && tagOf(set, templateTag) === tagOf(found, templateTag);
};

const factsOf = async (context: PoolMachineContext, found: AzureResource): Promise<MachineFacts> => {
  const { machine, object, version } = context;
  const node = machineFields.nodeName.get(machine);
  const bootstrap = instanceBootstrap(found);
  return {
    handle: machineRef(object).id,
    providerID: object.spec?.providerID ?? "",
    ...(found.zones?.[0] !== undefined && { failureDomain: found.zones[0] }),
    ...(found.properties?.["priority"] === "Spot" && { interruptible: true }),
    ...(bootstrap !== undefined && { bootstrap }),
    status: {
      provisioningState: provisioningStateOf(found),
      instanceName: found.name ?? "",
      latestModelApplied: await isLatest(context, found),
      ...(version !== undefined && { version }),
      ...(node !== undefined && { nodeRef: { apiVersion: "v1", kind: "Node", name: node } }),
    },
  };
};

/** A machine that runs is of use although Azure continues with it: an extension is installed or a command runs. */
const isOfUse = (found: AzureResource): boolean => {
  const state = provisioningStateOf(found);
  return isRunning(found) && (state === "Updating" || (state === "Creating" && hasExtensions(found)));
};

/** One that Azure could not make, or could not keep. Its scale set does not make it again: its Machine has to be deleted. */
const observeFailed = (
  { object }: PoolMachineContext,
  found: AzureResource,
  facts: MachineFacts,
): MachineObservation => {
  const { code, message: said } = machineFailure(found);
  const cause = [code, said].filter((text) => text !== "").join(": ");
  const message = `Azure could not create the virtual machine${cause === "" ? "" : `: ${cause}`}; delete the Machine to have it replaced`;
  const bootstrap = facts.bootstrap ?? bootstrapOfFailed(found);
  const failure = { failureReason: AzureFailure.create, failureMessage: message };
  return failed({
    ...facts,
    ...(bootstrap !== undefined && { bootstrap }),
    status: { ...facts.status, ...(wasProvisioned(object) ? {} : failure) },
    reason: AzureReason.failed,
    message,
    conditions: [vmCondition("failed", message)],
  });
};

/** A machine of a scale set that is to be. */
export const observePoolMachine = async (context: PoolMachineContext): Promise<MachineObservation> => {
  const found = await look(context);
  if (found === undefined) return absent();
  const facts = await factsOf(context, found);
  const state = provisioningStateOf(found);
  if (state === "Deleting") return removing({ ...facts, conditions: [vmCondition("deleting")], pollMs });
  if (isChanging(found) && !isOfUse(found)) {
    const phase = state === "Creating" ? "creating" : "updating";
    return pending({ ...facts, reason: state, conditions: [vmCondition(phase)], pollMs });
  }
  if (state !== "Succeeded" && !isOfUse(found) && !isFailedByExtension(found)) {
    return observeFailed(context, found, facts);
  }
  const off = switchedOff(found, facts);
  if (off !== undefined) return off;
  const known = {
    ...facts,
    ...(await addressesOf(context, found)),
    conditions: [vmCondition("ready"), ...instanceExtensions(found)],
  };
  return present(isChanging(found) ? { ...known, pollMs } : known);
};

/**
 * A machine of a scale set that is to go. It goes with its resource group where that goes as a whole. One that only the provider id names,
 * and that was not made for this cluster, stays.
 */
export const observePoolMachineRemoval = async (context: PoolMachineContext): Promise<MachineObservation> => {
  const { api, call, cluster, identity, object } = context;
  const place = placeOf({ object: clusterOf(context), cluster, identity, subscription: api.subscription });
  if (await groupGoes(context, place)) return absent();
  const ref = machineRef(object);
  const found = await api.find(ref, call);
  if (found === undefined) return absent();
  if (!isOwned(found, place.claim) && !isOwned(await scaleSetOf(context, found), place.claim)) return absent();
  const facts = { handle: ref.id, conditions: [vmCondition("deleting")], status: { provisioningState: "Deleting" } };
  return provisioningStateOf(found) === "Deleting"
    ? removing({ ...facts, pollMs })
    : pending({ ...facts, reason: AzureReason.deleting });
};
