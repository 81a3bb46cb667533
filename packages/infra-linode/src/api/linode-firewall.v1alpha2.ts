import { Label } from "@capstan/contract";
import { boolean, defaulted, enumOf, integer, kind, list, object, optional } from "@capstan/schema";
import { credentialsRef } from "./credentials-ref.ts";
import { firewallRuleSpec, references } from "./firewall-rule-spec.ts";
import { linodeKind } from "./names.ts";
import { firewallReferences } from "./references.ts";
import { thingStatus } from "./status-parts.ts";

const policy = (description: string) => defaulted(enumOf(["ACCEPT", "DROP"], { description }), "ACCEPT");

const rules = (description: string) => optional(list(firewallRuleSpec(), { description, type: "atomic" }));

export const LinodeFirewall = kind({
  ...linodeKind,
  labels: { ...linodeKind.labels, [Label.moveHierarchy]: "true" },
  kind: "LinodeFirewall",
  plural: "linodefirewalls",
  references: firewallReferences,
  shortNames: ["lfw"],
  description: "A cloud firewall at Linode.",
  columns: [{ name: "Ready", path: ".status.ready" }],
  spec: object(
    {
      firewallID: optional(
        integer({ description: "Id of the firewall; set by the controller, or by who brings one." }),
      ),
      enabled: defaulted(boolean({ description: "Whether the rules are in force." }), false),
      inboundRules: rules("Rules for packets to the servers, the first that matches counts."),
      inboundRuleRefs: references("FirewallRules for packets to the servers, after inboundRules."),
      inboundPolicy: policy("What happens to packets to the servers that no rule matches."),
      outboundRules: rules("Rules for packets from the servers, the first that matches counts."),
      outboundRuleRefs: references("FirewallRules for packets from the servers, after outboundRules."),
      outboundPolicy: policy("What happens to packets from the servers that no rule matches."),
      credentialsRef: credentialsRef(),
    },
    { description: "The firewall.", minProperties: 1 },
  ),
  status: object(thingStatus("The firewall exists with its rules.")),
});

/** One LinodeFirewall. */
export type LinodeFirewall = typeof LinodeFirewall.Type;
