import {
  clusterName,
  count,
  deprecatedStatus,
  desiredCount,
  initialization,
  legacyFailure,
  observedGeneration,
  replicaCounters,
  statusConditions,
  v1beta2,
  versionCounts,
} from "@capstan/kit/machines";
import { kind, object, optional } from "@capstan/schema";
import { poolFailureDomains, poolNodeRefs, poolPhase, poolScale, providerIDList } from "./machine-pool-parts.ts";
import { MachinePoolV1Beta1 } from "./machine-pool.v1beta1.ts";
import { machineTemplate } from "./machine-spec.v1beta2.ts";
import { machinePoolNames } from "./names.ts";

export const MachinePool = kind({
  ...machinePoolNames,
  version: "v1beta2",
  versions: [MachinePoolV1Beta1],
  scale: poolScale,
  columns: [
    { name: "Cluster", path: ".spec.clusterName" },
    { name: "Desired", path: ".spec.replicas", type: "integer" },
    { name: "Current", path: ".status.replicas", type: "integer" },
    { name: "Ready", path: ".status.readyReplicas", type: "integer" },
    { name: "Available", path: ".status.availableReplicas", type: "integer" },
    { name: "Up-to-date", path: ".status.upToDateReplicas", type: "integer" },
    { name: "Paused", path: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
    { name: "Phase", path: ".status.phase" },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
    { name: "Version", path: ".spec.template.spec.version" },
  ],
  spec: object({
    clusterName: clusterName(),
    replicas: optional(desiredCount("Machines wanted.")),
    template: machineTemplate(),
    providerIDList: optional(providerIDList({ type: "atomic" })),
    failureDomains: optional(poolFailureDomains({ type: "atomic" })),
  }),
  status: object(
    {
      conditions: optional(statusConditions()),
      initialization: optional(initialization("the machines")),
      nodeRefs: optional(poolNodeRefs({ type: "atomic" })),
      ...replicaCounters,
      versions: optional(versionCounts({ maxItems: 100, keyed: true })),
      phase: optional(poolPhase()),
      observedGeneration: optional(observedGeneration()),
      deprecated: optional(
        deprecatedStatus({
          ...legacyFailure,
          readyReplicas: optional(count("Machines with a ready Node.")),
          availableReplicas: optional(count("Machines whose Node has been ready for long enough.")),
          unavailableReplicas: optional(count("Machines that are missing until all wanted ones are available.")),
        }),
      ),
    },
    { ...v1beta2.object },
  ),
});

/** One MachinePool. */
export type MachinePool = typeof MachinePool.Type;
