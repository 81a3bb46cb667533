import { disruptionBudgetCauses } from "../validation/disruption-budget.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

/** Before anybody has counted. */
const noPods = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };

export const disruptionBudgets: KindBehaviour = {
  strategy: {
    prepareForCreate: (object) => ({ ...object, status: noPods }),
    validate: disruptionBudgetCauses,
    validateUpdate: (object, _old, _context, subresource) =>
      subresource === "status" ? [] : disruptionBudgetCauses(object),
  },
  subresources: [{ name: "status", verbs: ["get", "patch", "update"], behaviour: { type: "status" } }],
};
