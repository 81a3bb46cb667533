import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { AzureCluster } from "../src/api.ts";
import type { Json, Scene } from "./scene.ts";
import { isReady } from "./scene.ts";

/** Makes the cluster ready. */
export const ready = async (scene: Scene, spec: Json): Promise<AzureCluster> => {
  await scene.cluster(spec);
  await scene.managers.start();
  return scene.clusterIs(isReady);
};

/** Deletes the cluster, and waits until it is gone. */
export const remove = async (environment: ConformanceEnvironment, { core }: Scene): Promise<void> => {
  const key = core.key(core.clusterName);
  await environment.client.delete(AzureCluster, key);
  await environment.eventually(AzureCluster, key, (found) => found === undefined);
};

/** Paths of what is at Azure, without the subscription. */
export const idsOf = ({ cloud: { simulator } }: Scene): readonly string[] =>
  simulator.state.resources.map(({ id }) => id.replace(/^.*\/resourceGroups\//, "")).toSorted();

/** Path of a resource group. */
export const groupPath = ({ cloud }: Scene, group: string): string =>
  `/subscriptions/${cloud.simulator.subscriptionId}/resourceGroups/${group}`;
