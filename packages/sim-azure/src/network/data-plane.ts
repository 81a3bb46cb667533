import type { Backend } from "@capstan/simulation";
import { isWithin, same } from "../resource-id.ts";
import { referent } from "../resources/references.ts";
import type { StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import {
  type BalancingRule,
  type Frontend,
  type LoadBalancer,
  loadBalancerType,
  type NatRule,
} from "./load-balancer.ts";
import { cardsIn, machineOf } from "./network-interfaces.ts";
import { type Attempt, passesCard } from "./traffic.ts";
import type { PublicIp } from "./public-ips.ts";

interface Wanted {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  readonly backends: () => readonly Backend[];
}

/** The loopback address of a frontend: its public address, or one that stands for its private address; `undefined`: it has none. */
const hostOf = (
  frontend: string,
  { id, properties }: StoredResource<LoadBalancer>,
  { state }: World,
): string | undefined => {
  const found = properties.frontendIPConfigurations?.find(({ name }) =>
    same(frontend, `${id}/frontendIPConfigurations/${name}`),
  );
  if (found?.properties.privateIPAddress !== undefined) return properties.loopbacks?.[found.name];
  const address = referent(found?.properties.publicIPAddress?.id ?? "", state.resources);
  const { ipAddress } = (address?.properties ?? {}) as PublicIp;
  return ipAddress?.startsWith("127.") === true ? ipAddress : undefined;
};

/** Returns an address in the block of the simulator that no machine gets. */
const nobody = ({ state }: World): string => `127.${state.block}.0.1`;

/** Who comes through a frontend: someone on the internet, or in the virtual network; and the address he connects to. */
const visitorOf = (
  frontend: string,
  { id, properties }: StoredResource<LoadBalancer>,
  { state }: World,
): Pick<Attempt, "peer" | "reachedBy"> => {
  const found = properties.frontendIPConfigurations?.find(({ name }) =>
    same(frontend, `${id}/frontendIPConfigurations/${name}`),
  );
  const { privateIPAddress, publicIPAddress } = found?.properties ?? {};
  if (privateIPAddress !== undefined) return { peer: privateIPAddress, reachedBy: [privateIPAddress] };
  const { ipAddress } = (referent(publicIPAddress?.id ?? "", state.resources)?.properties ?? {}) as PublicIp;
  return { reachedBy: ipAddress === undefined ? [] : [ipAddress] };
};

/** The machines whose network cards are in a pool, or behind a rule; where their security groups drop the port, no one answers. */
const machinesBehind = (
  id: string,
  port: number,
  visitor: ReturnType<typeof visitorOf>,
  world: World,
): readonly Backend[] =>
  cardsIn(id, world).flatMap(({ resource }) => {
    const machine = machineOf(resource, world);
    const loopback = machine?.machine?.loopback;
    if (machine === undefined || loopback === undefined) return [];
    const isOpen = passesCard(resource, { direction: "Inbound", port, ...visitor }, world);
    return [{ id: `${machine.id}:${port}`, host: isOpen ? loopback : nobody(world), port }];
  });

const ofRule = (rule: BalancingRule, balancer: StoredResource<LoadBalancer>, world: World): readonly Wanted[] => {
  const {
    frontendIPConfiguration,
    frontendPort,
    backendPort = frontendPort,
    protocol,
    backendAddressPool,
    backendAddressPools = [],
  } = rule.properties;
  const host = hostOf(frontendIPConfiguration?.id ?? "", balancer, world);
  if (host === undefined || protocol !== "Tcp") return [];
  const pools = [...(backendAddressPool === undefined ? [] : [backendAddressPool]), ...backendAddressPools];
  const ids = new Set(pools.map(({ id }) => id.toLowerCase()));
  return [
    {
      id: `${balancer.id}/loadBalancingRules/${rule.name}`,
      host,
      port: frontendPort,
      backends: () => {
        const visitor = visitorOf(frontendIPConfiguration?.id ?? "", balancer, world);
        return [...ids].flatMap((id) => machinesBehind(id, backendPort, visitor, world));
      },
    },
  ];
};

const ofNatRule = (
  { name, properties }: NatRule,
  balancer: StoredResource<LoadBalancer>,
  world: World,
): readonly Wanted[] => {
  const { frontendIPConfiguration, frontendPort, backendPort = frontendPort, protocol = "Tcp" } = properties;
  const host = hostOf(frontendIPConfiguration?.id ?? "", balancer, world);
  if (host === undefined || frontendPort === undefined || backendPort === undefined || protocol !== "Tcp") return [];
  const id = `${balancer.id}/inboundNatRules/${name}`;
  const backends = () => {
    const visitor = visitorOf(frontendIPConfiguration?.id ?? "", balancer, world);
    return machinesBehind(id, backendPort, visitor, world);
  };
  return [{ id, host, port: frontendPort, backends }];
};

const wantedOf = (world: World): readonly Wanted[] =>
  world.state.resources
    .filter(({ type }) => type === loadBalancerType)
    .flatMap((resource) => {
      const balancer = resource as StoredResource<LoadBalancer>;
      const { loadBalancingRules = [], inboundNatRules = [] } = balancer.properties;
      return [
        ...loadBalancingRules.flatMap((rule) => ofRule(rule, balancer, world)),
        ...inboundNatRules.flatMap((rule) => ofNatRule(rule, balancer, world)),
      ];
    });

/** Gives every private frontend an address on this computer, which it keeps. */
export const withLoopbacks = (
  frontends: readonly Frontend[],
  before: Readonly<Record<string, string>>,
  { newAddress }: Pick<World, "newAddress">,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    frontends
      .filter(
        ({ properties }) => properties.privateIPAddressVersion !== "IPv6" && properties.privateIPAddress !== undefined,
      )
      .map(({ name }) => [name, before[name] ?? newAddress()]),
  );

/**
 * The address on this computer at which the private frontend of a load balancer listens, by its address at Azure. `networks`: those that it
 * may be in, by their IDs; default any.
 */
export const loopbackOfPrivate = (
  address: string,
  { state }: Pick<World, "state">,
  networks?: readonly string[],
): string | undefined => {
  for (const { type, properties } of state.resources) {
    if (type !== loadBalancerType) continue;
    const { frontendIPConfigurations = [], loopbacks = {} } = properties as LoadBalancer;
    const found = frontendIPConfigurations.find(
      (each) =>
        each.properties.privateIPAddress === address &&
        (networks === undefined || networks.some((network) => isWithin(each.properties.subnet?.id ?? "", network))),
    );
    if (found !== undefined) return loopbacks[found.name];
  }
  return undefined;
};

/** Listens where the rules of load balancers say, and nowhere else. Ports that this computer does not give are left out, and logged. */
export const openFrontends = async (world: World): Promise<void> => {
  const wanted = wantedOf(world);
  const { open, balancers, log } = world;
  const keyOf = ({ id, host, port }: Wanted): string => `${id.toLowerCase()} ${host}:${port}`;
  const keys = new Set(wanted.map(keyOf));
  for (const key of [...open].filter((each) => !keys.has(each))) {
    open.delete(key);
    await balancers.close(key);
  }
  for (const { host, port, backends, ...rest } of wanted) {
    const key = keyOf({ host, port, backends, ...rest });
    if (open.has(key)) continue;
    open.add(key);
    try {
      await balancers.open({ id: key, host, port, backends });
    } catch (error) {
      log.warn("a rule of a load balancer has no port on this computer", { rule: rest.id, error: String(error) });
    }
  }
};
