import type { GuestWayV1 } from "@capstan/contract/v1";
import { hasAddress, parseRange } from "@capstan/simulation/network";
import { isWithin, networkOf, same } from "../resource-id.ts";
import { resourceById } from "../resources/find.ts";
import { partById, referent } from "../resources/references.ts";
import type { StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { areNear } from "../network/inside.ts";
import { type LoadBalancer, loadBalancerType } from "../network/load-balancer.ts";
import type { NetworkInterface } from "../network/network-interfaces.ts";
import type { PublicIp } from "../network/public-ips.ts";
import { addressesOfCard, type Attempt, passesCard } from "../network/traffic.ts";
import { cardsOf } from "./machine-cards.ts";

type State = Pick<World, "state">;
type Card = StoredResource<NetworkInterface>;

interface Id {
  readonly id: string;
}

/** Settings of a subnet that decide how its machines reach the internet. */
interface SubnetWays {
  readonly natGateway?: Id;
  readonly routeTable?: Id;
  readonly defaultOutboundAccess?: boolean;
}

interface Route {
  readonly properties: { readonly addressPrefix?: string; readonly nextHopType?: string };
}

const configurationsOf = ({ properties }: Card) => (properties.ipConfigurations ?? []).map((each) => each.properties);

const subnetsOf = (card: Card, world: State): readonly SubnetWays[] =>
  configurationsOf(card).flatMap(({ subnet }) => {
    const network = subnet === undefined ? undefined : resourceById(networkOf(subnet.id), world);
    const found = network === undefined || subnet === undefined ? undefined : partById(network, subnet.id);
    return found === undefined ? [] : [found.properties as SubnetWays];
  });

/** Returns whether a route of its own says that the internet is nowhere. */
const isCut = ({ routeTable }: SubnetWays, { state }: State): boolean => {
  const table = routeTable === undefined ? undefined : referent(routeTable.id, state.resources);
  const { routes = [] } = (table?.properties ?? {}) as { readonly routes?: readonly Route[] };
  return routes.some(({ properties }) => properties.addressPrefix === "0.0.0.0/0" && properties.nextHopType === "None");
};

/** Returns whether a load balancer lends those in a pool its public address for what they send out. */
const lendsAddress = ({ id, properties }: StoredResource<LoadBalancer>, pool: string): boolean => {
  const { frontendIPConfigurations = [], loadBalancingRules = [], outboundRules = [] } = properties;
  const isPublic = frontendIPConfigurations.some(
    ({ properties: { publicIPAddress } }) => publicIPAddress !== undefined,
  );
  const isOf = (rule: { readonly backendAddressPool?: Id; readonly backendAddressPools?: readonly Id[] }): boolean =>
    [
      ...(rule.backendAddressPool === undefined ? [] : [rule.backendAddressPool]),
      ...(rule.backendAddressPools ?? []),
    ].some((each) => same(each.id, pool));
  return (
    isPublic &&
    isWithin(pool, id) &&
    (outboundRules.some((rule) => isOf(rule.properties as Parameters<typeof isOf>[0])) ||
      loadBalancingRules.some(({ properties: rule }) => rule.disableOutboundSnat !== true && isOf(rule)))
  );
};

/**
 * Returns whether what a network card sends to the internet gets there: by a NAT gateway, a public address of its own, or that of a load balancer;
 * else by the default of Azure, which those behind a load balancer and in private subnets do not have.
 */
const isOnInternet = (card: Card, world: State): boolean => {
  const subnets = subnetsOf(card, world);
  if (subnets.some((subnet) => isCut(subnet, world))) return false;
  const configurations = configurationsOf(card);
  const hasOwn = configurations.some(({ publicIPAddress }) => publicIPAddress !== undefined);
  if (hasOwn || subnets.some(({ natGateway }) => natGateway !== undefined)) return true;
  const pools = configurations.flatMap(({ loadBalancerBackendAddressPools = [] }) =>
    loadBalancerBackendAddressPools.map(({ id }) => id),
  );
  if (pools.length === 0) return subnets.every(({ defaultOutboundAccess }) => defaultOutboundAccess !== false);
  return world.state.resources
    .filter(({ type }) => type === loadBalancerType)
    .some((balancer) => pools.some((pool) => lendsAddress(balancer, pool)));
};

/** The private frontend of a load balancer that an address on this computer stands for. */
const privateFrontend = (to: string, { state }: State): string | undefined => {
  for (const { type, properties } of state.resources) {
    if (type !== loadBalancerType) continue;
    const { frontendIPConfigurations = [], loopbacks = {} } = properties as LoadBalancer;
    const [name] = Object.entries(loopbacks).find(([, loopback]) => loopback === to) ?? [];
    const found = frontendIPConfigurations.find((each) => each.name === name)?.properties.privateIPAddress;
    if (found !== undefined) return found;
  }
  return undefined;
};

const privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"].flatMap((range) => parseRange(range) ?? []);

const hasPublicAddress = (card: Card, { state }: State): boolean =>
  configurationsOf(card).some(({ publicIPAddress }) => {
    const found = referent(publicIPAddress?.id ?? "", state.resources);
    return (found?.properties as PublicIp | undefined)?.ipAddress !== undefined;
  });

/** The machine at an address: of this computer, or of a network that the other end is in or near. */
const machineAt = (to: string, source: StoredResource | undefined, world: State): StoredResource | undefined => {
  const machines = world.state.resources.filter(({ machine }) => machine !== undefined);
  const direct = machines.find(({ machine }) => machine?.loopback === to);
  if (direct !== undefined || source === undefined) return direct;
  return machines.find(
    (each) => areNear(source, each, world) && cardsOf(each, world).some((card) => addressesOfCard(card).includes(to)),
  );
};

const toMachine = (
  { card, machine }: { readonly card: Card | undefined; readonly machine: StoredResource | undefined },
  target: { readonly card: Card; readonly machine: StoredResource },
  way: Pick<Attempt, "port" | "protocol">,
  world: State,
): boolean => {
  const isInside = card !== undefined && machine !== undefined && areNear(machine, target.machine, world);
  const [peer] = isInside ? addressesOfCard(card) : [];
  const [goal] = isInside ? addressesOfCard(target.card) : [];
  const hasWay =
    isInside || (hasPublicAddress(target.card, world) && (card === undefined || isOnInternet(card, world)));
  return (
    (machine === undefined || hasWay) &&
    (card === undefined || passesCard(card, { ...way, direction: "Outbound", peer: goal }, world)) &&
    (machine === undefined || passesCard(target.card, { ...way, direction: "Inbound", peer }, world))
  );
};

/**
 * Returns whether networks, routes and security groups let a connection of a machine, or to one, through. The resolver of a virtual network is not
 * behind them.
 */
export const passes = ({ from, port, protocol = "TCP", to }: GuestWayV1, world: State): boolean => {
  if (protocol === "UDP" && port === 53) return true;
  const way = { port, protocol: protocol === "TCP" ? "Tcp" : "Udp" } as const;
  const machine = world.state.resources.find((each) => each.machine?.loopback === from);
  const [card] = machine === undefined ? [] : cardsOf(machine, world);
  const target = machineAt(to, machine, world);
  const [into] = target === undefined ? [] : cardsOf(target, world);
  if (target !== undefined && into !== undefined) {
    return machine === target || toMachine({ card, machine }, { card: into, machine: target }, way, world);
  }
  if (card === undefined) return true;
  const frontend = privateFrontend(to, world);
  if (frontend !== undefined) return passesCard(card, { ...way, direction: "Outbound", peer: frontend }, world);
  const isElsewhere = privateRanges.some((range) => hasAddress(range, to));
  return !isElsewhere && isOnInternet(card, world) && passesCard(card, { ...way, direction: "Outbound" }, world);
};
