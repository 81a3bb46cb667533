import { presentFields } from "@capstan/kube-values";
import type { ResourceBody } from "../cloud/azure-api.ts";
import type { EdgeZone } from "./machine-plan.ts";

/** Facts about an interface that its spec does not have. */
export interface InterfaceFacts {
  readonly name: string;
  readonly location: string;
  /** The edge zone of the cluster. */
  readonly extendedLocation?: EdgeZone | undefined;
  readonly tags: Readonly<Record<string, string>>;
  /** Resource ID of its subnet. */
  readonly subnet: string;
  /** The subnet has addresses of version 6. */
  readonly hasIPv6: boolean;
  readonly addresses: number;
  readonly isAccelerated: boolean;
  readonly forwardsTraffic: boolean;
  readonly dnsServers: readonly string[];
  /** Resource ID. The pools and NAT rules below are resource IDs, too; all are set for the primary interface only. */
  readonly publicIP: string | undefined;
  readonly pools: readonly string[];
  /** Pools behind addresses of version 6, which take such of machines alone. */
  readonly version6Pools: readonly string[];
  readonly natRules: readonly string[];
}

const references = (ids: readonly string[]): readonly { readonly id: string }[] | undefined =>
  ids.length === 0 ? undefined : ids.map((id) => ({ id }));

/** Addresses that Azure gives one interface; admission refuses more. */
export const maxAddresses = 256;

/** The body of a network interface: its first configuration is the one that load balancers and public addresses are linked to. */
export const interfaceBody = (facts: InterfaceFacts): ResourceBody => {
  const subnet = { id: facts.subnet };
  const shared = { privateIPAllocationMethod: "Dynamic", subnet };
  const primary = {
    name: "pipConfig",
    properties: presentFields({
      ...shared,
      primary: true,
      publicIPAddress: facts.publicIP === undefined ? undefined : { id: facts.publicIP },
      loadBalancerBackendAddressPools: references(facts.pools),
      loadBalancerInboundNatRules: references(facts.natRules),
    }),
  };
  const more = Array.from({ length: Math.min(Math.max(1, facts.addresses), maxAddresses) - 1 }, (_, index) => ({
    name: `${facts.name}-${index + 1}`,
    properties: { ...shared, primary: false },
  }));
  const version6 = {
    name: "ipConfigv6",
    properties: presentFields({
      ...shared,
      primary: false,
      privateIPAddressVersion: "IPv6",
      loadBalancerBackendAddressPools: references(facts.version6Pools),
    }),
  };
  return {
    location: facts.location,
    ...(facts.extendedLocation !== undefined && { extendedLocation: facts.extendedLocation }),
    tags: facts.tags,
    properties: presentFields({
      enableAcceleratedNetworking: facts.isAccelerated,
      enableIPForwarding: facts.forwardsTraffic,
      dnsSettings: facts.dnsServers.length === 0 ? undefined : { dnsServers: facts.dnsServers },
      ipConfigurations: [primary, ...more, ...(facts.hasIPv6 ? [version6] : [])],
    }),
  };
};
