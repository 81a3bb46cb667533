import { Label } from "@capstan/contract";
import { kind, object } from "@capstan/schema";
import { firewallRuleSpec } from "./firewall-rule-spec.ts";
import { linodeKind } from "./names.ts";
import { ruleReferences } from "./references.ts";

export const FirewallRule = kind({
  ...linodeKind,
  labels: { ...linodeKind.labels, [Label.moveHierarchy]: "true" },
  kind: "FirewallRule",
  plural: "firewallrules",
  references: ruleReferences,
  shortNames: ["fwr"],
  description: "A rule that firewalls refer to.",
  spec: firewallRuleSpec(),
  status: object({}),
});

/** One FirewallRule. */
export type FirewallRule = typeof FirewallRule.Type;
