import type { FirewallRule } from "@capstan/linode-client";
import { hasAddress, parseRange } from "@capstan/simulation/network";
import { expandedRules } from "./firewall-rules.ts";
import { firewallsOf } from "./firewalls.ts";
import { vpcAddressesOf } from "./vpc-addresses.ts";
import type { SimulatorState, StoredFirewall, StoredInstance, StoredNodeBalancer } from "../state.ts";

/** A connection over TCP, as a firewall sees it. */
interface Attempt {
  readonly direction: "inbound" | "outbound";
  readonly port: number;
  /** Default `TCP`. */
  readonly protocol?: "TCP" | "UDP" | undefined;
  /** The addresses that the other side is known by. Absent: someone on the internet, who has whatever address a rule lets through. */
  readonly peers?: readonly string[] | undefined;
}

/** Where NodeBalancers reach private addresses of instances from. */
export const balancerAddress = "192.168.255.1";

/** Stands for every private address, which are addresses of this computer here. */
const privateAddress = "192.168.128.1";

/**
 * Returns the addresses by which instances reach each other: those in VPCs, else the private one, else the public one.
 */
export const peersOf = (instance: StoredInstance): readonly string[] => {
  const ofVpcs = vpcAddressesOf(instance).flatMap(({ address }) => address ?? []);
  if (ofVpcs.length > 0) return ofVpcs;
  return instance.hasPrivateIp ? [instance.address, privateAddress] : [instance.publicIp];
};

const hasPort = ({ ports }: FirewallRule, port: number): boolean => {
  if (ports === undefined || ports === null || ports === "") return true;
  return ports.split(",").some((each) => {
    const [first = 0, last = first] = each.split("-").map(Number);
    return first <= port && port <= last;
  });
};

/** As addresses of rules are written: host bits may be set. */
const isIn = (network: string, peer: string): boolean => {
  const [address = "", length = address.includes(":") ? "128" : "32"] = network.split("/");
  if (length === "0") return true;
  const range = parseRange(`${address}/${length}`);
  return range === undefined ? address === peer : hasAddress(range, peer);
};

const hasPeer = ({ action, addresses }: FirewallRule, peers: Attempt["peers"]): boolean => {
  const networks = [...(addresses?.ipv4 ?? []), ...(addresses?.ipv6 ?? [])];
  if (addresses === undefined || networks.some((each) => each.endsWith("/0"))) return true;
  if (peers === undefined) return action === "ACCEPT" && networks.length > 0;
  return networks.some((each) => peers.some((peer) => isIn(each, peer)));
};

/** The first rule that fits says what happens, else the policy. */
const letsThrough = (
  { rules, status }: StoredFirewall,
  { direction, peers, port, protocol = "TCP" }: Attempt,
  state: SimulatorState,
): boolean => {
  if (status !== "enabled") return true;
  const rule = expandedRules(rules, state)[direction].find(
    (each) => each.protocol === protocol && hasPort(each, port) && hasPeer(each, peers),
  );
  return (rule?.action ?? rules[`${direction}_policy`]) === "ACCEPT";
};

const passes = (firewalls: readonly StoredFirewall[], attempt: Attempt, state: SimulatorState): boolean =>
  firewalls.every((firewall) => letsThrough(firewall, attempt, state));

/** Returns whether the firewalls of an instance, and of its interfaces, let a connection through. */
export const passesInstance = (instance: StoredInstance, attempt: Attempt, state: SimulatorState): boolean => {
  const ofInterfaces = instance.linodeInterfaces.flatMap(({ id }) => firewallsOf("linode_interface", id, { state }));
  return passes([...firewallsOf("linode", instance.id, { state }), ...ofInterfaces], attempt, state);
};

/** Returns whether the firewall of a NodeBalancer lets someone on the internet connect to one of its ports. */
export const passesBalancer = ({ id }: StoredNodeBalancer, port: number, state: SimulatorState): boolean =>
  passes(firewallsOf("nodebalancer", id, { state }), { direction: "inbound", port }, state);
