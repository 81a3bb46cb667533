import type { KubeObject } from "@capstan/schema";
import { specOf } from "../../values/object-parts.ts";
import { type Causes, invalid, oneOf } from "./causes.ts";
import { labelSelectorCauses } from "./label-selector.ts";

const amountCauses = (field: string, value: unknown): Causes => {
  const fits = typeof value === "number" ? value >= 0 : value === undefined || /^(\d{1,2}|100)%$/.test(String(value));
  return fits ? [] : [invalid(field, value, "must be a non-negative number or a percentage from 0% to 100%")];
};

export const disruptionBudgetCauses = (object: KubeObject): Causes => {
  const spec = specOf(object);
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy } = spec;
  return [
    ...(minAvailable !== undefined && maxUnavailable !== undefined
      ? [invalid("spec", spec, "minAvailable and maxUnavailable cannot be both set")]
      : []),
    ...amountCauses("spec.minAvailable", minAvailable),
    ...amountCauses("spec.maxUnavailable", maxUnavailable),
    ...labelSelectorCauses("spec.selector", spec["selector"]),
    ...oneOf("spec.unhealthyPodEvictionPolicy", unhealthyPodEvictionPolicy, ["IfHealthyBudget", "AlwaysAllow"]),
  ];
};
