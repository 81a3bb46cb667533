import type { KubeObject } from "@capstan/schema";
import type { KindBehaviour } from "./kind-behaviour.ts";
import { invalid, oneOf } from "../validation/causes.ts";
import type { Causes } from "../validation/causes.ts";
import { specOf } from "../../values/object-parts.ts";
import { labelSelectorCauses } from "../validation/label-selector.ts";

const amountCauses = (field: string, value: unknown): Causes => {
  const fits = typeof value === "number" ? value >= 0 : value === undefined || /^(\d{1,2}|100)%$/.test(String(value));
  return fits ? [] : [invalid(field, value, "must be a non-negative number or a percentage from 0% to 100%")];
};

const validate = (object: KubeObject): Causes => {
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

/** Before anybody has counted. */
const noPods = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };

export const disruptionBudgets: KindBehaviour = {
  strategy: {
    prepareForCreate: (object) => ({ ...object, status: noPods }),
    validate,
    validateUpdate: (object, _old, _context, subresource) => (subresource === "status" ? [] : validate(object)),
  },
  subresources: [{ name: "status", verbs: ["get", "patch", "update"], behaviour: { type: "status" } }],
};
