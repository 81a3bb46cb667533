import { LinodeReason } from "../api/linode-conditions.ts";
import { Group } from "@capstan/contract";
import { adopts, howToAdopt, marksIn, namedByIdReason, ownedByAnother, peers } from "@capstan/kit/engine";
import type { ControllerV1 } from "@capstan/contract/v1";
import type { MachineFacts, MachineObservation, MachineVerbContext } from "@capstan/kit/machine";
import { SecretResource } from "@capstan/contract/wire";
import {
  absent,
  failed,
  infraMachine,
  joinedNode,
  pending,
  present,
  removing,
  uploadedReport,
} from "@capstan/kit/machine";
import { parseLinodeTime } from "@capstan/linode-client";
import type { Instance } from "@capstan/linode-client";
import { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { LinodeObjectStorageKey } from "../api/linode-object-storage-key.v1alpha2.ts";
import { machineCredentials } from "./foreign-sources.ts";
import { keysOfStores } from "./keys-of-stores.ts";
import { holderOf } from "../resource/owner-tags.ts";
import { objectStoreRequest } from "./object-store-request.ts";
import type { Connect } from "../cloud/connections.ts";
import type { LinodeApi } from "../cloud/linode-api.ts";
import { linodeDefaults, type LinodeProviderOptions } from "../options.ts";
import { areAsListed, machineAddresses } from "./addresses.ts";
import { createInstance } from "./create-instance.ts";
import { factsOf, instanceIdOf, providerIDOf } from "./instance-facts.ts";
import { phaseOf, stateReason } from "./instance-state.ts";
import { configureStep, createDiskStep, labelDiskStep, preparation } from "./preparation.ts";
import { vlanAddresses } from "./interfaces.ts";
import { reserveAddress, reservedAddress } from "./vlan-address.ts";
import { doneUpTo, machineRemarks, referencesSeen } from "./preflight.ts";
import { referencesOf, requirementsOf, requirementUses } from "./requirements.ts";
import { machineStages } from "./stages.ts";
import { secretHoldNames } from "../resource/finalizers.ts";
import { firewallStep, tagStep, upkeep } from "./upkeep.ts";

/** Longest time from creation to running. */
const provisioningLimitMs = 20 * 60_000;

const uses = { ...requirementUses, machines: peers(LinodeMachine) };

type Context = MachineVerbContext<LinodeMachine, LinodeApi, LinodeCluster, typeof uses> & {
  readonly item: Instance | undefined;
};

/** Instances at Linode as Cluster API machines. */
export const linodeMachine = (connect: Connect, options: LinodeProviderOptions): ControllerV1 =>
  infraMachine({
    kind: LinodeMachine,
    clusterKind: LinodeCluster,
    finalizer: `linodemachine.${Group.infrastructure}`,
    oldFinalizers: [`${Group.infrastructure}/v1alpha2`],
    concurrency: options.machineConcurrency ?? 50,
    formats: ["cloud-config", "ignition"],
    credentialsRef: machineCredentials,
    clusterRecord: ({ spec: { credentialsRef, objectStore } }) => ({ spec: { credentialsRef, objectStore } }),
    connect: ({ credentials, object }) => connect(credentials, object),
    uses,
    holds: [{ kind: LinodeObjectStorageKey, of: keysOfStores }],
    holdNames: (held) =>
      held.kind === SecretResource.kind ? secretHoldNames(LinodeMachine, { shared: true }) : undefined,
    objectStore: ({ infraCluster }) => objectStoreRequest(infraCluster?.spec),
    report: { channels: [uploadedReport(), joinedNode()], byDefault: { wanted: options.bootstrapReport ?? false } },
    inventory: {
      list: ({ api, call }) => api.listInstances(call),
      tagsOf: ({ tags }) => tags,
      providerIDOf: ({ id }) => providerIDOf(id),
      removeLate: async ({ api, call, item }) => {
        if (phaseOf(item) !== "deleting") await api.deleteInstance(item.id, call);
      },
      pollMs: options.pollMs ?? linodeDefaults.pollMs,
      settledPollMs: options.settledPollMs ?? linodeDefaults.settledPollMs,
    },
    observe: (context) => observe(context, options),
    create: async (context) => createInstance(context, options),
    steps: {
      reserveAddress,
      createDisk: createDiskStep,
      configure: configureStep,
      labelDisk: labelDiskStep,
      boot,
      tag: tagStep,
      firewall: firewallStep,
    },
    stages: ({ object }) => machineStages(object),
    remarks: machineRemarks,
    making: ["create"],
    remove: ({ api, handle, call }) => api.deleteInstance(Number(handle), call),
  });

const observe = async (context: Context, options: LinodeProviderOptions): Promise<MachineObservation> => {
  const instance = context.item ?? (await byProviderID(context));
  if (instance === undefined) return notYet(context);
  const { identity, object } = context;
  const { ids, machines } = context.uses;
  const isOwnUnmarked = wasMadeByOthers(object) || adopts(object, ids);
  const holder = holderOf(instance.tags, { identity, kind: LinodeMachine.kind, peers: machines, isOwnUnmarked });
  if (holder.kind === "theirs") return strange(context, instance, holder.owner);
  if (holder.kind === "nobody") return nobodys(context, instance);
  const phase = phaseOf(instance);
  const facts = factsOf(instance, object);
  if (phase === "deleting") return removing(facts);
  if (object.metadata.deletionTimestamp !== undefined) {
    return pending({ ...facts, reason: stateReason(instance.status) });
  }
  return phaseObservation(context, instance, { ...facts, ...(await addresses(context, instance)) }, options);
};

/** An instance that the provider id names although it is another machine's. */
const strange = (context: Context, { id }: Instance, owner: string | undefined): MachineObservation => {
  if (context.object.metadata.deletionTimestamp !== undefined) return absent();
  const mend = "recreate this machine without spec.providerID";
  const taken = ownedByAnother(context, { what: `instance ${id} of spec.providerID`, owner, mend });
  return failed({ handle: String(id), ...taken });
};

/** Returns whether an older release, or upstream's controllers, had the machine running: they left no mark among the tags that the status records. */
const wasMadeByOthers = ({ status }: LinodeMachine): boolean =>
  (status?.ready === true || status?.initialization?.provisioned === true) && marksIn(status.tags ?? []).length === 0;

/** An instance that the provider id names and that has no owner. */
const nobodys = ({ object }: Context, { id }: Instance): MachineObservation => {
  if (object.metadata.deletionTimestamp !== undefined) return absent();
  const message = `instance ${id} of spec.providerID has no owner: it is not changed or deleted; recreate this machine without spec.providerID, or, to adopt the instance, ${howToAdopt}`;
  return failed({ handle: String(id), reason: namedByIdReason, message, pollMs: 60_000 });
};

/** It is made once what it refers to is there. */
const notYet = (context: Context): MachineObservation => {
  if (context.object.metadata.deletionTimestamp !== undefined) return absent();
  const outcome = requirementsOf(context);
  const conditions = [...doneUpTo("bootstrapData"), ...referencesSeen(referencesOf(context))];
  if ("waiting" in outcome) return absent({ ...outcome.waiting, conditions });
  const inVlan = context.infraCluster?.spec.network?.useVlan === true;
  const isReserved = !inVlan || reservedAddress(context.object) !== undefined;
  return absent({ conditions, ...(isReserved ? {} : { step: "reserveAddress" }) });
};

const phaseObservation = async (
  context: Context,
  instance: Instance,
  facts: MachineFacts,
  options: LinodeProviderOptions,
): Promise<MachineObservation> => {
  const { object, clock } = context;
  const phase = phaseOf(instance);
  const reason = stateReason(instance.status);
  if (phase === "running") {
    return present(await upkeep(context, instance, { ...facts, conditions: doneUpTo("ready") }, options));
  }
  if (phase === "stopped") {
    return failed({ ...facts, reason, message: `Linode reports the instance as ${instance.status}` });
  }
  const ranBefore = object.status?.ready === true || object.status?.initialization?.provisioned === true;
  if (ranBefore && phase === "offline") {
    return failed({ ...facts, reason, message: "the instance is switched off; boot it, or delete the Machine" });
  }
  const late = !ranBefore && clock.now() - parseLinodeTime(instance.created) > provisioningLimitMs;
  if (late) {
    return failed({
      ...facts,
      reason: LinodeReason.notRunningInTime,
      message: `the instance is still ${instance.status} after 20 min`,
    });
  }
  if (phase === "offline") return preparation(context, instance, facts);
  const conditions = doneUpTo(ranBefore ? "ready" : instance.status === "provisioning" ? "created" : "bootTriggered");
  return pending({ ...facts, conditions, reason, message: `the instance is ${instance.status}` });
};

/** Instances made before they had our tag, or before the object was moved here, are known by their id. */
const byProviderID = async ({ object, api, call }: Context): Promise<Instance | undefined> => {
  const id = instanceIdOf(object.spec.providerID);
  return id === undefined ? undefined : api.getInstance(id, call);
};

/** Addresses in VLANs, which the API does not report. */
const inVlans = (object: LinodeMachine): readonly string[] => {
  const reserved = reservedAddress(object);
  return [...(reserved === undefined ? [] : [reserved]), ...vlanAddresses(object.spec)];
};

/** Addresses are read again when a list shows others: one was added, swapped or removed. */
const addresses = async (
  { object, api, call }: Context,
  instance: Instance,
): Promise<Pick<MachineFacts, "addresses">> => {
  const { id } = instance;
  const { addresses: recorded = [] } = object.status ?? {};
  if (recorded.length > 0 && areAsListed(recorded, instance)) return {};
  return { addresses: machineAddresses(await api.addresses(id, call), inVlans(object)) };
};

const boot = ({ api, handle, call }: Context & { readonly handle: string }): Promise<void> =>
  api.boot(Number(handle), call);
