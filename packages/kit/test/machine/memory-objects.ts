import { ClusterResource, MachineResource } from "@capstan/contract/wire";
import type { CorePart } from "@capstan/testing/environment";
import { MemoryCluster, MemoryMachine } from "@capstan/testing/infra-memory";

/** Creates the Cluster of a case and its MemoryCluster, and reports that its infrastructure is provisioned. */
export const createCluster = async (core: CorePart, spec: Readonly<Record<string, unknown>> = {}): Promise<void> => {
  const { clusterName } = core;
  const infrastructureRef = { apiGroup: MemoryCluster.group, kind: MemoryCluster.kind, name: clusterName };
  const owner = { kind: ClusterResource, object: await core.createCluster({ infrastructureRef }), controller: false };
  await core.createOwned(MemoryCluster, clusterName, spec, owner);
  await core.infrastructureProvisioned();
};

/** Creates a Machine, its bootstrap data and its MemoryMachine. */
export const createMachine = async (core: CorePart, name: string, data = "#cloud-config\n"): Promise<void> => {
  await core.createBootstrapSecret(name, data);
  const infrastructureRef = { apiGroup: MemoryMachine.group, kind: MemoryMachine.kind, name };
  const object = await core.createMachine(name, { infrastructureRef, bootstrap: { dataSecretName: name } });
  await core.createOwned(MemoryMachine, name, {}, { kind: MachineResource, object, controller: true });
};
