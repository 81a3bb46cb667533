import { gates, legacyFailure, looseObservedGeneration, newerStatus, v1beta1 } from "@capstan/kit/machines";
import {
  boolean,
  int32,
  kind,
  legacyConditions,
  map,
  object,
  objectReference,
  optional,
  string,
} from "@capstan/schema";
import { clusterNetwork, clusterPhase, groupStatus } from "./cluster-parts.ts";
import { failureDomainFacts } from "./failure-domains.ts";
import { clusterNames } from "./names.ts";
import { topology } from "./topology.v1beta1.ts";

export const ClusterV1Beta1 = kind({
  ...clusterNames,
  version: "v1beta1",
  storage: false,
  deprecated: true,
  columns: [
    { name: "ClusterClass", path: ".spec.topology.class" },
    { name: "Phase", path: ".status.phase" },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
    { name: "Version", path: ".spec.topology.version" },
  ],
  spec: optional(
    object({
      paused: optional(boolean({ description: "True: controllers stop reconciling the Cluster." })),
      clusterNetwork: optional(clusterNetwork(v1beta1, int32({ description: "Port of the API server." }))),
      controlPlaneEndpoint: optional(
        object(
          {
            host: optional(string({ description: "Host name or address.", maxLength: 512 })),
            port: optional(int32({ description: "Port." })),
          },
          { description: "Where the API server is reached." },
        ),
      ),
      controlPlaneRef: optional(objectReference({ description: "The object that provides the control plane." })),
      infrastructureRef: optional(objectReference({ description: "The object that provides the infrastructure." })),
      topology: optional(topology()),
      availabilityGates: optional(gates(v1beta1, "Further conditions that must hold for the Cluster to be Available.")),
    }),
  ),
  status: object({
    failureDomains: optional(
      map(object(failureDomainFacts, { description: "One failure domain." }), {
        description: "Failure domains by name, copied from the infrastructure object.",
      }),
    ),
    ...legacyFailure,
    phase: optional(clusterPhase()),
    infrastructureReady: optional(boolean({ description: "The infrastructure exists." })),
    controlPlaneReady: optional(boolean({ description: "The control plane accepts requests." })),
    conditions: optional(legacyConditions()),
    observedGeneration: optional(looseObservedGeneration()),
    v1beta2: optional(
      newerStatus({
        controlPlane: optional(groupStatus("Control plane")),
        workers: optional(groupStatus("Worker")),
      }),
    ),
  }),
});

/** One Cluster in API version v1beta1. */
export type ClusterV1Beta1 = typeof ClusterV1Beta1.Type;
