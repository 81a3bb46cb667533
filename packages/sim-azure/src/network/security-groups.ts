import { boolean, integer, list, object, text } from "@capstan/simulation";
import { refusal } from "../arm/refusals.ts";
import { same } from "../resource-id.ts";
import { referrers } from "../resources/references.ts";
import type { ResourceKind } from "../resources/resource-kind.ts";
import { partOf, refs, texts } from "../resources/shapes.ts";
import { etagOf } from "../resources/views.ts";
import { readOnly } from "../resources/writable.ts";
import { networkKind, networkPart, unlessReferred } from "./network-kind.ts";

const ruleProperties = object(
  {
    description: text({ max: 140 }),
    protocol: text({ min: 1 }),
    sourcePortRange: text(),
    sourcePortRanges: texts,
    destinationPortRange: text(),
    destinationPortRanges: texts,
    sourceAddressPrefix: text(),
    sourceAddressPrefixes: texts,
    destinationAddressPrefix: text(),
    destinationAddressPrefixes: texts,
    sourceApplicationSecurityGroups: refs,
    destinationApplicationSecurityGroups: refs,
    access: text({ enum: ["Allow", "Deny"] }),
    priority: integer,
    direction: text({ enum: ["Inbound", "Outbound"] }),
    provisioningState: readOnly,
  },
  ["protocol", "access", "priority", "direction"],
);

/** The part of a rule that is looked at here. */
export interface SecurityRule {
  readonly name: string;
  readonly properties: {
    readonly protocol: string;
    readonly priority: number;
    readonly direction: string;
    readonly access: string;
    readonly sourceAddressPrefix?: string;
    readonly sourceAddressPrefixes?: readonly string[];
    readonly destinationAddressPrefix?: string;
    readonly destinationAddressPrefixes?: readonly string[];
    readonly destinationPortRange?: string;
    readonly destinationPortRanges?: readonly string[];
  } & Readonly<Record<string, unknown>>;
}

/** The part of a security group that is looked at here. */
export interface SecurityGroup {
  readonly securityRules?: readonly SecurityRule[];
}

const protocols = ["Tcp", "Udp", "Icmp", "Esp", "Ah", "*"];

const invalidRule = (code: string, rule: SecurityRule, id: string, what: string) =>
  refusal(400, code, `Security rule ${id}/securityRules/${rule.name} ${what}`);

/** One of a field and its list says where a rule holds. */
const sides = [
  ["sourcePortRange", "sourcePortRanges"],
  ["destinationPortRange", "destinationPortRanges"],
  ["sourceAddressPrefix", "sourceAddressPrefixes", "sourceApplicationSecurityGroups"],
  ["destinationAddressPrefix", "destinationAddressPrefixes", "destinationApplicationSecurityGroups"],
] as const;

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);

const checkRule = (rule: SecurityRule, id: string): void => {
  const { protocol, priority } = rule.properties;
  if (!protocols.some((known) => same(known, protocol))) {
    throw invalidRule(
      "SecurityRuleInvalidProtocol",
      rule,
      id,
      `has invalid protocol ${protocol}. Valid values are ${protocols.join(", ")}.`,
    );
  }
  if (priority < 100 || priority > 4096) {
    throw invalidRule(
      "SecurityRuleInvalidPriority",
      rule,
      id,
      `has invalid priority ${priority}. Value should be between 100 and 4096.`,
    );
  }
  for (const names of sides) {
    const given = names.filter((name) => isGiven(rule.properties[name]));
    if (given.length === 1) continue;
    throw invalidRule("SecurityRuleParameterInvalid", rule, id, `must specify exactly one of ${names.join(", ")}.`);
  }
};

const checkRules = (id: string, rules: readonly SecurityRule[]): void => {
  for (const [index, rule] of rules.entries()) {
    checkRule(rule, id);
    const { priority, direction } = rule.properties;
    const other = rules
      .slice(0, index)
      .find(({ properties }) => properties.priority === priority && properties.direction === direction);
    if (other === undefined) continue;
    throw refusal(
      400,
      "SecurityRuleConflict",
      `Security rule ${rule.name} conflicts with rule ${other.name}. Rules cannot have the same Priority and Direction. Resource: ${id}.`,
    );
  }
};

