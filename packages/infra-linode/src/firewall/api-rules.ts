import { isIPv4, isIPv6 } from "node:net";
import type { FirewallRule as ApiRule } from "@capstan/linode-client";
import type { FirewallRule } from "../api/firewall-rule.v1alpha2.ts";

/** Limits of the API. */
export const ruleLimits = { perFirewall: 25, addressesPerRule: 255, label: 32, description: 100 } as const;

/** A rule with all its addresses. */
export interface WholeRule {
  readonly rule: FirewallRule["spec"];
  readonly addresses: { readonly ipv4: readonly string[]; readonly ipv6: readonly string[] };
}

const families = {
  ipv4: { isAddress: isIPv4, bits: 32 },
  ipv6: { isAddress: isIPv6, bits: 128 },
} as const;

/** An address as a range; `undefined` when it is neither of the family. */
export const asRange = (family: keyof typeof families, text: string): string | undefined => {
  const { bits, isAddress } = families[family];
  const [address = "", prefix, ...more] = text.trim().split("/");
  if (!isAddress(address) || more.length > 0) return undefined;
  if (prefix === undefined) return `${address}/${bits}`;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits ? `${address}/${Number(prefix)}` : undefined;
};

const chunks = (ranges: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ranges.length / ruleLimits.addressesPerRule) }, (_, index) =>
    ranges.slice(index * ruleLimits.addressesPerRule, (index + 1) * ruleLimits.addressesPerRule),
  );

/**
 * Converts checked rules to the form of the API: for each, one per family and per batch of as many addresses as the API
 * takes at once.
 */
export const apiRules = (rules: readonly WholeRule[]): readonly ApiRule[] =>
  rules.flatMap(({ addresses, rule }, index) => {
    const { action, description = "", label, ports = "", protocol } = rule;
    const common = {
      action,
      protocol,
      label: `${action}-${label}`.slice(0, ruleLimits.label),
      description: (description === "" ? `Rule ${index}: ${label}` : description).slice(0, ruleLimits.description),
      ...(ports !== "" && { ports }),
    };
    return (["ipv4", "ipv6"] as const).flatMap((family) => {
      const ranges = addresses[family].flatMap((text) => asRange(family, text) ?? []);
      return chunks([...new Set(ranges)]).map((chunk) => ({ ...common, addresses: { [family]: chunk } }));
    });
  });
