import { integer, object, text } from "@capstan/simulation";
import { refusal } from "../arm/refusals.ts";
import { resourceId, same } from "../resource-id.ts";
import { checkZones } from "../network/network-kind.ts";
import { resourceById } from "../resources/find.ts";
import { referencesOf, referrers } from "../resources/references.ts";
import type { ResourceKind } from "../resources/resource-kind.ts";
import { extendedLocation, ref, zones } from "../resources/shapes.ts";
import { readOnly } from "../resources/writable.ts";
import type { Json, StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { isMachine, type Vm, type VmDisk } from "../vm.ts";

const diskType = "Microsoft.Compute/disks";

const userOf = ({ id }: Pick<StoredResource, "id">, world: Pick<World, "state">) =>
  referrers(id, world).find(({ resource }) => isMachine(resource))?.resource;

/** SKU of a disk that does not name one. */
const standardType = "Standard_LRS";

const skuOf = ({ outer }: Pick<StoredResource, "outer">) => {
  const { name = standardType } = (outer["sku"] ?? {}) as { readonly name?: string };
  return { name, tier: name.replace(/SSD.*|V2.*|_.*/, "") };
};

/** Operations and MB a second, by the greatest size in GiB that has so few. */
const premium = [
  [32, 120, 25],
  [64, 240, 50],
  [128, 500, 100],
  [256, 1100, 125],
  [512, 2300, 150],
  [1024, 5000, 200],
] as const;

/** Returns the size of a disk in bytes, and its limits in operations and MB a second. */
const figuresOf = ({ outer, properties }: Pick<StoredResource, "outer" | "properties">): Json => {
  const sizeGiB = typeof properties["diskSizeGB"] === "number" ? properties["diskSizeGB"] : 0;
  const isPremium = skuOf({ outer }).name.startsWith("Premium");
  const [, operations, megabytes] = isPremium
    ? (premium.find(([limit]) => sizeGiB <= limit) ?? ([0, 7500, 250] as const))
    : ([0, 500, 60] as const);
  return { diskSizeBytes: sizeGiB * 2 ** 30, diskIOPSReadWrite: operations, diskMBpsReadWrite: megabytes };
};

/** Managed disks. Those of machines are made with them, and stay when they go. */
export const disks: ResourceKind = {
  type: diskType,
  form: "disk",
  put: { created: 202, updated: 202, state: "Updating", asyncOperation: true, location: true },
  delete: { status: 202, asyncOperation: true, location: true },
  isPatched: true,
  durationMs: (_, world) => world.delays.networkMs,
  outer: {
    sku: object({ name: text(), tier: readOnly }, ["name"]),
    zones,
    extendedLocation,
    managedBy: readOnly,
    managedByExtended: readOnly,
  },
  properties: object(
    {
      creationData: object(
        {
          createOption: text(),
          sourceResourceId: text(),
          sourceUri: text(),
          imageReference: object({ id: text(), lun: integer }),
        },
        ["createOption"],
      ),
      diskSizeGB: { ...integer, min: 1, max: 65_536 },
      osType: text({ enum: ["Linux", "Windows"] }),
      hyperVGeneration: text({ enum: ["V1", "V2"] }),
      encryption: object({ type: text(), diskEncryptionSetId: text() }),
      networkAccessPolicy: text(),
      publicNetworkAccess: text(),
      tier: text(),
      diskIOPSReadWrite: integer,
      diskMBpsReadWrite: integer,
      diskAccessId: text(),
      maxShares: integer,
      purchasePlan: readOnly,
      supportedCapabilities: readOnly,
      securityProfile: object({ securityType: text(), secureVMDiskEncryptionSetId: text() }),
      diskState: readOnly,
      diskSizeBytes: readOnly,
      uniqueId: readOnly,
      timeCreated: readOnly,
      provisioningState: readOnly,
      diskEncryptionSet: ref,
    },
    ["creationData"],
  ),
  prepare: ({ resource }) => checkZones(resource.outer["zones"], resource.location),
  derivedOuter: (resource, world) => {
    const user = userOf(resource, world);
    return { sku: skuOf(resource), ...(user === undefined ? {} : { managedBy: user.id }) };
  },
  derived: (resource, world) => ({
    diskState: userOf(resource, world) === undefined ? "Unattached" : "Attached",
    networkAccessPolicy: "AllowAll",
    ...figuresOf(resource),
    ...resource.properties,
    uniqueId: resource.guid,
    timeCreated: new Date(resource.created).toISOString(),
  }),
  blocker: (resource, world) => {
    const user = userOf(resource, world);
    return user === undefined
      ? undefined
      : refusal(409, "OperationNotAllowed", `Disk ${resource.name} is attached to VM ${user.id}.`);
  },
};

const newDisk = (vm: StoredResource<Vm>, name: string, disk: VmDisk, world: World): StoredResource => ({
  id: resourceId(world.subscriptionId, vm.group, diskType, [name]),
  type: diskType,
  name,
  group: vm.group,
  location: vm.location,
  guid: world.newUuid(),
  created: world.clock.now(),
  tags: vm.tags,
  revision: 1,
  state: "Succeeded",
  outer: {
    sku: { name: disk.managedDisk?.storageAccountType ?? standardType },
    ...(vm.outer["zones"] === undefined ? {} : { zones: vm.outer["zones"] }),
  },
  properties: {
    creationData: { createOption: disk.createOption },
    diskSizeGB: disk.diskSizeGB ?? 30,
    ...(disk.osType === undefined ? {} : { osType: disk.osType }),
  },
});

const nameOf = (vm: StoredResource<Vm>, disk: VmDisk): string =>
  disk.name ??
  `${vm.name}_${disk.lun === undefined ? "OsDisk" : `DataDisk_${disk.lun}`}_1_${vm.guid.replaceAll("-", "")}`;

/** Disks of the names that a new machine wants are not there yet. */
export const checkDiskNames = (vm: StoredResource<Vm>, world: World): void => {
  const { osDisk, dataDisks = [] } = vm.properties.storageProfile;
  for (const disk of [osDisk, ...dataDisks]) {
    const id = resourceId(world.subscriptionId, vm.group, diskType, [nameOf(vm, disk)]);
    if (disk.createOption === "Attach" || resourceById(id, world) === undefined) continue;
    throw refusal(
      409,
      "ConflictingUserInput",
      `Disk ${nameOf(vm, disk)} already exists in resource group ${vm.group.toUpperCase()}. Only CreateOption.Attach is supported.`,
      "osDisk",
    );
  }
};

/** Makes the disks of a new machine, and names them in it. */
export const makeDisks = (vm: StoredResource<Vm>, world: World): void => {
  const made = (disk: VmDisk): VmDisk => {
    if (disk.createOption === "Attach") return disk;
    const stored = newDisk(vm, nameOf(vm, disk), disk, world);
    world.state.resources.push(stored);
    return { deleteOption: "Detach", ...disk, name: stored.name, managedDisk: { ...disk.managedDisk, id: stored.id } };
  };
  const { storageProfile } = vm.properties;
  const { osDisk, dataDisks = [] } = storageProfile;
  vm.properties = {
    ...vm.properties,
    storageProfile: { ...storageProfile, osDisk: made(osDisk), dataDisks: dataDisks.map(made) },
  };
};

/** Removes the disks, network cards and their addresses whose delete option is `Delete`, after their machine is gone. */
export const removeWith = ({ properties }: StoredResource<Vm>, world: World): void => {
  const { storageProfile, networkProfile } = properties;
  const ids = [
    ...[storageProfile.osDisk, ...(storageProfile.dataDisks ?? [])]
      .filter(({ deleteOption }) => deleteOption === "Delete")
      .flatMap(({ managedDisk }) => managedDisk?.id ?? []),
    ...(networkProfile.networkInterfaces ?? [])
      .filter((card) => card.properties?.deleteOption === "Delete")
      .map(({ id }) => id),
  ];
  for (const resource of world.state.resources.filter(({ id }) => ids.some((each) => same(each, id)))) {
    const addresses = referencesOf(resource).flatMap(({ to }) => resourceById(to, world) ?? []);
    world.remove(resource);
    for (const address of addresses) if (address.properties["deleteOption"] === "Delete") world.remove(address);
  }
};

/** Everything that is known of the disks of a machine, by their statuses. */
export const diskStatuses = ({ storageProfile }: Vm, status: Json): readonly Json[] =>
  [storageProfile.osDisk, ...(storageProfile.dataDisks ?? [])].map(({ name }) => ({ name, statuses: [status] }));
