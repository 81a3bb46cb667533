import { kind } from "@capstan/schema";
import { drainRuleColumns, drainRuleSpec, MachineDrainRuleV1Beta1 } from "./machine-drain-rule.v1beta1.ts";
import { machineDrainRuleNames } from "./names.ts";

export const MachineDrainRule = kind({
  ...machineDrainRuleNames,
  version: "v1beta2",
  versions: [MachineDrainRuleV1Beta1],
  columns: drainRuleColumns,
  metadataRequired: true,
  spec: drainRuleSpec(),
});

/** One MachineDrainRule. */
export type MachineDrainRule = typeof MachineDrainRule.Type;
