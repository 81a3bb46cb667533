import type { WorkloadClusters } from "@capstan/kit/workload";
import type { Client } from "@capstan/kube";
import { resource } from "@capstan/schema";
import { permittedClient } from "@capstan/testing";

const Namespace = resource({ group: "", version: "v1", kind: "Namespace", plural: "namespaces", namespaced: false });

/** A namespace that may be there already. */
export const ensureNamespace = async (client: Client, name: string): Promise<void> => {
  if ((await client.find(Namespace, { name })) !== undefined) return;
  await client.create(Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
};

/** A workload cluster that is the management cluster, and always answers; accounts may do there what they say. */
export const workloadOf = (client: Client): WorkloadClusters => {
  const cluster = { client } as ReturnType<WorkloadClusters["get"]>;
  return {
    connection: () => cluster,
    get: () => cluster,
    as: (account) => workloadOf(permittedClient(client, account)),
    state: () => ({ connected: true, lastProbeSuccess: 0, consecutiveFailures: 0, message: "" }),
    lastProbeSuccess: () => 0,
    subscribe: () => () => undefined,
  };
};
