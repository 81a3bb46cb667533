import type { TypeTable } from "../type-table.ts";

/** Types of scheduling.k8s.io/v1; the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const schedulingTypes: TypeTable = {
  PriorityClass:
    "metadata 1 ObjectMeta; value 2 int32; globalDefault 3 bool; description 4 string; preemptionPolicy 5 string?",
};
