import type { TypeTable } from "../type-table.ts";

/** Types of policy/v1; the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const policyTypes: TypeTable = {
  Eviction: "metadata 1 ObjectMeta; deleteOptions 2 DeleteOptions",
  PodDisruptionBudget: "metadata 1 ObjectMeta; spec 2 PodDisruptionBudgetSpec; status 3 PodDisruptionBudgetStatus",
  PodDisruptionBudgetSpec:
    "minAvailable 1 IntOrString; selector 2 LabelSelector patch(replace); maxUnavailable 3 IntOrString; unhealthyPodEvictionPolicy 4 string?",
  PodDisruptionBudgetStatus:
    "observedGeneration 1 int64; disruptedPods 2 {Time}; disruptionsAllowed 3 int32; currentHealthy 4 int32; desiredHealthy 5 int32; expectedPods 6 int32; conditions 7 [Condition] map(type) patch(merge:type)",
};
