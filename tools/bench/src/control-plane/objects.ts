import { Group } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";

/** Kubernetes before and after the upgrade. */
export const versions = { from: "v1.34.0", to: "v1.35.0" } as const;

const namespace = "default";

const made = (group: string, version: string, kind: string, name: string, spec: object): KubeObject => ({
  apiVersion: `${group}/${version}`,
  kind,
  metadata: { namespace, name },
  spec,
});

/** One cluster as a user writes it: a control plane of some members, without workers. */
export const controlPlaneObjects = (name: string, members: number): readonly KubeObject[] => {
  const infrastructure = (kind: string, spec: object) => made(Group.infrastructure, "v1beta1", kind, name, spec);
  const infrastructureRef = (kind: string) => ({ apiGroup: Group.infrastructure, kind, name });
  // The cloud's controller manager tells Nodes who they are.
  const nodeRegistration = { kubeletExtraArgs: [{ name: "cloud-provider", value: "external" }] };
  return [
    infrastructure("MemoryCluster", {}),
    infrastructure("MemoryMachineTemplate", { template: { spec: { size: "small" } } }),
    made(Group.controlPlane, "v1beta2", "KubeadmControlPlane", name, {
      replicas: members,
      version: versions.from,
      machineTemplate: { spec: { infrastructureRef: infrastructureRef("MemoryMachineTemplate") } },
      kubeadmConfigSpec: { initConfiguration: { nodeRegistration }, joinConfiguration: { nodeRegistration } },
    }),
    made(Group.core, "v1beta2", "Cluster", name, {
      clusterNetwork: { pods: { cidrBlocks: ["10.244.0.0/16"] }, services: { cidrBlocks: ["10.96.0.0/16"] } },
      infrastructureRef: infrastructureRef("MemoryCluster"),
      controlPlaneRef: { apiGroup: Group.controlPlane, kind: "KubeadmControlPlane", name },
    }),
  ];
};
