import type { GuestIdentity, GuestMachine, GuestPlan, MachineModel } from "@capstan/simulation";
import type { StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { reachFrom } from "../network/inside.ts";
import { vmSize } from "./vm-sizes.ts";
import { isWindows, type ImageReference, type Vm } from "../vm.ts";

const provisioningTask = "os-provisioning";

/** Returns the provider ID that the cloud writes to the spec of the node. */
export const providerIdOf = ({ id, group }: Pick<StoredResource, "group" | "id">): string =>
  `azure://${id.replace(`/resourceGroups/${group}/`, `/resourceGroups/${group.toLowerCase()}/`)}`;

/** The id of an image, or `publisher:offer:sku:version` of one in the marketplace. */
const imageOf = (reference: ImageReference = {}): Pick<GuestIdentity, "image"> => {
  const { id, communityGalleryImageId, sharedGalleryImageId, publisher, offer, sku, version = "latest" } = reference;
  const image =
    id ??
    communityGalleryImageId ??
    sharedGalleryImageId ??
    (publisher === undefined ? undefined : [publisher, offer, sku, version].join(":"));
  return image === undefined ? {} : { image };
};

const hardwareOf = (name: string): Pick<GuestIdentity, "hardware"> => {
  const size = vmSize(name);
  return size === undefined ? {} : { hardware: { cpus: size.vcpus, memoryMiB: size.memoryGb * 1024 } };
};

/** Returns the identity and metadata of a machine that its guest sees. */
const guestOf = (
  resource: StoredResource,
  world: Pick<World, "state">,
): GuestIdentity & Pick<GuestMachine, "metadata"> => {
  const { name, group, guid, location, machine, secrets, properties } = resource;
  const { osProfile, hardwareProfile, storageProfile } = properties as unknown as Vm;
  const customData = secrets?.["customData"];
  return {
    id: guid,
    name,
    group,
    userData: typeof customData === "string" ? customData : "",
    address: machine?.loopback ?? "127.0.0.1",
    providerID: providerIdOf(resource),
    ...imageOf(storageProfile?.imageReference),
    ...hardwareOf(hardwareProfile.vmSize),
    resolve: (host) => reachFrom(resource, host, world),
    metadata: {
      "instance-id": guid,
      "local-hostname": osProfile?.computerName ?? name,
      region: location,
      "vm-size": hardwareProfile.vmSize,
      "os-type": isWindows(properties as unknown as Vm) ? "Windows" : "Linux",
      zone: ((resource.outer["zones"] ?? []) as readonly string[])[0] ?? "",
    },
  };
};

/** A system that comes up without its bootstrap data has an agent all the same. */
const bootWithoutData = (resource: StoredResource, plan: GuestPlan, world: World): void => {
  const booted = world.guest?.boot({
    group: resource.group,
    ...guestOf(resource, world),
    userData: "",
    resumed: false,
    plan,
    clock: world.clock,
    console: () => undefined,
  });
  Promise.resolve(booted).catch((error: unknown) => {
    world.log.error("guest did not boot", { machine: resource.name, error: String(error) });
  });
};

/** A machine runs: what waited for it is over, unless its system never says so. */
const started = (resource: StoredResource, world: World): void => {
  const { name, group, guid } = resource;
  const plan = world.guestPlans.for({ name, group });
  if (plan.boot !== "never" && plan.bootstrap === "hang") bootWithoutData(resource, plan, world);
  const operation = world.operations.running(resource.id);
  if (operation?.verb !== "PUT") return;
  if (plan.boot === "never") {
    world.timers.set(`${provisioningTask}-${guid}`, provisioningTask, world.delays.osProvisioningMs);
  } else world.operations.complete(operation.id);
};

/** Defines what happens when a system never says that it is up. */
export const defineProvisioningTimeout = (world: World): void => {
  world.timers.define(provisioningTask, (key) => {
    const resource = world.state.resources.find(({ guid }) => key === `${provisioningTask}-${guid}`);
    const operation = resource === undefined ? undefined : world.operations.running(resource.id);
    if (resource === undefined || operation?.verb !== "PUT") return;
    world.operations.complete(operation.id, {
      code: "OSProvisioningTimedOut",
      message: `OS Provisioning for VM '${resource.name}' did not finish in the allotted time. The VM may still finish provisioning successfully. Please check provisioning state later. For details on how to check current provisioning state of Windows VMs, refer to https://aka.ms/WindowsVMLifecycle and Linux VMs, refer to https://aka.ms/LinuxVMLifecycle.`,
    });
  });
};

/** Virtual machines as machines with power and an inside. */
export const vmModel = (world: () => World): MachineModel<StoredResource> => ({
  all: () => world().state.resources.filter(({ machine }) => machine !== undefined),
  powerOf: ({ machine }) => machine?.power ?? "off",
  become: (resource, power) => {
    if (resource.machine === undefined) return;
    resource.machine.power = power;
    if (power === "running") started(resource, world());
  },
  bootsByItself: () => true,
  remove: (resource) => {
    const operation = world().operations.running(resource.id);
    if (operation?.verb === "DELETE") world().operations.complete(operation.id);
  },
  guestOf: (resource) => guestOf(resource, world()),
});
