import { Refusal } from "@capstan/simulation";
import { refusal } from "../../arm/refusals.ts";
import { resourceId } from "../../resource-id.ts";
import type { OperationError, StoredOperation, StoredResource } from "../../state.ts";
import { preempted } from "../../operations/operations.ts";
import type { World } from "../../world.ts";
import { shortageOf } from "../allocation.ts";
import { startVm, stopVm, withoutSecrets } from "../start-vm.ts";
import { type Vm, type VmDisk, vmType } from "../../vm.ts";
import { makeCards } from "./instance-cards.ts";
import { type Instance, instanceType, isFlexible, membersOf, modelOf, type ScaleSet, skuOfSet } from "./scale-set.ts";

const goesWithIt = (disk: VmDisk): VmDisk => ({ ...disk, deleteOption: "Delete" });

/** Properties that a machine gets from the model of its scale set. The cloud assigns the names of disks. */
type MachineProfile = Omit<Vm, "networkProfile" | "osProfile"> & { readonly osProfile: NonNullable<Vm["osProfile"]> };

const profileOf = (set: StoredResource<ScaleSet>): MachineProfile => {
  const { virtualMachineProfile = {}, additionalCapabilities } = set.properties;
  const { storageProfile, osProfile, networkProfile: _, extensionProfile: __, ...rest } = virtualMachineProfile;
  const { computerNamePrefix: ___, ...system } = osProfile ?? {};
  const { osDisk = { createOption: "FromImage" }, dataDisks = [], ...storage } = storageProfile ?? {};
  return {
    ...rest,
    hardwareProfile: { vmSize: skuOfSet(set)?.name ?? "" },
    storageProfile: { ...storage, osDisk: goesWithIt(osDisk), dataDisks: dataDisks.map(goesWithIt) },
    osProfile: { allowExtensionOperations: true, ...system },
    ...(additionalCapabilities === undefined ? {} : { additionalCapabilities }),
  };
};

const prefixOf = (set: StoredResource<ScaleSet>): string =>
  set.properties.virtualMachineProfile?.osProfile?.computerNamePrefix ?? set.name;

/** The zone of the set with the fewest of its machines. */
const zoneFor = (set: StoredResource<ScaleSet>, world: World): readonly string[] => {
  const zones = (set.outer["zones"] ?? []) as readonly string[];
  const members = membersOf(set, world);
  const crowd = (zone: string): number =>
    members.filter(({ outer }) => (outer["zones"] as readonly string[] | undefined)?.[0] === zone).length;
  return zones.toSorted((a, b) => crowd(a) - crowd(b) || a.localeCompare(b)).slice(0, 1);
};

/** Number and names of the next instance. */
const nextPlace = (set: StoredResource<ScaleSet>, world: World) => {
  const number = set.properties.nextInstance ?? 0;
  set.properties = { ...set.properties, nextInstance: number + 1 };
  const suffix = number.toString(36).toUpperCase().padStart(6, "0");
  const computerName = `${prefixOf(set)}${suffix}`;
  if (!isFlexible(set)) {
    const id = `${set.id}/virtualMachines/${number}`;
    return { id, type: instanceType, name: `${set.name}_${number}`, computerName };
  }
  const name = `${set.name}_${Buffer.from(world.random.bytes(4)).toString("hex")}`;
  return { id: resourceId(world.subscriptionId, set.group, vmType, [name]), type: vmType, name, computerName };
};

const beginOn = (machine: StoredResource<Vm>, verb: "PUT" | "DELETE", world: World): StoredOperation => {
  const { id, location, group } = machine;
  return world.operations.begin({
    target: id,
    verb,
    form: "compute",
    location,
    group,
    ms: undefined,
    fault: undefined,
  });
};

