import type {
  CloudDutyV1,
  CloudInstanceV1,
  GuestCloudV1,
  GuestContainerV1,
  StartingContainerV1,
} from "@capstan/contract/v1";
import { isMachine, type Vm } from "../vm.ts";
import { providerIdOf } from "../compute/machines.ts";
import type { PublicIp } from "../network/public-ips.ts";
import { referent } from "../resources/references.ts";
import { same } from "../resource-id.ts";
import type { StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { controllersOf, readCloudConfig } from "./cloud-config-file.ts";
import { cardsOf, primaryOf } from "./machine-cards.ts";
import { passes } from "./passage.ts";
import { balanceService, unbalanceService } from "./service-balancer.ts";

const programOf = ({ command: [program = ""] }: GuestContainerV1): string => program.split("/").at(-1) ?? "";

const isOf = (container: GuestContainerV1, name: string): boolean =>
  programOf(container) === name || new RegExp(`(?:^|/)azure-${name}(?:[:@]|$)`).test(container.image);

/** Duties of a cloud controller manager, by the names of its controllers. */
const dutyOf: Readonly<Record<string, CloudDutyV1>> = {
  "cloud-node": "nodes",
  "cloud-node-lifecycle": "lifecycle",
  service: "services",
};

const dutiesOf = (container: GuestContainerV1): readonly CloudDutyV1[] | undefined => {
  if (isOf(container, "cloud-node-manager")) return ["own-node"];
  const { command } = container;
  if (!isOf(container, "cloud-controller-manager") || !command.includes("--cloud-provider=azure")) return undefined;
  const names = controllersOf(command);
  return Object.entries(dutyOf).flatMap(([name, duty]) => {
    const runs = names.includes(name) || (names.includes("*") && !names.includes(`-${name}`));
    return runs ? [duty] : [];
  });
};

const refusal = (container: StartingContainerV1): string | undefined => {
  if (isOf(container, "cloud-node-manager")) return undefined;
  try {
    readCloudConfig(container);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

const hostnameOf = (machine: StoredResource): string =>
  ((machine.properties as unknown as Vm).osProfile?.computerName ?? machine.name).toLowerCase();

const addressesOf = (machine: StoredResource, world: World): CloudInstanceV1["addresses"] => {
  const primaries = cardsOf(machine, world).flatMap((card) => primaryOf(card) ?? []);
  const internal = primaries.flatMap(({ properties: { privateIPAddress } }) => privateIPAddress ?? []);
  const external = primaries.flatMap(({ properties: { publicIPAddress } }) => {
    const found = referent(publicIPAddress?.id ?? "", world.state.resources);
    return (found?.properties as PublicIp | undefined)?.ipAddress ?? [];
  });
  return [
    ...internal.map((address) => ({ type: "InternalIP", address })),
    ...external.map((address) => ({ type: "ExternalIP", address })),
    { type: "Hostname", address: hostnameOf(machine) },
  ];
};

/** As the metadata of the machine has it; without zones it is the fault domain. */
const zoneOf = ({ location, outer }: StoredResource): string => {
  const [zone] = (outer["zones"] ?? []) as readonly string[];
  return zone === undefined ? "0" : `${location}-${zone}`;
};

const instanceOf = (machine: StoredResource, world: World): CloudInstanceV1 => ({
  providerID: providerIdOf(machine),
  type: (machine.properties as unknown as Vm).hardwareProfile.vmSize,
  region: machine.location,
  zone: zoneOf(machine),
  addresses: addressesOf(machine, world),
  isOff: machine.machine?.power === "off" || machine.machine?.power === "stopping",
});

/** The subscription, as Azure's cloud controller and node managers in a cluster work with it. */
export const azureController = (world: World): GuestCloudV1 => ({
  name: "azure",
  controller: dutiesOf,
  refusal,
  instance: ({ name, providerID }) => {
    const machine = world.state.resources.find(
      (each) =>
        isMachine(each) &&
        each.machine !== undefined &&
        (providerID === undefined ? same(hostnameOf(each), name) : same(providerIdOf(each), providerID)),
    );
    return machine === undefined ? undefined : instanceOf(machine, world);
  },
  passes: (way) => passes(way, world),
  balance: async (service, container) => {
    const ingress = await balanceService(service, readCloudConfig(container), world);
    await world.save();
    return ingress;
  },
  unbalance: async (service, container) => {
    await unbalanceService(service, readCloudConfig(container), world);
    await world.save();
  },
});
