import { machineOf, type IpConfiguration, type NetworkInterface } from "../network/network-interfaces.ts";
import type { StoredResource } from "../state.ts";
import type { World } from "../world.ts";

type Card = StoredResource<NetworkInterface>;

/** The network cards that are in machines, with their machines. */
const cards = (world: Pick<World, "state">): readonly (readonly [card: Card, machine: StoredResource])[] =>
  world.state.resources.flatMap((resource) => {
    if (!/\/networkInterfaces$/i.test(resource.type)) return [];
    const machine = machineOf(resource, world);
    return machine === undefined ? [] : [[resource, machine] as const];
  });

/** The network cards of a machine. */
export const cardsOf = (machine: StoredResource, world: Pick<World, "state">): readonly Card[] =>
  cards(world).flatMap(([card, of]) => (of === machine ? [card] : []));

/** The configuration of a card that its machine is known by. */
export const primaryOf = ({ properties: { ipConfigurations = [] } }: Card): IpConfiguration | undefined =>
  ipConfigurations.find(({ properties }) => properties.primary === true) ?? ipConfigurations[0];

const withMembership = (configuration: IpConfiguration, pool: string, isMember: boolean): IpConfiguration => {
  const { loadBalancerBackendAddressPools = [], ...properties } = configuration.properties;
  const others = loadBalancerBackendAddressPools.filter(({ id }) => id.toLowerCase() !== pool.toLowerCase());
  const pools = isMember ? [...others, { id: pool }] : others;
  return { ...configuration, properties: { ...properties, loadBalancerBackendAddressPools: pools } };
};

const isIn = ({ properties: { loadBalancerBackendAddressPools = [] } }: IpConfiguration, pool: string): boolean =>
  loadBalancerBackendAddressPools.some(({ id }) => id.toLowerCase() === pool.toLowerCase());

/** Puts the first card of each of these machines into a pool, and takes all others out of it. */
export const setMembers = (pool: string, machines: ReadonlySet<StoredResource>, world: World): void => {
  const placed = new Set<StoredResource>();
  for (const [card, machine] of cards(world)) {
    const isMember = machines.has(machine) && !placed.has(machine);
    if (isMember) placed.add(machine);
    const primary = primaryOf(card);
    const { ipConfigurations = [] } = card.properties;
    const changed = ipConfigurations.map((each) => {
      const wanted = isMember && each === primary;
      return isIn(each, pool) === wanted ? each : withMembership(each, pool, wanted);
    });
    if (changed.every((each, index) => each === ipConfigurations[index])) continue;
    card.properties = { ...card.properties, ipConfigurations: changed };
    card.revision += 1;
  }
};