const makeInstance = (set: StoredResource<ScaleSet>, world: World): void => {
  const { computerName, ...place } = nextPlace(set, world);
  const zones = zoneFor(set, world);
  const { osProfile, ...profile } = profileOf(set);
  const cards = set.properties.virtualMachineProfile?.networkProfile?.networkInterfaceConfigurations ?? [];
  const machine = {
    ...place,
    group: set.group,
    location: set.location,
    guid: world.newUuid(),
    created: world.clock.now(),
    tags: set.tags,
    revision: 1,
    state: "Creating",
    outer: {
      ...(zones.length === 0 ? {} : { zones }),
      ...(set.outer["plan"] === undefined ? {} : { plan: set.outer["plan"] }),
      ...(isFlexible(set) && set.outer["identity"] !== undefined ? { identity: set.outer["identity"] } : {}),
    },
    properties: {
      ...profile,
      osProfile: { ...osProfile, computerName },
      networkProfile: {},
      model: modelOf(set),
      ...(isFlexible(set)
        ? { virtualMachineScaleSet: { id: set.id } }
        : { networkProfileConfiguration: { networkInterfaceConfigurations: cards } }),
    },
    secrets: { customData: set.secrets?.["customData"], adminPassword: set.secrets?.["adminPassword"] },
  } as unknown as StoredResource<Instance>;
  const shortage = shortageOf(machine, world);
  if (shortage !== undefined) throw refusal(409, shortage.code, shortage.message);
  const { resources } = world.state;
  world.state.resources = [...resources, machine as unknown as StoredResource];
  try {
    const networkInterfaces = makeCards(machine, cards, world);
    machine.properties = { ...machine.properties, networkProfile: { networkInterfaces } };
  } catch (error) {
    world.state.resources = resources;
    throw error;
  }
  beginOn(machine, "PUT", world);
  startVm(machine, world);
};

/** Begins to take a machine away; its operation. */
export const removeMember = (machine: StoredResource<Vm>, world: World): StoredOperation => {
  const running = world.operations.running(machine.id);
  if (machine.state === "Deleting" && running !== undefined) return running;
  if (running !== undefined) world.operations.complete(running.id, preempted);
  machine.state = "Deleting";
  machine.revision += 1;
  const operation = beginOn(machine, "DELETE", world);
  if (!stopVm(machine, world)) world.operations.finishAfter(operation.id, world.delays.networkMs);
  return operation;
};

/** Machines in the order in which they leave when there are too many. */
const leavingFirst = (set: StoredResource<ScaleSet>, members: readonly StoredResource<Instance>[]) => {
  const [rule = "Default"] = set.properties.scaleInPolicy?.rules ?? [];
  const byAge = members.toSorted((a, b) => a.created - b.created);
  return rule === "OldestVM" ? byAge : byAge.toReversed();
};

/** Makes or removes machines until there are as many as the set says; the cause where that cannot be. */
export const scale = (set: StoredResource<ScaleSet>, world: World): OperationError | undefined => {
  const { capacity = 0 } = skuOfSet(set) ?? {};
  const members = membersOf(set, world).filter(({ state }) => state !== "Deleting");
  for (const member of leavingFirst(set, members).slice(0, Math.max(0, members.length - capacity))) {
    removeMember(member, world);
  }
  try {
    for (let count = members.length; count < capacity; count += 1) makeInstance(set, world);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { code: error.code ?? "AllocationFailed", message: error.message };
  }
  return undefined;
};

/** Installs the system of a machine again: its disk is empty, and its extensions run again. */
export const reimage = (machine: StoredResource<Vm>, world: World): void => {
  if (machine.machine === undefined || machine.state === "Deleting") return;
  for (const each of world.state.resources.filter(({ id }) => id.startsWith(`${machine.id}/extensions/`))) {
    world.remove(each);
  }
  machine.state = "Updating";
  beginOn(machine, "PUT", world);
  world.power.restart(machine as unknown as StoredResource, { keepDisk: false });
};

/** Gives a machine what the model says today: its system again where that has another image. */
export const upgrade = (set: StoredResource<ScaleSet>, machine: StoredResource<Instance>, world: World): void => {
  const { properties, secrets } = withoutSecrets(profileOf(set));
  const before = machine.properties;
  const { osDisk, dataDisks } = before.storageProfile;
  const isNewImage =
    JSON.stringify(before.storageProfile.imageReference) !== JSON.stringify(properties.storageProfile.imageReference);
  machine.properties = {
    ...before,
    ...properties,
    osProfile: { ...properties.osProfile, computerName: before.osProfile?.computerName ?? "" },
    storageProfile: { ...properties.storageProfile, osDisk, ...(dataDisks === undefined ? {} : { dataDisks }) },
    model: modelOf(set),
  };
  machine.secrets = { ...machine.secrets, ...secrets, customData: set.secrets?.["customData"] };
  machine.revision += 1;
  if (isNewImage) reimage(machine, world);
};
