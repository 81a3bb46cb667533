import type { TypeTable } from "../type-table.ts";

/** Types of node.k8s.io/v1; the notation is described at `TypeTable`. Source: Kubernetes 1.36. */
export const nodeTypes: TypeTable = {
  Overhead: "podFixed 1 {Quantity}",
  RuntimeClass: "metadata 1 ObjectMeta; handler 2 string required; overhead 3 Overhead; scheduling 4 Scheduling",
  Scheduling: "@atomic; nodeSelector 1 {string} atomic; tolerations 2 [core.Toleration]",
};
