import { hasAddress, parseRange } from "@capstan/simulation/network";
import { networkOf, same } from "../resource-id.ts";
import { partById, referent } from "../resources/references.ts";
import { resourceById } from "../resources/find.ts";
import type { StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import type { NetworkInterface } from "./network-interfaces.ts";
import { defaultRules, type SecurityGroup, type SecurityRule } from "./security-groups.ts";

type State = Pick<World, "state">;

interface Id {
  readonly id: string;
}

/** A connection over TCP, as the security group of one of its ends sees it. */
export interface Attempt {
  readonly direction: "Inbound" | "Outbound";
  readonly port: number;
  /** Default `Tcp`. */
  readonly protocol?: "Tcp" | "Udp";
  /** The address of the other end in the virtual network; absent: it is on the internet, with whatever address a rule lets through. */
  readonly peer?: string | undefined;
  /** Further addresses that this end is reached by, as that of a frontend which leaves it as it is. */
  readonly reachedBy?: readonly string[];
}

const ranges = (one: string | undefined, many: readonly string[] = []): readonly string[] => [
  ...(one === undefined || one === "" ? [] : [one]),
  ...many,
];

const hasPort = (range: string, port: number): boolean => {
  if (range === "*") return true;
  const [first = 0, last = first] = range.split("-").map(Number);
  return first <= port && port <= last;
};

const isEverything = (prefix: string): boolean => prefix === "*" || prefix.endsWith("/0");

const isIn = (prefix: string, address: string): boolean => {
  const range = parseRange(prefix.includes("/") ? prefix : `${prefix}/32`);
  return range !== undefined && hasAddress(range, address);
};

/** Returns whether a prefix or a service tag means someone inside of the virtual network. */
const meansInside = (prefix: string, addresses: readonly string[]): boolean =>
  isEverything(prefix) || same(prefix, "VirtualNetwork") || addresses.some((address) => isIn(prefix, address));

/** Returns whether it means someone on the internet, or lets him through. */
const meansOutside = (prefix: string, access: string): boolean =>
  isEverything(prefix) || same(prefix, "Internet") || (access === "Allow" && /^[\d.:a-f]+(?:\/\d+)?$/i.test(prefix));

const fits = ({ properties }: SecurityRule, attempt: Attempt, own: readonly string[]): boolean => {
  const { access, destinationPortRange, destinationPortRanges, direction, protocol } = properties;
  if (direction !== attempt.direction || !(protocol === "*" || same(protocol, attempt.protocol ?? "Tcp"))) return false;
  if (!ranges(destinationPortRange, destinationPortRanges).some((range) => hasPort(range, attempt.port))) return false;
  const source = ranges(properties.sourceAddressPrefix, properties.sourceAddressPrefixes);
  const destination = ranges(properties.destinationAddressPrefix, properties.destinationAddressPrefixes);
  const [ours, theirs] = direction === "Inbound" ? [destination, source] : [source, destination];
  const { peer, reachedBy = [] } = attempt;
  return (
    ours.some((prefix) => meansInside(prefix, [...own, ...reachedBy])) &&
    theirs.some((prefix) => (peer === undefined ? meansOutside(prefix, access) : meansInside(prefix, [peer])))
  );
};

const letsThrough = (group: StoredResource, attempt: Attempt, own: readonly string[]): boolean => {
  const { securityRules = [] } = group.properties as SecurityGroup;
  const first = [...securityRules, ...defaultRules]
    .toSorted((one, other) => one.properties.priority - other.properties.priority)
    .find((rule) => fits(rule, attempt, own));
  return first?.properties.access !== "Deny";
};

/** The security groups of a network card and of its subnets. */
const groupsOf = (card: StoredResource<NetworkInterface>, world: State): readonly StoredResource[] => {
  const { ipConfigurations = [], networkSecurityGroup } = card.properties as NetworkInterface & {
    readonly networkSecurityGroup?: Id;
  };
  const ofSubnets = ipConfigurations.flatMap(({ properties: { subnet } }) => {
    const network = subnet === undefined ? undefined : resourceById(networkOf(subnet.id), world);
    const found = network === undefined || subnet === undefined ? undefined : partById(network, subnet.id);
    return (found?.properties as { readonly networkSecurityGroup?: Id } | undefined)?.networkSecurityGroup?.id ?? [];
  });
  const ids = [...new Set([...(networkSecurityGroup === undefined ? [] : [networkSecurityGroup.id]), ...ofSubnets])];
  return ids.flatMap((id) => referent(id, world.state.resources) ?? []);
};

/** The addresses of a network card in its virtual network. */
export const addressesOfCard = ({ properties }: StoredResource<NetworkInterface>): readonly string[] =>
  (properties.ipConfigurations ?? []).flatMap((each) => each.properties.privateIPAddress ?? []);

/** Returns whether the security groups before a network card let a connection through. */
export const passesCard = (card: StoredResource<NetworkInterface>, attempt: Attempt, world: State): boolean =>
  groupsOf(card, world).every((group) => letsThrough(group, attempt, addressesOfCard(card)));
