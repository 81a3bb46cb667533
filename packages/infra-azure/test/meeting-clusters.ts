import { ClusterResource, conditionOf, MachineResource } from "@capstan/contract/wire";
import { CorePart } from "@capstan/testing/environment";
import type { ConformanceEnvironment, RunningManager } from "@capstan/testing/environment";
import { AzureCluster, AzureMachine } from "../src/api.ts";
import type { AzureCloud } from "./cloud.ts";
import { location, startCloud } from "./cloud.ts";
import type { Json } from "./scene.ts";
import { isReady } from "./scene.ts";

/** What tests of clusters that meet at Azure do, in namespaces of their own. `environment` is asked for at each call. */
export const meetingClusters = (environment: () => ConformanceEnvironment) => {
  /** A simulated subscription with one manager for the clusters of all namespaces. */
  const openCloud = async (): Promise<AzureCloud & AsyncDisposable & Pick<RunningManager, "warnings">> => {
    const cloud = await startCloud(environment());
    const manager = await environment().runManager({ providers: [cloud.provider()] });
    return {
      ...cloud,
      warnings: manager.warnings,
      [Symbol.asyncDispose]: async () => {
        await manager.stop();
        await cloud.stop();
      },
    };
  };

  const inNamespace = async (clusterName: string): Promise<CorePart> =>
    new CorePart(environment().client, await environment().namespace(), clusterName);

  const create = async (core: CorePart, spec: Json, more: Json = {}): Promise<void> => {
    const infrastructureRef = { apiGroup: AzureCluster.group, kind: AzureCluster.kind, name: core.clusterName };
    const object = await core.createCluster({ infrastructureRef, ...more });
    await core.createOwned(
      AzureCluster,
      core.clusterName,
      { location, ...spec },
      { kind: ClusterResource, object, controller: true },
    );
    await core.infrastructureProvisioned();
    // As core's own: the Cluster is there until all of it has gone.
    await core.patch(ClusterResource, core.clusterName, { metadata: { finalizers: ["test.capstan.dev/core"] } });
  };

  const createMachine = async (core: CorePart, name: string): Promise<void> => {
    const infrastructureRef = { apiGroup: AzureMachine.group, kind: AzureMachine.kind, name };
    await core.createBootstrapSecret(name, "#cloud-config\n");
    const spec = { infrastructureRef, bootstrap: { dataSecretName: name }, version: "v1.34.0" };
    const object = await core.createMachine(name, spec);
    const own = {
      vmSize: "Standard_D2s_v3",
      osDisk: { osType: "Linux" },
      sshPublicKey: Buffer.from("ssh-rsa AAAA").toString("base64"),
    };
    await core.createOwned(AzureMachine, name, own, { kind: MachineResource, object, controller: true });
    await environment().eventually(AzureMachine, core.key(name), (found) => found !== undefined && isReady(found));
  };

  const clusterIs = async (core: CorePart, test: (cluster: AzureCluster) => boolean): Promise<AzureCluster> =>
    (await environment().eventually(
      AzureCluster,
      core.key(core.clusterName),
      (found) => found !== undefined && test(found),
    )) as AzureCluster;

  /** Deletes a Cluster as core does: machines first, then the AzureCluster, then itself. */
  const deleteCluster = async (core: CorePart, machines: readonly string[] = []): Promise<void> => {
    const { client } = environment();
    await client.delete(ClusterResource, core.key(core.clusterName));
    for (const name of machines) await client.delete(AzureMachine, core.key(name));
    for (const name of machines) {
      await environment().eventually(AzureMachine, core.key(name), (found) => found === undefined);
    }
    await client.delete(AzureCluster, core.key(core.clusterName));
    await environment().eventually(AzureCluster, core.key(core.clusterName), (found) => found === undefined);
    await core.patch(ClusterResource, core.clusterName, { metadata: { finalizers: [] } });
  };

  return { clusterIs, create, createMachine, deleteCluster, inNamespace, openCloud };
};

/** What a resource group holds. */
export const resourcesOf = ({ simulator: { state } }: AzureCloud, group: string) =>
  state.resources.filter((each) => each.group === group);

/** Why a cluster is not ready. */
export const messageOf = (cluster: AzureCluster): string => conditionOf(cluster, "Ready", "v1beta1")?.message ?? "";
