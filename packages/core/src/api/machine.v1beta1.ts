import {
  addresses,
  deletionProgress,
  legacyFailure,
  looseObservedGeneration,
  newerStatus,
  nodeInfo,
} from "@capstan/kit/machines";
import { boolean, enumOf, kind, legacyConditions, object, objectReference, optional, time } from "@capstan/schema";
import { machineSpec } from "./machine-spec.v1beta1.ts";
import { machineNames } from "./names.ts";

export const MachineV1Beta1 = kind({
  ...machineNames,
  version: "v1beta1",
  storage: false,
  deprecated: true,
  columns: [
    { name: "Cluster", path: ".spec.clusterName" },
    { name: "NodeName", path: ".status.nodeRef.name" },
    { name: "ProviderID", path: ".spec.providerID" },
    { name: "Phase", path: ".status.phase" },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
    { name: "Version", path: ".spec.version" },
  ],
  spec: optional(machineSpec()),
  status: object({
    nodeRef: optional(objectReference({ description: "The Node the Machine became." })),
    nodeInfo: optional(nodeInfo()),
    lastUpdated: optional(time({ description: "When the phase last changed." })),
    ...legacyFailure,
    addresses: optional(addresses({})),
    phase: optional(
      enumOf(["Pending", "Provisioning", "Provisioned", "Running", "Deleting", "Deleted", "Failed", "Unknown"], {
        description: "Summary for people; programs read the conditions.",
      }),
    ),
    certificatesExpiryDate: optional(
      time({ description: "When the first certificate of a control plane machine expires." }),
    ),
    bootstrapReady: optional(boolean({ description: "The bootstrap data exists." })),
    infrastructureReady: optional(boolean({ description: "The infrastructure provided the machine." })),
    observedGeneration: optional(looseObservedGeneration()),
    conditions: optional(legacyConditions()),
    deletion: optional(deletionProgress()),
    v1beta2: optional(newerStatus({})),
  }),
});

/** One Machine in API version v1beta1. */
export type MachineV1Beta1 = typeof MachineV1Beta1.Type;
