import type { Open } from "./api.ts";

export interface FirewallRule {
  readonly action: "ACCEPT" | "DROP";
  readonly protocol: "TCP" | "UDP" | "ICMP" | "IPENCAP";
  readonly label?: string;
  readonly description?: string;
  readonly ports?: string | null;
  /** Also names of prefix lists. */
  readonly addresses?: { readonly ipv4?: readonly string[]; readonly ipv6?: readonly string[] };
  readonly ruleset?: undefined;
}

/** Stands for the rules of a set; it has nothing of its own. */
export interface RuleSetReference extends Readonly<Partial<Record<Exclude<keyof FirewallRule, "ruleset">, undefined>>> {
  readonly ruleset: number;
}

/** Rules that several firewalls may have. */
export interface RuleSet {
  readonly id: number;
  readonly label: string;
  readonly description: string;
  readonly type: Open<"inbound" | "outbound">;
  readonly rules: readonly FirewallRule[];
  readonly is_service_defined: boolean;
  readonly version: number;
  readonly created: string;
  readonly updated: string;
  readonly deleted: string | null;
}

export interface CreateRuleSet {
  readonly label: string;
  readonly type: "inbound" | "outbound";
  readonly rules: readonly FirewallRule[];
  readonly description?: string;
}

/** `rules` replaces all of them. */
export type UpdateRuleSet = Partial<Omit<CreateRuleSet, "type">>;

/** Networks under one name, which rules can have among their addresses. */
export interface PrefixList {
  readonly id: number;
  /** Begins with `pl:`. */
  readonly name: string;
  readonly description: string;
  readonly visibility: Open<"public" | "restricted" | "private">;
  readonly source_prefixlist_id: number | null;
  readonly ipv4: readonly string[] | null;
  readonly ipv6: readonly string[] | null;
  readonly version: number;
  readonly created: string;
  readonly updated: string;
  readonly deleted: string | null;
}

export interface FirewallRules {
  readonly inbound: readonly (FirewallRule | RuleSetReference)[];
  readonly inbound_policy: "ACCEPT" | "DROP";
  /** `null` where there are none. */
  readonly outbound: readonly (FirewallRule | RuleSetReference)[] | null;
  readonly outbound_policy: "ACCEPT" | "DROP";
  /** Counts the changes; only in answers. */
  readonly version?: number;
  readonly fingerprint?: string;
}

/** With the rules of sets, and the networks of prefix lists, in the place of their names. */
export interface ExpandedFirewallRules extends FirewallRules {
  readonly inbound: readonly FirewallRule[];
  readonly outbound: readonly FirewallRule[];
}

export interface Firewall {
  readonly id: number;
  readonly label: string;
  readonly status: Open<"enabled" | "disabled" | "deleted">;
  readonly rules: FirewallRules;
  readonly tags: readonly string[];
  /** The entities that the firewall protects. */
  readonly entities?: readonly FirewallDevice["entity"][];
  readonly created: string;
  readonly updated: string;
}

export interface CreateFirewall {
  readonly label: string;
  readonly rules: FirewallRules;
  readonly tags?: readonly string[];
  readonly devices?: {
    readonly linodes?: readonly number[];
    readonly nodebalancers?: readonly number[];
    readonly linode_interfaces?: readonly number[];
  };
}

export interface UpdateFirewall {
  readonly label?: string;
  readonly status?: "enabled" | "disabled";
  readonly tags?: readonly string[];
}

/** The owner of an interface with a firewall. */
export interface FirewallParent {
  readonly id: number;
  readonly type: Open<"linode">;
  readonly label: string | null;
  readonly url: string;
  readonly parent_entity?: FirewallParent | null;
}

export interface FirewallDevice {
  readonly id: number;
  readonly entity: {
    readonly id: number;
    readonly type: Open<"linode" | "nodebalancer" | "linode_interface">;
    readonly label: string | null;
    readonly url: string;
    /** The owner of the interface, if the firewall protects an interface. */
    readonly parent_entity?: FirewallParent | null;
  };
  readonly created: string;
  readonly updated: string;
}

export interface DefaultFirewalls {
  readonly default_firewall_ids: {
    readonly linode: number | null;
    readonly nodebalancer: number | null;
    readonly public_interface: number | null;
    readonly vpc_interface: number | null;
  };
}

export interface FirewallTemplate {
  readonly slug: string;
  readonly rules: FirewallRules;
}
