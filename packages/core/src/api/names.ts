import { Group, Label } from "@capstan/contract";
import { contractLabel } from "@capstan/contract/wire";

const shared = {
  group: Group.core,
  categories: ["cluster-api"],
  conversion: "webhook",
  labels: {
    [Label.provider]: "cluster-api",
    [contractLabel("v1beta1")]: "v1beta1",
    [contractLabel("v1beta2")]: "v1beta2",
  },
} as const;

/** Names that all versions of the kind share. */
export const clusterNames = {
  ...shared,
  kind: "Cluster",
  plural: "clusters",
  shortNames: ["cl"],
  description: "A Kubernetes cluster: its network, its control plane and the infrastructure under it.",
} as const;

export const machineNames = {
  ...shared,
  kind: "Machine",
  plural: "machines",
  shortNames: ["ma"],
  description: "One machine that is, or becomes, a Node of a Cluster.",
} as const;

export const machineSetNames = {
  ...shared,
  kind: "MachineSet",
  plural: "machinesets",
  shortNames: ["ms"],
  description: "Keeps a number of equal Machines in existence.",
} as const;

export const machineDeploymentNames = {
  ...shared,
  kind: "MachineDeployment",
  plural: "machinedeployments",
  shortNames: ["md"],
  description: "Keeps a number of Machines in existence and replaces them step by step when the template changes.",
} as const;

export const machineHealthCheckNames = {
  ...shared,
  kind: "MachineHealthCheck",
  plural: "machinehealthchecks",
  shortNames: ["mhc", "mhcs"],
  description: "Says when Machines count as unhealthy, and has them replaced.",
} as const;

export const machineDrainRuleNames = {
  ...shared,
  kind: "MachineDrainRule",
  plural: "machinedrainrules",
  description: "Says how Pods are treated, and in which order, when a Node is drained.",
} as const;

export const machinePoolNames = {
  ...shared,
  kind: "MachinePool",
  plural: "machinepools",
  shortNames: ["mp"],
  description: "A number of equal machines that the infrastructure keeps in existence as one group.",
} as const;

const ipam = { ...shared, group: Group.ipam } as const;

export const ipAddressNames = {
  ...ipam,
  kind: "IPAddress",
  plural: "ipaddresses",
  description: "An address of a pool, given to one IPAddressClaim.",
} as const;

export const ipAddressClaimNames = {
  ...ipam,
  kind: "IPAddressClaim",
  plural: "ipaddressclaims",
  description: "Asks a pool for an address.",
} as const;
