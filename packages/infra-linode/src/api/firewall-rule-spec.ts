import { enumOf, list, object, objectReference, optional, string } from "@capstan/schema";

const addresses = (family: string) =>
  optional(list(string({ description: "An address or a range in CIDR notation." }), { description: family }));

/** The addresses of a rule or of a set. */
export const addressLists = () => ({ ipv4: addresses("IPv4 addresses."), ipv6: addresses("IPv6 addresses.") });

/** References to objects of one kind. */
export const references = (description: string) =>
  optional(list(objectReference({ description: "One of them." }), { description, type: "atomic" }));

/** One rule, in a firewall or of its own. */
export const firewallRuleSpec = () =>
  object(
    {
      action: enumOf(["ACCEPT", "DROP"], { description: "What happens to matching packets." }),
      label: string({ description: "Label of the rule.", minLength: 3 }),
      description: optional(string({ description: "What the rule is for." })),
      ports: optional(string({ description: "Ports and ranges, for example 22, 443, 30000-32767." })),
      protocol: enumOf(["TCP", "UDP", "ICMP", "IPENCAP"], { description: "Protocol of matching packets." }),
      addresses: optional(object(addressLists(), { description: "Whom the rule is about." })),
      addressSetRefs: references("AddressSets whom the rule is about, beside addresses."),
    },
    { description: "One rule." },
  );
