import { CapstanError } from "@capstan/contract";
import { describeObject } from "@capstan/contract/wire";
import { byText, isReadableSelector, selects } from "@capstan/kube-values";
import type { LabelSelector } from "@capstan/schema";
import type { Cluster, Machine, MachineDrainRule } from "../api.ts";
import { CoreErrorCode } from "../errors.ts";
import type { Pod } from "../object/workload-kinds.ts";

type Labels = Readonly<Record<string, string>>;

/** Behaviour of a drain towards a Pod, independent of other Pods: Pods of a lower order go first. */
export interface DrainBehaviour {
  readonly behaviour: "Drain" | "Skip" | "WaitCompleted";
  readonly order: number;
}

const unreadable = (rule: MachineDrainRule, field: string): CapstanError =>
  new CapstanError({
    code: CoreErrorCode.drainRuleInvalid,
    reason: "InvalidDrainRule",
    message: `${describeObject(rule)}: ${field} cannot be read; correct the rule, until then no Node that it may be about is drained`,
  });

const assertReadable = (rule: MachineDrainRule): void => {
  const { drain, machines = [], pods = [] } = rule.spec;
  if (!["Drain", "Skip", "WaitCompleted"].includes(drain.behavior)) throw unreadable(rule, "spec.drain.behavior");
  const selectors: readonly (readonly [string, LabelSelector | undefined])[] = [
    ...machines.flatMap(({ selector, clusterSelector }, index) => [
      [`spec.machines[${index}].selector`, selector] as const,
      [`spec.machines[${index}].clusterSelector`, clusterSelector] as const,
    ]),
    ...pods.flatMap(({ selector, namespaceSelector }, index) => [
      [`spec.pods[${index}].selector`, selector] as const,
      [`spec.pods[${index}].namespaceSelector`, namespaceSelector] as const,
    ]),
  ];
  for (const [field, selector] of selectors) if (!isReadableSelector(selector)) throw unreadable(rule, field);
};

/**
 * The rules for the Pods of one Machine, in the order in which they are asked. Throws `core.drain_rule_invalid`: a rule
 * that is not understood may be the one that protects a Pod.
 */
export const rulesForMachine = (
  rules: readonly MachineDrainRule[],
  machine: Machine,
  cluster: Cluster,
): readonly MachineDrainRule[] => {
  for (const rule of rules) assertReadable(rule);
  return rules
    .filter(
      ({ spec }) =>
        spec.machines === undefined ||
        spec.machines.some(
          ({ selector, clusterSelector }) =>
            selects(selector, machine.metadata.labels) && selects(clusterSelector, cluster.metadata.labels),
        ),
    )
    .toSorted((a, b) => byText(a.metadata.name ?? "", b.metadata.name ?? ""));
};

/** Returns whether the labels of Namespaces have to be known. */
export const needsNamespaces = (rules: readonly MachineDrainRule[]): boolean =>
  rules.some(({ spec }) => spec.pods?.some(({ namespaceSelector }) => namespaceSelector !== undefined) === true);

/** Returns the behaviour of the first rule that matches a Pod; `undefined` when none does. */
export const behaviourByRule = (
  rules: readonly MachineDrainRule[],
  pod: Pod,
  namespaceLabels: ReadonlyMap<string, Labels>,
): DrainBehaviour | undefined => {
  const ofNamespace = namespaceLabels.get(pod.metadata.namespace ?? "");
  const rule = rules.find(
    ({ spec }) =>
      spec.pods === undefined ||
      spec.pods.some(
        ({ selector, namespaceSelector }) =>
          selects(selector, pod.metadata.labels) && selects(namespaceSelector, ofNamespace),
      ),
  );
  if (rule === undefined) return undefined;
  const { behavior, order = 0 } = rule.spec.drain;
  return { behaviour: behavior, order: behavior === "Drain" ? order : 0 };
};
