import {
  addresses,
  deletionProgress,
  deprecatedStatus,
  dnsName,
  initialization,
  legacyFailure,
  nodeInfo,
  observedGeneration,
  statusConditions,
  v1beta2,
} from "@capstan/kit/machines";
import { enumOf, kind, object, optional, time } from "@capstan/schema";
import { failureDomain } from "./failure-domains.ts";
import { machineSpec } from "./machine-spec.v1beta2.ts";
import { MachineV1Beta1 } from "./machine.v1beta1.ts";
import { machineNames } from "./names.ts";

export const Machine = kind({
  ...machineNames,
  version: "v1beta2",
  versions: [MachineV1Beta1],
  columns: [
    { name: "Cluster", path: ".spec.clusterName" },
    { name: "Node Name", path: ".status.nodeRef.name" },
    { name: "Provider ID", path: ".spec.providerID", priority: 10 },
    { name: "Failure domain", path: ".status.failureDomain" },
    { name: "Ready", path: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Available", path: '.status.conditions[?(@.type=="Available")].status' },
    { name: "Up-to-date", path: '.status.conditions[?(@.type=="UpToDate")].status' },
    { name: "Internal-IP", path: '.status.addresses[?(@.type=="InternalIP")].address', priority: 10 },
    { name: "External-IP", path: '.status.addresses[?(@.type=="ExternalIP")].address', priority: 10 },
    { name: "OS-Image", path: ".status.nodeInfo.osImage", priority: 10 },
    { name: "Paused", path: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
    { name: "Phase", path: ".status.phase" },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
    { name: "Version", path: ".spec.version" },
  ],
  spec: machineSpec(),
  status: object(
    {
      conditions: optional(statusConditions()),
      initialization: optional(initialization("the machine")),
      nodeRef: optional(
        object({ name: dnsName("Name of the Node.") }, { description: "The Node the Machine became." }),
      ),
      nodeInfo: optional(nodeInfo()),
      lastUpdated: optional(time({ description: "When the phase last changed." })),
      addresses: optional(addresses({ maxItems: 256, type: "atomic" })),
      failureDomain: optional(failureDomain("Failure domain the machine was placed in.")),
      phase: optional(
        enumOf(
          ["Pending", "Provisioning", "Provisioned", "Running", "Updating", "Deleting", "Deleted", "Failed", "Unknown"],
          { description: "Summary for people; programs read the conditions." },
        ),
      ),
      certificatesExpiryDate: optional(
        time({ description: "When the first certificate of a control plane machine expires." }),
      ),
      observedGeneration: optional(observedGeneration()),
      deletion: optional(deletionProgress()),
      deprecated: optional(deprecatedStatus(legacyFailure)),
    },
    { ...v1beta2.object },
  ),
});

/** One Machine. */
export type Machine = typeof Machine.Type;
