import type { NetworkInterface } from "../network/network-interfaces.ts";
import { preempted } from "../operations/operations.ts";
import type { PublicIp } from "../network/public-ips.ts";
import { resourceById } from "../resources/find.ts";
import type { Json, OperationError, StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { makeDisks } from "./disks.ts";
import type { Vm } from "../vm.ts";

/** A network card of a machine that could not be made is kept for it so long. */
const reservedMs = 180_000;

const cardsOf = (vm: StoredResource<Vm>, world: Pick<World, "state">): readonly StoredResource[] =>
  (vm.properties.networkProfile.networkInterfaces ?? []).flatMap(({ id }) => resourceById(id, world) ?? []);

/** The address on this computer that is the machine's own: its public one, if it has one. */
const loopbackOf = (vm: StoredResource<Vm>, world: World): string => {
  const [address] = cardsOf(vm, world)
    .flatMap(({ properties }) => (properties as NetworkInterface).ipConfigurations ?? [])
    .flatMap(({ properties }) => resourceById(properties.publicIPAddress?.id ?? "", world) ?? [])
    .flatMap(({ properties }) => (properties as PublicIp).ipAddress ?? []);
  return address?.startsWith("127.") === true ? address : world.newAddress();
};

/** Gives a new machine its disks and an address, and begins its life. */
export const startVm = (vm: StoredResource<Vm>, world: World): void => {
  makeDisks(vm, world);
  vm.machine = { loopback: loopbackOf(vm, world), power: "provisioning" };
  world.power.provision(vm as unknown as StoredResource);
};

/** Begins to shut a machine down for good; whether another user ends that. */
export const stopVm = (vm: StoredResource<Vm>, world: World): boolean => {
  if (vm.machine === undefined) return false;
  world.power.remove(vm as unknown as StoredResource);
  return true;
};

/** A machine that could not be made does not run, and keeps its network cards for a while. */
export const failVm = (vm: StoredResource<Vm>, error: OperationError, world: World): void => {
  // A removal that failed has come as far as taking it away from its host.
  if (vm.machine?.power === "removing") {
    delete vm.machine;
    return;
  }
  if (error.code === "OSProvisioningTimedOut" || error.code === preempted.code) return;
  if (vm.machine?.power === "running") return;
  delete vm.machine;
  const reserved = { for: vm.id, until: world.clock.now() + reservedMs };
  for (const card of cardsOf(vm, world)) card.properties = { ...card.properties, reserved };
};

/** Properties without what answers never show, which is returned apart. */
export const withoutSecrets = <P extends { readonly osProfile?: Vm["osProfile"] }>(
  { osProfile, ...properties }: P,
  extensionsAllowed = true,
): { readonly properties: P; readonly secrets: Json } => {
  if (osProfile === undefined) return { properties: properties as unknown as P, secrets: {} };
  const { customData, adminPassword, ...profile } = osProfile;
  return {
    properties: {
      ...properties,
      osProfile: extensionsAllowed ? { allowExtensionOperations: true, ...profile } : profile,
    } as unknown as P,
    secrets: {
      ...(customData === undefined ? {} : { customData }),
      ...(adminPassword === undefined ? {} : { adminPassword }),
    },
  };
};

/** An identity with what the directory knows of it. */
export const identityOf = (wanted: unknown, before: unknown, world: World): Json | undefined => {
  const identity = wanted as { readonly type: string; readonly userAssignedIdentities?: Json } | undefined;
  if (identity === undefined) return undefined;
  const had = before as { readonly principalId?: string } | undefined;
  const users = Object.keys(identity.userAssignedIdentities ?? {}).map((id) => {
    const { clientId, principalId } = resourceById(id, world)?.properties ?? {};
    return [id, { clientId, principalId }] as const;
  });
  return {
    type: identity.type,
    ...(identity.type.includes("SystemAssigned")
      ? { principalId: had?.principalId ?? world.newUuid(), tenantId: world.tenantId }
      : {}),
    ...(users.length === 0 ? {} : { userAssignedIdentities: Object.fromEntries(users) }),
  };
};