/** Lists beside the single values, which answers always have. */
const noLists = {
  sourcePortRanges: [],
  destinationPortRanges: [],
  sourceAddressPrefixes: [],
  destinationAddressPrefixes: [],
} as const;

const words: Readonly<Record<string, string>> = {
  AllowVnetInBound: "Allow inbound traffic from all VMs in VNET",
  AllowAzureLoadBalancerInBound: "Allow inbound traffic from azure load balancer",
  DenyAllInBound: "Deny all inbound traffic",
  AllowVnetOutBound: "Allow outbound traffic from all VMs to all VMs in VNET",
  AllowInternetOutBound: "Allow outbound traffic from all VMs to Internet",
  DenyAllOutBound: "Deny all outbound traffic",
};

const defaultRule = (name: string, priority: number, direction: string, from: string, to: string, access: string) => ({
  name,
  properties: {
    provisioningState: "Succeeded",
    description: words[name],
    ...noLists,
    protocol: "*",
    sourcePortRange: "*",
    destinationPortRange: "*",
    sourceAddressPrefix: from,
    destinationAddressPrefix: to,
    access,
    priority,
    direction,
  },
});

/** Rules that apply when no rule of the group matches. */
export const defaultRules = [
  defaultRule("AllowVnetInBound", 65_000, "Inbound", "VirtualNetwork", "VirtualNetwork", "Allow"),
  defaultRule("AllowAzureLoadBalancerInBound", 65_001, "Inbound", "AzureLoadBalancer", "*", "Allow"),
  defaultRule("DenyAllInBound", 65_500, "Inbound", "*", "*", "Deny"),
  defaultRule("AllowVnetOutBound", 65_000, "Outbound", "VirtualNetwork", "VirtualNetwork", "Allow"),
  defaultRule("AllowInternetOutBound", 65_001, "Outbound", "*", "Internet", "Allow"),
  defaultRule("DenyAllOutBound", 65_500, "Outbound", "*", "*", "Deny"),
];

/** Network security groups. What they allow holds between load balancers and machines, and between machines. */
export const securityGroups: ResourceKind<SecurityGroup> = {
  ...networkKind,
  type: "Microsoft.Network/networkSecurityGroups",
  properties: object({
    securityRules: list(partOf(ruleProperties)),
    defaultSecurityRules: readOnly,
    flushConnection: boolean,
    networkInterfaces: readOnly,
    subnets: readOnly,
    flowLogs: readOnly,
    resourceGuid: readOnly,
    provisioningState: readOnly,
  }),
  parts: { securityRules: networkPart(ruleProperties) },
  prepare: ({ resource }) => {
    const { securityRules = [] } = resource.properties;
    resource.properties = { ...resource.properties, securityRules };
    checkRules(resource.id, securityRules);
  },
  partExtras: (_id, { properties = {} }) => ({ ...noLists, ...properties }),
  derived: (resource, world) => {
    const { id, type } = resource;
    const users = referrers(id, world).map(({ from }) => ({ id: from }));
    const subnets = users.filter((user) => user.id.includes("/subnets/"));
    const networkInterfaces = users.filter((user) => /\/networkInterfaces\/[^/]+$/.test(user.id));
    return {
      defaultSecurityRules: defaultRules.map((rule) => ({
        ...rule,
        id: `${id}/defaultSecurityRules/${rule.name}`,
        etag: etagOf(resource),
        type: `${type}/defaultSecurityRules`,
      })),
      ...(subnets.length === 0 ? {} : { subnets }),
      ...(networkInterfaces.length === 0 ? {} : { networkInterfaces }),
    };
  },
  blocker: unlessReferred("InUseNetworkSecurityGroupCannotBeDeleted", "Network security group"),
};
