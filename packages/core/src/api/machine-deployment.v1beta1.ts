import {
  clusterName,
  count,
  desiredCount,
  looseObservedGeneration,
  newerStatus,
  scaleSelector,
  versionCounts,
} from "@capstan/kit/machines";
import { boolean, enumOf, int32, kind, labelSelector, legacyConditions, object, optional } from "@capstan/schema";
import { machineNamingStrategy, minReadySeconds, newerCounters } from "./machine-set.v1beta1.ts";
import { machineTemplate } from "./machine-spec.v1beta1.ts";
import { machineDeploymentNames } from "./names.ts";
import { strategy } from "./rollout.v1beta1.ts";
import { rolloutAfter } from "./rollout.v1beta2.ts";

export const MachineDeploymentV1Beta1 = kind({
  ...machineDeploymentNames,
  version: "v1beta1",
  storage: false,
  deprecated: true,
  scale: { specReplicas: ".spec.replicas", statusReplicas: ".status.replicas", labelSelector: ".status.selector" },
  columns: [
    { name: "Cluster", path: ".spec.clusterName" },
    { name: "Desired", path: ".spec.replicas", type: "integer", priority: 10 },
    { name: "Replicas", path: ".status.replicas", type: "integer" },
    { name: "Ready", path: ".status.readyReplicas", type: "integer" },
    { name: "Updated", path: ".status.updatedReplicas", type: "integer" },
    { name: "Unavailable", path: ".status.unavailableReplicas", type: "integer" },
    { name: "Phase", path: ".status.phase" },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
    { name: "Version", path: ".spec.template.spec.version" },
  ],
  spec: optional(
    object({
      clusterName: clusterName(),
      replicas: optional(desiredCount("Machines wanted.")),
      rolloutAfter: optional(rolloutAfter()),
      selector: labelSelector({
        description: "Which Machines belong to the deployment; must match the template's labels.",
      }),
      template: machineTemplate(),
      strategy: optional(strategy()),
      machineNamingStrategy: optional(machineNamingStrategy()),
      minReadySeconds: optional(minReadySeconds()),
      revisionHistoryLimit: optional(int32({ description: "No longer used: no history is kept." })),
      paused: optional(boolean({ description: "True: a changed template is not rolled out; scaling still works." })),
      progressDeadlineSeconds: optional(int32({ description: "Not used any more." })),
    }),
  ),
  status: object({
    observedGeneration: optional(looseObservedGeneration()),
    selector: optional(scaleSelector()),
    replicas: optional(count("Machines that exist.")),
    updatedReplicas: optional(count("Machines that match the current template.")),
    readyReplicas: optional(count("Machines with a ready Node.")),
    availableReplicas: optional(count("Machines whose Node has been ready for long enough.")),
    unavailableReplicas: optional(count("Machines wanted that are not available.")),
    versions: optional(versionCounts({ maxItems: 100, keyed: true })),
    phase: optional(
      enumOf(["ScalingUp", "ScalingDown", "Running", "Failed", "Unknown"], {
        description: "Summary for people; programs read the conditions.",
      }),
    ),
    conditions: optional(legacyConditions()),
    v1beta2: optional(newerStatus(newerCounters)),
  }),
});

/** One MachineDeployment in API version v1beta1. */
export type MachineDeploymentV1Beta1 = typeof MachineDeploymentV1Beta1.Type;
