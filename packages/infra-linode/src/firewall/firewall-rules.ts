import type { Waiting } from "@capstan/kit/resource";
import type { FirewallRules } from "@capstan/linode-client";
import { keyText } from "@capstan/kube-values";
import type { ObjectKey } from "@capstan/kube-values";
import type { KubeObject, ObjectReference } from "@capstan/schema";
import { LinodeReason } from "../api/linode-conditions.ts";
import type { AddressSet } from "../api/address-set.v1alpha2.ts";
import type { FirewallRule } from "../api/firewall-rule.v1alpha2.ts";
import type { LinodeFirewall } from "../api/linode-firewall.v1alpha2.ts";
import { apiRules, asRange, ruleLimits } from "./api-rules.ts";
import type { WholeRule } from "./api-rules.ts";
import { namedObjects } from "./firewall-references.ts";

/** Objects that a firewall refers to. */
export interface RuleSources {
  rule(key: ObjectKey): FirewallRule | undefined;
  addressSet(key: ObjectKey): AddressSet | undefined;
}

/** The rules of a firewall for the API, or why there are none to be had yet. */
export type RulesOutcome = { readonly rules: FirewallRules } | { readonly waiting: Waiting };

class Unusable extends Error {
  readonly waiting: Waiting;
  constructor(reason: string, message: string) {
    super(message);
    this.waiting = { reason, message };
  }
}

/** Everything that the rules of a firewall say, with what they refer to. */
export const firewallRules = (firewall: LinodeFirewall, sources: RuleSources): RulesOutcome => {
  const { spec } = firewall;
  try {
    const inbound = apiRules(
      direction(firewall, "spec.inboundRules", spec.inboundRules, spec.inboundRuleRefs, sources),
    );
    const outbound = apiRules(
      direction(firewall, "spec.outboundRules", spec.outboundRules, spec.outboundRuleRefs, sources),
    );
    const count = inbound.length + outbound.length;
    if (count > ruleLimits.perFirewall) {
      throw new Unusable(
        LinodeReason.tooManyRules,
        `the rules expand to ${count} at Linode, one per address family and ${ruleLimits.addressesPerRule} addresses, but a firewall allows ${ruleLimits.perFirewall}: remove some from spec.inboundRules or spec.outboundRules`,
      );
    }
    const { inboundPolicy, outboundPolicy } = spec;
    return { rules: { inbound, outbound, inbound_policy: inboundPolicy, outbound_policy: outboundPolicy } };
  } catch (error) {
    if (error instanceof Unusable) return { waiting: error.waiting };
    throw error;
  }
};

const direction = (
  firewall: LinodeFirewall,
  field: string,
  own: readonly FirewallRule["spec"][] = [],
  refs: readonly ObjectReference[] | undefined,
  sources: RuleSources,
): readonly WholeRule[] => [
  ...own.map((rule, index) => wholeRule(rule, `${field}[${index}]`, firewall, sources)),
  ...namedObjects(refs, firewall).map((key) => {
    const rule = sources.rule(key);
    if (rule !== undefined) return wholeRule(rule.spec, `FirewallRule ${keyText(key)} spec`, rule, sources);
    throw new Unusable(
      LinodeReason.referenceMissing,
      `${field.replace("Rules", "RuleRefs")}: FirewallRule ${keyText(key)} does not exist; create it, or remove the reference`,
    );
  }),
];

/** A rule with its own addresses and those of the sets it refers to. */
const wholeRule = (rule: FirewallRule["spec"], field: string, holder: KubeObject, sources: RuleSources): WholeRule => {
  const sets = namedObjects(rule.addressSetRefs, holder).map((key) => {
    const set = sources.addressSet(key);
    if (set !== undefined) return set.spec;
    throw new Unusable(
      LinodeReason.referenceMissing,
      `${field}.addressSetRefs: AddressSet ${keyText(key)} does not exist; create it, or remove the reference`,
    );
  });
  const all = [rule.addresses ?? {}, ...sets];
  const addresses = { ipv4: all.flatMap(({ ipv4 = [] }) => ipv4), ipv6: all.flatMap(({ ipv6 = [] }) => ipv6) };
  for (const family of ["ipv4", "ipv6"] as const) {
    const wrong = addresses[family].find((text) => asRange(family, text) === undefined);
    if (wrong === undefined) continue;
    const text = `${field}.addresses.${family}: "${wrong}" is not an address or a range such as ${family === "ipv4" ? "10.0.0.0/8" : "2600:3c00::/32"}`;
    throw new Unusable(LinodeReason.addressInvalid, text);
  }
  if (addresses.ipv4.length + addresses.ipv6.length === 0) {
    throw new Unusable(
      LinodeReason.ruleWithoutAddresses,
      `${field}: the rule "${rule.label}" has no addresses; set addresses or addressSetRefs; 0.0.0.0/0 and ::/0 match all`,
    );
  }
  return { rule, addresses };
};
