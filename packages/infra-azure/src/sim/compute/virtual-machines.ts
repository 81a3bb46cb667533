import { text } from "@capstan/simulation";
import { resourceById } from "../resources/find.ts";
import { type NetworkInterface } from "../network/network-interfaces.ts";
import type { PublicIp } from "../network/public-ips.ts";
import type { ResourceKind } from "../resources/resource-kind.ts";
import type { Json, OperationError, StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { checkDiskNames, makeDisks, removeWith } from "./disks.ts";
import { instanceView } from "./instance-view.ts";
import { type Vm, vmType } from "./vm.ts";
import { checkVm } from "./vm-rules.ts";
import { vmOuter, vmProperties } from "./vm-shapes.ts";

/** The code of what ended because its resource is being deleted. */
const preempted = "OperationPreempted";

/** A network card of a machine that could not be made is kept for it so long. */
const reservedMs = 180_000;

/** Takes what answers never show out of the properties. */
const hideSecrets = (vm: StoredResource<Vm>): void => {
  const { osProfile, ...properties } = vm.properties;
  if (osProfile === undefined) return;
  const { customData, adminPassword, ...profile } = osProfile;
  vm.secrets = {
    ...vm.secrets,
    ...(customData === undefined ? {} : { customData }),
    ...(adminPassword === undefined ? {} : { adminPassword }),
  };
  vm.properties = {
    ...properties,
    osProfile: { allowExtensionOperations: true, ...profile },
  };
};

const cardsOf = (vm: StoredResource<Vm>, world: World): readonly StoredResource[] =>
  (vm.properties.networkProfile.networkInterfaces ?? []).flatMap(({ id }) => resourceById(id, world) ?? []);

/** The address on this computer that is the machine's own: its public one, if it has one. */
const loopbackOf = (vm: StoredResource<Vm>, world: World): string => {
  const [address] = cardsOf(vm, world)
    .flatMap(({ properties }) => (properties as NetworkInterface).ipConfigurations ?? [])
    .flatMap(({ properties }) => resourceById(properties.publicIPAddress?.id ?? "", world) ?? [])
    .flatMap(({ properties }) => (properties as PublicIp).ipAddress ?? []);
  return address?.startsWith("127.") === true ? address : world.newAddress();
};

const withIdentity = (vm: StoredResource<Vm>, before: StoredResource<Vm> | undefined, world: World): void => {
  const identity = vm.outer["identity"] as
    | { readonly type: string; readonly userAssignedIdentities?: Json }
    | undefined;
  if (identity === undefined) return;
  const had = before?.outer["identity"] as { readonly principalId?: string } | undefined;
  const users = Object.keys(identity.userAssignedIdentities ?? {}).map((id) => {
    const { clientId, principalId } = resourceById(id, world)?.properties ?? {};
    return [id, { clientId, principalId }] as const;
  });
  const system = identity.type.includes("SystemAssigned");
  vm.outer = {
    ...vm.outer,
    identity: {
      type: identity.type,
      ...(system ? { principalId: had?.principalId ?? world.newUuid(), tenantId: world.tenantId } : {}),
      ...(users.length === 0 ? {} : { userAssignedIdentities: Object.fromEntries(users) }),
    },
  };
};

/** A machine that could not be made does not run, and keeps its network cards for a while. */
const failed = (vm: StoredResource<Vm>, error: OperationError, world: World): void => {
  // A removal that failed has come as far as taking it away from its host.
  if (vm.machine?.power === "removing") {
    delete vm.machine;
    return;
  }
  if (error.code === "OSProvisioningTimedOut" || error.code === preempted) return;
  if (vm.machine?.power === "running") return;
  delete vm.machine;
  const reserved = { for: vm.id, until: world.clock.now() + reservedMs };
  for (const card of cardsOf(vm, world)) card.properties = { ...card.properties, reserved };
};

/** Virtual machines: each has an address of its own on this computer, and an inside that the guest plays. */
export const virtualMachines: ResourceKind<Vm> = {
  type: vmType,
  form: "compute",
  put: { created: 201, updated: 200, state: "Creating", asyncOperation: true, silentUpdates: true },
  delete: { status: 202, asyncOperation: true, location: true },
  query: {
    get: { $expand: text({ enum: ["instanceView", "userData"] }) },
    delete: { forceDeletion: text({ enum: ["true", "false"] }) },
  },
  outer: vmOuter,
  properties: vmProperties,
  durationMs: ({ before }, world) => (before === undefined ? undefined : world.delays.networkMs),
  prepare: (change, world) => {
    const { resource, before } = change;
    if (before !== undefined) resource.properties = { ...before.properties, ...resource.properties };
    checkVm(change, world);
    if (before === undefined) checkDiskNames(resource, world);
    hideSecrets(resource);
    withIdentity(resource, before, world);
  },
  written: ({ resource, before }, _operation, world) => {
    if (before !== undefined) return;
    makeDisks(resource, world);
    resource.machine = { loopback: loopbackOf(resource, world), power: "provisioning" };
    world.power.provision(resource as unknown as StoredResource);
  },
  derived: ({ guid, created }) => ({ vmId: guid, timeCreated: new Date(created).toISOString() }),
  derivedOuter: ({ id }, world) => {
    const extensions = world.state.resources.filter((each) => each.id.startsWith(`${id}/extensions/`));
    return extensions.length === 0 ? {} : { resources: extensions.map((each) => ({ id: each.id })) };
  },
  expanded: (resource, { $expand: expand }, world) =>
    expand === "instanceView" ? { instanceView: instanceView(resource, world) } : {},
  leaving: (resource, _query, world) => {
    if (resource.machine === undefined) return false;
    world.power.remove(resource as unknown as StoredResource);
    return true;
  },
  finished: (resource, error, world) => {
    if (error !== undefined) failed(resource, error, world);
  },
  removed: (resource, world) => {
    if (resource.machine !== undefined) world.power.remove(resource as unknown as StoredResource);
    removeWith(resource, world);
  },
};
