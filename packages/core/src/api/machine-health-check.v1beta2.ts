import { clusterName, deprecatedStatus, observedGeneration, statusConditions, v1beta2 } from "@capstan/kit/machines";
import { kind, labelSelector, object, optional } from "@capstan/schema";
import { healthChecks, remediation, targets } from "./health-check-parts.ts";
import { healthCounters, MachineHealthCheckV1Beta1 } from "./machine-health-check.v1beta1.ts";
import { machineHealthCheckNames } from "./names.ts";

export const MachineHealthCheck = kind({
  ...machineHealthCheckNames,
  version: "v1beta2",
  versions: [MachineHealthCheckV1Beta1],
  columns: [
    { name: "Cluster", path: ".spec.clusterName" },
    { name: "Replicas", path: ".status.expectedMachines", type: "integer" },
    { name: "Healthy", path: ".status.currentHealthy", type: "integer" },
    { name: "Paused", path: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
  ],
  spec: object({
    clusterName: clusterName(),
    selector: labelSelector({ description: "Which Machines are checked." }),
    checks: optional(healthChecks()),
    remediation: optional(remediation({})),
  }),
  status: object(
    {
      conditions: optional(statusConditions()),
      ...healthCounters(),
      observedGeneration: optional(observedGeneration()),
      targets: optional(targets({ type: "atomic" })),
      deprecated: optional(deprecatedStatus({})),
    },
    { ...v1beta2.object },
  ),
});

/** One MachineHealthCheck. */
export type MachineHealthCheck = typeof MachineHealthCheck.Type;
