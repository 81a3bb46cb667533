import type { Addressed } from "./private-addresses.ts";

interface Id {
  readonly id: string;
}

/** An address at which a load balancer listens. */
export interface Frontend extends Addressed {
  readonly zones?: readonly string[];
  readonly properties: Addressed["properties"] & { readonly publicIPAddress?: Id };
}

/** A port that is spread over a pool. */
export interface BalancingRule {
  readonly name: string;
  readonly properties: {
    readonly frontendIPConfiguration?: Id;
    readonly backendAddressPool?: Id;
    readonly backendAddressPools?: readonly Id[];
    readonly protocol: string;
    readonly frontendPort: number;
    readonly backendPort?: number;
    readonly disableOutboundSnat?: boolean;
  };
}

/** A port that leads to one machine. */
export interface NatRule {
  readonly name: string;
  readonly properties: {
    readonly frontendIPConfiguration?: Id;
    readonly protocol?: string;
    readonly frontendPort?: number;
    readonly backendPort?: number;
  };
}

/** The part of a load balancer that is looked at here. */
export interface LoadBalancer {
  /** Addresses on this computer that stand for the private ones, by the names of their frontends; answers do not show them. */
  readonly loopbacks?: Readonly<Record<string, string>>;
  readonly frontendIPConfigurations?: readonly Frontend[];
  readonly backendAddressPools?: readonly { readonly name: string }[];
  readonly loadBalancingRules?: readonly BalancingRule[];
  readonly inboundNatRules?: readonly NatRule[];
  readonly outboundRules?: readonly {
    readonly name: string;
    readonly properties: { readonly frontendIPConfigurations?: readonly Id[] };
  }[];
}

export const loadBalancerType = "Microsoft.Network/loadBalancers";
