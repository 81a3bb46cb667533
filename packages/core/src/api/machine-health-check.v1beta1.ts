import { clusterName, looseObservedGeneration, newerStatus } from "@capstan/kit/machines";
import { int32, kind, labelSelector, legacyConditions, object, optional } from "@capstan/schema";
import { flatHealthCheck, targets } from "./health-check-parts.ts";
import { machineHealthCheckNames } from "./names.ts";

/** Counters of a MachineHealthCheck, the same in all versions. */
export const healthCounters = () => ({
  expectedMachines: optional(int32({ description: "Machines that are checked.", minimum: 0 })),
  currentHealthy: optional(int32({ description: "Checked Machines that are healthy.", minimum: 0 })),
  remediationsAllowed: optional(
    int32({ description: "Machines that may still become unhealthy before replacing stops.", minimum: 0 }),
  ),
});

export const MachineHealthCheckV1Beta1 = kind({
  ...machineHealthCheckNames,
  version: "v1beta1",
  storage: false,
  deprecated: true,
  columns: [
    { name: "Cluster", path: ".spec.clusterName" },
    { name: "ExpectedMachines", path: ".status.expectedMachines", type: "integer" },
    { name: "MaxUnhealthy", path: ".spec.maxUnhealthy" },
    { name: "CurrentHealthy", path: ".status.currentHealthy", type: "integer" },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
  ],
  spec: optional(
    object({
      clusterName: clusterName(),
      selector: labelSelector({ description: "Which Machines are checked." }),
      ...flatHealthCheck(),
    }),
  ),
  status: object({
    ...healthCounters(),
    observedGeneration: optional(looseObservedGeneration()),
    targets: optional(targets({})),
    conditions: optional(legacyConditions()),
    v1beta2: optional(newerStatus({})),
  }),
});

/** One MachineHealthCheck in API version v1beta1. */
export type MachineHealthCheckV1Beta1 = typeof MachineHealthCheckV1Beta1.Type;
