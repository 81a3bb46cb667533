import {
  contractReference,
  deprecatedStatus,
  gates,
  legacyFailure,
  observedGeneration,
  statusConditions,
  v1beta2,
} from "@capstan/kit/machines";
import { Group } from "@capstan/contract";
import { boolean, int32, kind, list, object, optional, text } from "@capstan/schema";
import { clusterNetwork, clusterPhase, groupStatus } from "./cluster-parts.ts";
import { ClusterV1Beta1 } from "./cluster.v1beta1.ts";
import { failureDomain, failureDomainFacts } from "./failure-domains.ts";
import { clusterNames } from "./names.ts";
import { topology } from "./topology.v1beta2.ts";

const port = (description: string) => int32({ description, minimum: 1, maximum: 65_535 });

export const Cluster = kind({
  ...clusterNames,
  version: "v1beta2",
  versions: [ClusterV1Beta1],
  references: [
    { path: "spec.topology.classRef", target: { group: Group.core, plural: "clusterclasses" }, verbs: ["get"] },
  ],
  columns: [
    { name: "ClusterClass", path: ".spec.topology.classRef.name" },
    { name: "Available", path: '.status.conditions[?(@.type=="Available")].status' },
    { name: "CP Desired", path: ".status.controlPlane.desiredReplicas", type: "integer" },
    { name: "CP Current", path: ".status.controlPlane.replicas", type: "integer", priority: 10 },
    { name: "CP Ready", path: ".status.controlPlane.readyReplicas", type: "integer", priority: 10 },
    { name: "CP Available", path: ".status.controlPlane.availableReplicas", type: "integer" },
    { name: "CP Up-to-date", path: ".status.controlPlane.upToDateReplicas", type: "integer" },
    { name: "W Desired", path: ".status.workers.desiredReplicas", type: "integer" },
    { name: "W Current", path: ".status.workers.replicas", type: "integer", priority: 10 },
    { name: "W Ready", path: ".status.workers.readyReplicas", type: "integer", priority: 10 },
    { name: "W Available", path: ".status.workers.availableReplicas", type: "integer" },
    { name: "W Up-to-date", path: ".status.workers.upToDateReplicas", type: "integer" },
    { name: "Paused", path: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
    { name: "Phase", path: ".status.phase" },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
    { name: "Version", path: ".spec.topology.version" },
  ],
  spec: object(
    {
      paused: optional(boolean({ description: "True: controllers stop reconciling the Cluster." })),
      clusterNetwork: optional(clusterNetwork(v1beta2, port("Port of the API server."))),
      controlPlaneEndpoint: optional(
        object(
          { host: optional(text(512, "Host name or address.")), port: optional(port("Port.")) },
          { description: "Where the API server is reached.", ...v1beta2.object },
        ),
      ),
      controlPlaneRef: optional(contractReference({ description: "The object that provides the control plane." })),
      infrastructureRef: optional(contractReference({ description: "The object that provides the infrastructure." })),
      topology: optional(topology()),
      availabilityGates: optional(gates(v1beta2, "Further conditions that must hold for the Cluster to be Available.")),
    },
    { ...v1beta2.object },
  ),
  status: object(
    {
      conditions: optional(statusConditions()),
      initialization: optional(
        object(
          {
            infrastructureProvisioned: optional(
              boolean({ description: "The infrastructure exists. Never goes back to false." }),
            ),
            controlPlaneInitialized: optional(
              boolean({ description: "The control plane accepted its first request. Never goes back to false." }),
            ),
          },
          { description: "Steps of the Cluster's making that happened.", ...v1beta2.object },
        ),
      ),
      controlPlane: optional(groupStatus("Control plane")),
      workers: optional(groupStatus("Worker")),
      failureDomains: optional(
        list(
          object(
            { name: failureDomain("Name of the failure domain."), ...failureDomainFacts },
            { description: "One failure domain." },
          ),
          {
            description: "Failure domains, copied from the infrastructure object.",
            minItems: 1,
            maxItems: 100,
            keys: ["name"],
          },
        ),
      ),
      phase: optional(clusterPhase()),
      observedGeneration: optional(observedGeneration()),
      deprecated: optional(deprecatedStatus(legacyFailure)),
    },
    { ...v1beta2.object },
  ),
});

/** One Cluster. */
export type Cluster = typeof Cluster.Type;
