import {
  clusterName,
  count,
  desiredCount,
  legacyFailure,
  looseObservedGeneration,
  newerStatus,
  versionCounts,
} from "@capstan/kit/machines";
import { boolean, kind, legacyConditions, object, optional } from "@capstan/schema";
import { poolFailureDomains, poolNodeRefs, poolPhase, poolScale, providerIDList } from "./machine-pool-parts.ts";
import { minReadySeconds, newerCounters } from "./machine-set.v1beta1.ts";
import { machineTemplate } from "./machine-spec.v1beta1.ts";
import { machinePoolNames } from "./names.ts";

export const MachinePoolV1Beta1 = kind({
  ...machinePoolNames,
  version: "v1beta1",
  storage: false,
  deprecated: true,
  scale: poolScale,
  columns: [
    { name: "Cluster", path: ".spec.clusterName" },
    { name: "Desired", path: ".spec.replicas", type: "integer", priority: 10 },
    { name: "Replicas", path: ".status.replicas" },
    { name: "Phase", path: ".status.phase" },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
    { name: "Version", path: ".spec.template.spec.version" },
  ],
  spec: optional(
    object({
      clusterName: clusterName(),
      replicas: optional(desiredCount("Machines wanted.")),
      template: machineTemplate(),
      minReadySeconds: optional(minReadySeconds()),
      providerIDList: optional(providerIDList({})),
      failureDomains: optional(poolFailureDomains({})),
    }),
  ),
  status: object({
    nodeRefs: optional(poolNodeRefs({})),
    replicas: optional(count("Machines that exist.")),
    readyReplicas: optional(count("Machines with a ready Node.")),
    availableReplicas: optional(count("Machines whose Node has been ready for long enough.")),
    unavailableReplicas: optional(count("Machines that are missing until all wanted ones are available.")),
    versions: optional(versionCounts({ maxItems: 100, keyed: true })),
    ...legacyFailure,
    phase: optional(poolPhase()),
    bootstrapReady: optional(boolean({ description: "The bootstrap data exists." })),
    infrastructureReady: optional(boolean({ description: "The infrastructure provided the machines." })),
    observedGeneration: optional(looseObservedGeneration()),
    conditions: optional(legacyConditions()),
    v1beta2: optional(newerStatus(newerCounters)),
  }),
});

/** One MachinePool in API version v1beta1. */
export type MachinePoolV1Beta1 = typeof MachinePoolV1Beta1.Type;
