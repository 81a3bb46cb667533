import type { CloudInstanceV1, GuestCloudV1, GuestContainerV1, StartingContainerV1 } from "@capstan/contract/v1";
import { instanceView } from "../resources/instance-views.ts";
import { vpcAddressesOf } from "../resources/vpc-addresses.ts";
import type { SimulatorState, StoredInstance } from "../state.ts";
import { passes } from "../passage.ts";
import type { World } from "../world.ts";
import { balanceService, unbalanceService } from "./service-balancers.ts";

const scheme = "linode://";

/** The image of Linode's cloud controller manager, or its program. */
const isController = ({ command: [program = ""], image }: GuestContainerV1): boolean =>
  [image, program].some((text) => /(?:^|\/)linode-cloud-controller-manager(?:[:@-]|$)/.test(text));

const couldNot = 'Cloud provider could not be initialized: could not init cloud provider "linode": ';

const refusal = ({ environment }: StartingContainerV1, token: string): string | undefined => {
  const missing = ["LINODE_API_TOKEN", "LINODE_REGION"].find((name) => (environment[name] ?? "") === "");
  if (missing !== undefined) return `${couldNot}${missing} must be set in the environment (use a k8s secret)`;
  return environment["LINODE_API_TOKEN"] === token
    ? undefined
    : `${couldNot}linode api token "LINODE_API_TOKEN" is invalid`;
};

/** As the controller writes them to a Node: those in VPCs, those of the instance, private ones being internal. */
const addressesOf = (instance: StoredInstance, state: SimulatorState): CloudInstanceV1["addresses"] => {
  const { ipv4, ipv6 } = instanceView(instance, state);
  const ofVpcs = vpcAddressesOf(instance).flatMap(({ address }) => address ?? []);
  return [
    { type: "Hostname", address: instance.label },
    ...ofVpcs.map((address) => ({ type: "InternalIP", address })),
    ...ipv4.map((address) => ({ type: address === instance.address ? "InternalIP" : "ExternalIP", address })),
    ...(ipv6 === null ? [] : [{ type: "ExternalIP", address: ipv6.replace(/\/\d+$/, "") }]),
  ];
};

const instanceOf = (instance: StoredInstance, state: SimulatorState): CloudInstanceV1 => ({
  providerID: `${scheme}${instance.id}`,
  type: instance.type,
  region: instance.region,
  addresses: addressesOf(instance, state),
  isOff: instance.status === "offline" || instance.status === "shutting_down",
  labels: { "node.k8s.linode.com/host-uuid": instanceView(instance, state).host_uuid ?? "" },
});

/** The account, as Linode's cloud controller manager in a cluster works with it. */
export const linodeController = (
  world: World,
  { save, token }: { readonly token: string; readonly save: () => Promise<void> },
): GuestCloudV1 => ({
  name: "linode",
  controller: (container) => (isController(container) ? ["nodes", "lifecycle", "services"] : undefined),
  refusal: (container) => refusal(container, token),
  instance: ({ name, providerID }) => {
    const { state } = world;
    const found = state.instances.find(({ id, label }) =>
      providerID === undefined ? label === name : providerID === `${scheme}${id}`,
    );
    return found === undefined ? undefined : instanceOf(found, state);
  },
  passes: (way) => passes(way, world.state),
  balance: async (service, { environment }) => {
    const ingress = await balanceService(service, { region: environment["LINODE_REGION"] ?? "" }, world);
    await save();
    return ingress;
  },
  unbalance: async (service) => {
    await unbalanceService(service, world);
    await save();
  },
});
