import {
  clusterName,
  count,
  deprecatedStatus,
  desiredCount,
  observedGeneration,
  replicaCounters,
  scaleSelector,
  statusConditions,
  v1beta2,
  versionCounts,
} from "@capstan/kit/machines";
import { boolean, enumOf, kind, labelSelector, object, optional } from "@capstan/schema";
import { MachineDeploymentV1Beta1 } from "./machine-deployment.v1beta1.ts";
import { deletionOrder, machineNaming } from "./machine-set.v1beta2.ts";
import { machineTemplate } from "./machine-spec.v1beta2.ts";
import { machineDeploymentNames } from "./names.ts";
import { maxInFlight, rollout } from "./rollout.v1beta2.ts";

export const MachineDeployment = kind({
  ...machineDeploymentNames,
  version: "v1beta2",
  versions: [MachineDeploymentV1Beta1],
  scale: { specReplicas: ".spec.replicas", statusReplicas: ".status.replicas", labelSelector: ".status.selector" },
  columns: [
    { name: "Cluster", path: ".spec.clusterName" },
    { name: "Available", path: '.status.conditions[?(@.type=="Available")].status' },
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
    rollout: optional(rollout()),
    selector: labelSelector({
      description: "Which Machines belong to the deployment; must match the template's labels.",
    }),
    template: machineTemplate(),
    machineNaming: optional(machineNaming()),
    remediation: optional(
      object(
        { maxInFlight: optional(maxInFlight()) },
        { description: "How unhealthy Machines are replaced.", ...v1beta2.object },
      ),
    ),
    deletion: optional(
      object(
        { order: optional(deletionOrder()) },
        { description: "How Machines are chosen for deletion.", ...v1beta2.object },
      ),
    ),
    paused: optional(boolean({ description: "True: a changed template is not rolled out; scaling still works." })),
  }),
  status: object(
    {
      conditions: optional(statusConditions()),
      observedGeneration: optional(observedGeneration()),
      selector: optional(scaleSelector()),
      ...replicaCounters,
      versions: optional(versionCounts({ maxItems: 100, keyed: true })),
      phase: optional(
        enumOf(["ScalingUp", "ScalingDown", "Running", "Failed", "Unknown"], {
          description: "Summary for people; programs read the conditions.",
        }),
      ),
      deprecated: optional(
        deprecatedStatus({
          updatedReplicas: optional(count("Machines that match the current template.")),
          readyReplicas: optional(count("Machines with a ready Node.")),
          availableReplicas: optional(count("Machines whose Node has been ready for long enough.")),
          unavailableReplicas: optional(count("Machines wanted that are not available.")),
        }),
      ),
    },
    { ...v1beta2.object },
  ),
});

/** One MachineDeployment. */
export type MachineDeployment = typeof MachineDeployment.Type;
