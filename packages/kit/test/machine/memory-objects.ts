import type { ProviderV1 } from "@capstan/contract/v1";
import { ClusterResource, MachineResource } from "@capstan/contract/wire";
import { defineProvider } from "@capstan/kit";
import { infraMachine } from "@capstan/kit/machine";
import type { CorePart } from "@capstan/testing/environment";
import {
  createMemoryProvider,
  MemoryCluster,
  MemoryMachine,
  memoryMachineAuthor,
  type MemoryCloud,
} from "@capstan/testing/infra-memory";

type Author = ReturnType<typeof memoryMachineAuthor>;

/** The provider over a cloud in memory, with something else about its machines. */
export const providerWith = (cloud: MemoryCloud, change: (author: Author) => Partial<Author>): ProviderV1 =>
  defineProvider({
    name: "infra-memory",
    kinds: [MemoryCluster, MemoryMachine],
    register: (host) => {
      createMemoryProvider(cloud).register({
        add: (controller) => {
          if (controller.name !== "memorymachine") host.add(controller);
        },
      });
      const author = memoryMachineAuthor(cloud);
      host.add(infraMachine({ ...author, ...change(author) }));
    },
  });

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
