import { enumOf, int32, kind, labelSelector, list, object, optional } from "@capstan/schema";
import type { Fields } from "@capstan/schema";
import { machineDrainRuleNames } from "./names.ts";

const uniqueList = <const F extends Fields>(name: string, description: string, item: F) =>
  list(object(item, { description: "All selectors of an entry must match.", minProperties: 1 }), {
    description,
    minItems: 1,
    maxItems: 32,
    type: "atomic",
    rules: [{ rule: "self.all(x, self.exists_one(y, x == y))", message: `entries in ${name} must be unique` }],
  });

/** The spec of a MachineDrainRule, the same in all versions. */
export const drainRuleSpec = () =>
  object({
    drain: object(
      {
        behavior: enumOf(["Drain", "Skip", "WaitCompleted"], {
          description: "Drain: evict. Skip: leave alone. WaitCompleted: wait until the Pod ends by itself.",
        }),
        order: optional(int32({ description: "Pods with a lower number go first; 0 when unset. Only with Drain." })),
      },
      { description: "What happens to the Pods." },
    ),
    machines: optional(
      uniqueList("machines", "Machines the rule is for; all when unset.", {
        selector: optional(labelSelector({ description: "Labels of the Machine." })),
        clusterSelector: optional(labelSelector({ description: "Labels of the Machine's Cluster." })),
      }),
    ),
    pods: optional(
      uniqueList("pods", "Pods the rule is for; all when unset.", {
        selector: optional(labelSelector({ description: "Labels of the Pod." })),
        namespaceSelector: optional(labelSelector({ description: "Labels of the Pod's Namespace." })),
      }),
    ),
  });

export const drainRuleColumns = [
  { name: "Behavior", path: ".spec.drain.behavior" },
  { name: "Order", path: ".spec.drain.order" },
  { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
] as const;

export const MachineDrainRuleV1Beta1 = kind({
  ...machineDrainRuleNames,
  version: "v1beta1",
  storage: false,
  deprecated: true,
  columns: drainRuleColumns,
  metadataRequired: true,
  spec: drainRuleSpec(),
});

/** One MachineDrainRule in API version v1beta1. */
export type MachineDrainRuleV1Beta1 = typeof MachineDrainRuleV1Beta1.Type;
