import { isIPv4 } from "node:net";
import type { NodeBalancerNode } from "@capstan/linode-client";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { hasPrivateAddress } from "../machine/instance-body.ts";

/** One machine that should be behind a port. */
export interface WantedBackend {
  readonly label: string;
  /** `ip:port`. */
  readonly address: string;
}

export interface BackendRules {
  readonly port: number;
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

/** The address the NodeBalancer uses. The private one, if there is one, stands last among the internal ones. */
const reachableAddress = ({ spec, status }: LinodeMachine, throughVpc: boolean): string | undefined => {
  const internal = (status?.addresses ?? []).flatMap(({ type, address }) =>
    type === "InternalIP" && isIPv4(address) ? [address] : [],
  );
  const privateAddress = hasPrivateAddress(spec) ? internal.at(-1) : undefined;
  const inVpc = throughVpc ? internal.find((address) => address !== privateAddress) : undefined;
  return inVpc ?? privateAddress;
};

/**
 * The machines that have an address the NodeBalancer can reach, the names of those that have addresses but none of that kind, and the
 * labels of those whose addresses are not known: they are not there yet, or were moved here.
 */
export const wantedBackends = (
  machines: readonly LinodeMachine[],
  rules: BackendRules,
): {
  readonly wanted: readonly WantedBackend[];
  readonly unreachable: readonly string[];
  readonly unknown: readonly string[];
} => {
  const wanted: WantedBackend[] = [];
  const unreachable: string[] = [];
  const unknown: string[] = [];
  for (const machine of machines) {
    const name = machine.metadata.name ?? "";
    const address = reachableAddress(machine, rules.throughVpc);
    if (address !== undefined) wanted.push({ label: backendLabel(name), address: `${address}:${rules.port}` });
    else if ((machine.status?.addresses ?? []).length > 0) unreachable.push(name);
    else unknown.push(backendLabel(name));
  }
  return { wanted, unreachable, unknown };
};

/**
 * Returns the backends to add and to remove. The backend of a machine whose address is unknown stays until it is known.
 */
export const backendChanges = (
  { wanted, unknown }: Pick<ReturnType<typeof wantedBackends>, "wanted" | "unknown">,
  existing: readonly NodeBalancerNode[],
): { readonly add: readonly WantedBackend[]; readonly remove: readonly NodeBalancerNode[] } => ({
  add: wanted.filter(({ address }) => existing.every((node) => node.address !== address)),
  remove: existing.filter(
    ({ address, label }) => wanted.every((backend) => backend.address !== address) && !unknown.includes(label),
  ),
});
