import {
  clusterName,
  count,
  desiredCount,
  legacyFailure,
  looseObservedGeneration,
  newerStatus,
  scaleSelector,
  versionCounts,
} from "@capstan/kit/machines";
import { enumOf, int32, kind, labelSelector, legacyConditions, object, optional, text } from "@capstan/schema";
import { machineTemplate } from "./machine-spec.v1beta1.ts";
import { machineSetNames } from "./names.ts";

/** Which Machines go first when there are too many. */
export const deletePolicy = () =>
  enumOf(["Random", "Newest", "Oldest"], {
    description: "Which Machines go first when there are too many; Random when unset.",
  });

/** Naming of the Machines of a set. */
export const machineNamingStrategy = () =>
  object(
    {
      template: optional(
        text(256, "Template of the names, for example {{ .machineSet.name }}-{{ .random }}; it must use .random."),
      ),
    },
    { description: "How the Machines are named." },
  );

/** Counters by the rules of v1beta2 in a v1beta1 object. */
export const newerCounters = {
  readyReplicas: optional(count("Machines that are Ready.")),
  availableReplicas: optional(count("Machines that are Available.")),
  upToDateReplicas: optional(count("Machines that match the desired state.")),
};

export const minReadySeconds = () =>
  int32({ description: "How long a Node must be ready before its Machine counts as available." });

export const MachineSetV1Beta1 = kind({
  ...machineSetNames,
  version: "v1beta1",
  storage: false,
  deprecated: true,
  scale: { specReplicas: ".spec.replicas", statusReplicas: ".status.replicas", labelSelector: ".status.selector" },
  columns: [
    { name: "Cluster", path: ".spec.clusterName" },
    { name: "Desired", path: ".spec.replicas", type: "integer", priority: 10 },
    { name: "Replicas", path: ".status.replicas", type: "integer" },
    { name: "Ready", path: ".status.readyReplicas", type: "integer" },
    { name: "Available", path: ".status.availableReplicas", type: "integer" },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
    { name: "Version", path: ".spec.template.spec.version" },
  ],
  spec: optional(
    object({
      clusterName: clusterName(),
      replicas: optional(desiredCount("Machines wanted.")),
      minReadySeconds: optional(minReadySeconds()),
      deletePolicy: optional(deletePolicy()),
      selector: labelSelector({ description: "Which Machines belong to the set; must match the template's labels." }),
      template: optional(machineTemplate()),
      machineNamingStrategy: optional(machineNamingStrategy()),
    }),
  ),
  status: object({
    selector: optional(scaleSelector()),
    replicas: optional(count("Machines that exist.")),
    fullyLabeledReplicas: optional(count("Machines with all labels of the template.")),
    readyReplicas: optional(count("Machines with a ready Node.")),
    availableReplicas: optional(count("Machines whose Node has been ready for long enough.")),
    versions: optional(versionCounts({ maxItems: 100, keyed: true })),
    observedGeneration: optional(looseObservedGeneration()),
    ...legacyFailure,
    conditions: optional(legacyConditions()),
    v1beta2: optional(newerStatus(newerCounters)),
  }),
});

/** One MachineSet in API version v1beta1. */
export type MachineSetV1Beta1 = typeof MachineSetV1Beta1.Type;
