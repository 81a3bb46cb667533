import { Group } from "@capstan/contract";
import { controlPlaneEndpoint, infraClusterStatus, infraMachineStatus } from "@capstan/contract/v1";
import { contractLabel } from "@capstan/contract/wire";
import { kind, object, optional, string } from "@capstan/schema";

const version = "v1beta1";
const common = { group: Group.infrastructure, version, labels: { [contractLabel("v1beta2")]: version } } as const;

const image = string({ description: "Version of Kubernetes in the image, with the v.", maxLength: 32 });

/** The infrastructure of a cluster on this host: one endpoint. */
export const HostCluster = kind({
  ...common,
  kind: "HostCluster",
  plural: "hostclusters",
  description: "The infrastructure of one Cluster, on this host.",
  columns: [{ name: "Ready", path: ".status.ready", type: "boolean" }],
  spec: object({ controlPlaneEndpoint: optional(controlPlaneEndpoint()) }),
  status: infraClusterStatus({}),
});
export type HostCluster = typeof HostCluster.Type;

/** A machine in namespaces of this host. */
export const HostMachine = kind({
  ...common,
  kind: "HostMachine",
  plural: "hostmachines",
  description: "A machine in namespaces of this host, which backs one Machine.",
  columns: [
    { name: "State", path: ".status.instanceState" },
    { name: "ProviderID", path: ".spec.providerID" },
  ],
  spec: object({
    image,
    providerID: optional(string({ description: "host://<id>; set by the controller.", maxLength: 512 })),
  }),
  status: infraMachineStatus({
    instanceState: optional(string({ description: "State of the machine.", maxLength: 32 })),
  }),
});
export type HostMachine = typeof HostMachine.Type;

/** Template of the HostMachines of a set. */
export const HostMachineTemplate = kind({
  ...common,
  kind: "HostMachineTemplate",
  plural: "hostmachinetemplates",
  description: "What the HostMachines of a set are made of.",
  spec: object({
    template: object(
      { spec: object({ image }, { description: "Spec of the machines." }) },
      { description: "The machine." },
    ),
  }),
});
