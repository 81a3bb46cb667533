import { Group } from "@capstan/contract";
import { controlPlaneEndpoint, infraClusterStatus, infraMachineStatus } from "@capstan/contract/v1";
import { contractLabel } from "@capstan/contract/wire";
import { kind, object, optional, string } from "@capstan/schema";

const version = "v1beta1";
const common = {
  group: Group.infrastructure,
  version,
  labels: { [contractLabel("v1beta2")]: version },
} as const;

/** The infrastructure of a cluster: an endpoint that the user brings. */
export const ModularCluster = kind({
  ...common,
  kind: "ModularCluster",
  plural: "modularclusters",
  description: "The infrastructure of one Cluster in the modular cloud: an endpoint that exists already.",
  spec: object({ controlPlaneEndpoint: optional(controlPlaneEndpoint()) }),
  status: infraClusterStatus({}),
});
export type ModularCluster = typeof ModularCluster.Type;

/** A server with a network card and a disk of its own. */
export const ModularMachine = kind({
  ...common,
  kind: "ModularMachine",
  plural: "modularmachines",
  description: "A server with a network card and a disk of its own, which backs one Machine.",
  columns: [{ name: "ProviderID", path: ".spec.providerID" }],
  spec: object({
    providerID: optional(string({ description: "modular://<server>; set by the controller.", maxLength: 512 })),
  }),
  status: infraMachineStatus({}),
});
export type ModularMachine = typeof ModularMachine.Type;
