import type { GuestWayV1 } from "@capstan/contract/v1";
import { parseRange, hasAddress } from "@capstan/simulation/network";
import { publicAddresses } from "./resources/instance-views.ts";
import { runningConfig } from "./resources/running-config.ts";
import { neighborAt, shareVpc } from "./resources/vpc-addresses.ts";
import type { SimulatorState, StoredInstance, StoredNodeBalancer } from "./state.ts";
import { passesBalancer, passesInstance, peersOf } from "./resources/traffic.ts";

/** Returns whether it gets to the internet: by a public interface, or by one in a VPC with an address of its own outside. */
const isOnInternet = (instance: StoredInstance): boolean => {
  if (instance.generation === "linode") return publicAddresses(instance).length > 0;
  const { interfaces = [] } = runningConfig(instance) ?? {};
  return (
    interfaces.length === 0 ||
    interfaces.some(({ ipv4, purpose }) => purpose === "public" || (ipv4?.nat_1_1 ?? null) !== null)
  );
};

/** Addresses that lead nowhere from outside of their network. */
const privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"].flatMap((range) => parseRange(range) ?? []);

const isPrivate = (address: string): boolean => privateRanges.some((range) => hasAddress(range, address));

/** The instance at an address: of its own, or in a VPC that the other end is in too. */
const instanceAt = (
  to: string,
  source: StoredInstance | undefined,
  state: SimulatorState,
): StoredInstance | undefined =>
  state.instances.find((each) => each.address === to || publicAddresses(each).includes(to)) ??
  (source && neighborAt(to, source, state));

/** Returns whether there is a way between two instances: in a VPC, on the private network of their region, or over the internet. */
const isConnected = (source: StoredInstance, target: StoredInstance): boolean =>
  shareVpc(source, target) ||
  (source.hasPrivateIp && target.hasPrivateIp && source.region === target.region) ||
  (isOnInternet(source) && isOnInternet(target));

/** Returns whether an instance gets out to what is none of the account's instances. */
const leaves = (
  source: StoredInstance,
  { port, protocol, to }: GuestWayV1,
  balancer: StoredNodeBalancer | undefined,
  state: SimulatorState,
): boolean =>
  isOnInternet(source) &&
  (balancer !== undefined || !isPrivate(to)) &&
  passesInstance(source, { direction: "outbound", port, protocol, peers: balancer && [balancer.ipv4] }, state);

/** Returns whether routes and firewalls let a connection of an instance, or to one, through. */
export const passes = (way: GuestWayV1, state: SimulatorState): boolean => {
  const { from, port, protocol, to } = way;
  const source = state.instances.find(({ address }) => address === from);
  const target = instanceAt(to, source, state);
  if (target === undefined) {
    const balancer = state.nodeBalancers.find(({ ipv4 }) => ipv4 === to);
    if (source !== undefined && !leaves(source, way, balancer, state)) return false;
    return balancer === undefined || passesBalancer(balancer, port, state);
  }
  if (source === target) return true;
  if (source !== undefined && !isConnected(source, target)) return false;
  const out = { direction: "outbound", port, protocol, peers: peersOf(target) } as const;
  const into = { direction: "inbound", port, protocol, peers: source && peersOf(source) } as const;
  return (source === undefined || passesInstance(source, out, state)) && passesInstance(target, into, state);
};
