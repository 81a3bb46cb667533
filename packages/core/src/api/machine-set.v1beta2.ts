import {
  clusterName,
  count,
  deprecatedStatus,
  desiredCount,
  legacyFailure,
  observedGeneration,
  replicaCounters,
  scaleSelector,
  statusConditions,
  v1beta2,
  versionCounts,
} from "@capstan/kit/machines";
import { enumOf, kind, labelSelector, object, optional, text } from "@capstan/schema";
import { MachineSetV1Beta1 } from "./machine-set.v1beta1.ts";
import { machineTemplate } from "./machine-spec.v1beta2.ts";
import { machineSetNames } from "./names.ts";

/** Which Machines go first when there are too many. */
export const deletionOrder = () =>
  enumOf(["Random", "Newest", "Oldest"], {
    description: "Which Machines go first when there are too many; Random when unset.",
  });

/** Naming of the Machines of a set. */
export const machineNaming = () =>
  object(
    {
      template: optional(
        text(256, "Template of the names, for example {{ .machineSet.name }}-{{ .random }}; it must use .random."),
      ),
    },
    { description: "How the Machines are named.", ...v1beta2.object },
  );

export const MachineSet = kind({
  ...machineSetNames,
  version: "v1beta2",
  versions: [MachineSetV1Beta1],
  scale: { specReplicas: ".spec.replicas", statusReplicas: ".status.replicas", labelSelector: ".status.selector" },
  columns: [
    { name: "Cluster", path: ".spec.clusterName" },
    { name: "Desired", path: ".spec.replicas", type: "integer" },
    { name: "Current", path: ".status.replicas", type: "integer" },
    { name: "Ready", path: ".status.readyReplicas", type: "integer" },
    { name: "Available", path: ".status.availableReplicas", type: "integer" },
    { name: "Up-to-date", path: ".status.upToDateReplicas", type: "integer" },
    { name: "Paused", path: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
    { name: "Version", path: ".spec.template.spec.version" },
  ],
  spec: object({
    clusterName: clusterName(),
    replicas: optional(desiredCount("Machines wanted.")),
    selector: labelSelector({ description: "Which Machines belong to the set; must match the template's labels." }),
    template: machineTemplate(),
    machineNaming: optional(machineNaming()),
    deletion: optional(
      object(
        { order: optional(deletionOrder()) },
        { description: "How Machines are chosen for deletion.", ...v1beta2.object },
      ),
    ),
  }),
  status: object(
    {
      conditions: optional(statusConditions()),
      selector: optional(scaleSelector()),
      ...replicaCounters,
      versions: optional(versionCounts({ maxItems: 100, keyed: true })),
      observedGeneration: optional(observedGeneration()),
      deprecated: optional(
        deprecatedStatus({
          ...legacyFailure,
          fullyLabeledReplicas: optional(count("Machines with all labels of the template.")),
          readyReplicas: optional(count("Machines with a ready Node.")),
          availableReplicas: optional(count("Machines whose Node has been ready for long enough.")),
        }),
      ),
    },
    { ...v1beta2.object },
  ),
});

/** One MachineSet. */
export type MachineSet = typeof MachineSet.Type;
