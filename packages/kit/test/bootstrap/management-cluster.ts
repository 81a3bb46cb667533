import { ClusterResource, MachineResource, ownerReference } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import type { KubeObject, OwnerReference } from "@capstan/schema";
import { CorePart } from "@capstan/testing/environment";
import type { ConformanceEnvironment } from "@capstan/testing/environment";

/** A Cluster in a namespace of its own, as the parts of bootstrap providers see it. */
export interface ManagementCluster {
  readonly core: CorePart;
  readonly client: Client;
  readonly cluster: KubeObject;
  readonly call: { readonly signal: AbortSignal };
  /** Whoever makes Secrets here. */
  readonly owner: OwnerReference;
}

export const managementCluster = async (environment: ConformanceEnvironment): Promise<ManagementCluster> => {
  const { client } = environment;
  const core = new CorePart(client, await environment.namespace());
  const cluster = await core.createCluster();
  const call = { signal: new AbortController().signal };
  const owner = ownerReference(ClusterResource, cluster, { controller: true });
  return { core, client, cluster, call, owner };
};

export const createMachines = async ({ core }: ManagementCluster, ...names: readonly string[]): Promise<void> => {
  for (const name of names) await core.createMachine(name, { bootstrap: { dataSecretName: "x" } });
};

export const deleteMachine = ({ client, core }: ManagementCluster, name: string): Promise<void> =>
  client.delete(MachineResource, core.key(name));
