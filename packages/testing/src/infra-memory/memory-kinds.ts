import { Group } from "@capstan/contract";
import { controlPlaneEndpoint, infraClusterStatus, infraMachineStatus } from "@capstan/contract/v1";
import { contractLabel } from "@capstan/contract/wire";
import { int32, kind, object, optional, secretReference, string } from "@capstan/schema";

const version = "v1beta1";
const common = {
  group: Group.infrastructure,
  version,
  labels: { [contractLabel("v1beta2")]: version },
} as const;

const credentialsRef = optional(secretReference({ description: "Secret with the key `token`." }));

const machineSpec = {
  size: optional(string({ description: "Plan of the server.", maxLength: 64 })),
  providerID: optional(string({ description: "memory://<id>; set by the controller.", maxLength: 512 })),
};

/** The infrastructure of a cluster in memory: one endpoint. */
export const MemoryCluster = kind({
  ...common,
  kind: "MemoryCluster",
  plural: "memoryclusters",
  description: "The infrastructure of one Cluster, in the memory of a process.",
  columns: [{ name: "Ready", path: ".status.ready", type: "boolean" }],
  spec: object({
    controlPlaneEndpoint: optional(controlPlaneEndpoint()),
    credentialsRef,
    objectStoreRef: optional(secretReference({ description: "Secret of the object store for large bootstrap data." })),
  }),
  status: infraClusterStatus({
    members: optional(int32({ description: "Control-plane machines behind the endpoint.", minimum: 0 })),
  }),
});
export type MemoryCluster = typeof MemoryCluster.Type;

/** A server in memory. */
export const MemoryMachine = kind({
  ...common,
  kind: "MemoryMachine",
  plural: "memorymachines",
  description: "A server in the memory of a process, which backs one Machine.",
  columns: [
    { name: "State", path: ".status.instanceState" },
    { name: "ProviderID", path: ".spec.providerID" },
  ],
  spec: object(machineSpec),
  status: infraMachineStatus({
    instanceState: optional(string({ description: "State of the server.", maxLength: 32 })),
  }),
});
export type MemoryMachine = typeof MemoryMachine.Type;

/** Template of the MemoryMachines of a set. */
export const MemoryMachineTemplate = kind({
  ...common,
  kind: "MemoryMachineTemplate",
  plural: "memorymachinetemplates",
  description: "What the MemoryMachines of a set are made of.",
  spec: object({
    template: object(
      { spec: object({ size: machineSpec.size }, { description: "Spec of the machines." }) },
      { description: "The machine." },
    ),
  }),
});
