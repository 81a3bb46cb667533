import { BlockList, isIPv4 } from "node:net";
import type { NodeBalancerNode } from "@capstan/linode-client";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";

/** One machine that should be behind a port. */
export interface WantedBackend {
  readonly label: string;
  /** `ip:port`. */
  readonly address: string;
}

export interface BackendRules {
  readonly port: number;
  /** CIDR of the private addresses. */
  readonly privateNetwork: string;
  /** The NodeBalancer reaches machines by their address in the VPC. */
  readonly throughVpc: boolean;
}

const maxLabel = 32;
const minLabel = 3;

/** Names of machines as labels of backends. */
export const backendLabel = (name: string): string =>
  name
    .replaceAll(/[^a-zA-Z0-9-_.]/g, "-")
    .slice(0, maxLabel)
    .padEnd(minLabel, "-");

const networkOf = (cidr: string): BlockList => {
  const [address = "", prefix = "32"] = cidr.split("/");
  const network = new BlockList();
  network.addSubnet(address, Number(prefix), "ipv4");
  return network;
};

/**
 * The machines that have an address the NodeBalancer can reach, and the names of those that have addresses but none of that kind.
 * Machines without any address are not there yet.
 */
export const wantedBackends = (
  machines: readonly LinodeMachine[],
  rules: BackendRules,
): { readonly wanted: readonly WantedBackend[]; readonly unreachable: readonly string[] } => {
  const network = networkOf(rules.privateNetwork);
  const wanted: WantedBackend[] = [];
  const unreachable: string[] = [];
  for (const { metadata, status } of machines) {
    const name = metadata.name ?? "";
    const all = status?.addresses ?? [];
    const internal = all.flatMap(({ type, address }) => (type === "InternalIP" && isIPv4(address) ? [address] : []));
    const isPrivate = (address: string): boolean => network.check(address, "ipv4");
    const inVpc = rules.throughVpc ? internal.find((address) => !isPrivate(address)) : undefined;
    const address = inVpc ?? internal.find(isPrivate);
    if (address !== undefined) wanted.push({ label: backendLabel(name), address: `${address}:${rules.port}` });
    else if (all.length > 0) unreachable.push(name);
  }
  return { wanted, unreachable };
};

/** What to add and what to take away. */
export const backendChanges = (
  wanted: readonly WantedBackend[],
  existing: readonly NodeBalancerNode[],
): { readonly add: readonly WantedBackend[]; readonly remove: readonly NodeBalancerNode[] } => ({
  add: wanted.filter(({ address }) => existing.every((node) => node.address !== address)),
  remove: existing.filter((node) => wanted.every(({ address }) => address !== node.address)),
});
