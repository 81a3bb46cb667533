import { controllerOf } from "@capstan/contract/wire";
import type { Cache } from "@capstan/kube";
import { keyOf, keyText } from "@capstan/kube-values";
import type { Cluster } from "../api.ts";
import { Machine, MachineDeployment, MachineHealthCheck, MachinePool, MachineSet } from "../api.ts";

/** Index of Machines, MachineSets, MachineDeployments, MachinePools and MachineHealthChecks by the Cluster they name. */
export const byCluster = "core/cluster";

/** Index of Machines and MachineSets by the uid of their controller; those without one are under `orphanKey`. */
export const byController = "core/controller-uid";

/** The key, as text, of the Cluster that an object names. */
export const clusterText = ({
  metadata,
  spec,
}: Pick<Machine, "metadata"> & { readonly spec: { readonly clusterName: string } }): string =>
  keyText({ ...keyOf({ metadata }), name: spec.clusterName });

/** Key under which the objects of a Cluster without a controller are found. */
export const orphanKey = (object: Machine | MachineSet | MachineDeployment | MachinePool): string =>
  `orphan:${clusterText(object)}`;

/** Index of Machines by provider id. */
export const machinesByProviderID = "core/provider-id";

const clusterOf = (
  object: Machine | MachineSet | MachineDeployment | MachinePool | MachineHealthCheck,
): readonly string[] => [clusterText(object)];

const controllerUid = (object: Machine | MachineSet): readonly string[] => [
  controllerOf(object)?.uid ?? orphanKey(object),
];

const providerID = ({ spec }: Machine): readonly string[] => (spec.providerID === undefined ? [] : [spec.providerID]);

/** Index of MachinePools by the provider ids of their machines. */
export const poolsByProviderID = "core/pool-provider-id";

const poolProviderIDs = ({ spec }: MachinePool): readonly string[] => spec.providerIDList ?? [];

/** Declares what the controllers of this package look up. May be called by each of them. */
export const declareIndexes = (cache: Cache): void => {
  const machines = cache.informer(Machine);
  machines.addIndex(byCluster, clusterOf);
  machines.addIndex(byController, controllerUid);
  machines.addIndex(machinesByProviderID, providerID);
  const sets = cache.informer(MachineSet);
  sets.addIndex(byCluster, clusterOf);
  sets.addIndex(byController, controllerUid);
  cache.informer(MachineDeployment).addIndex(byCluster, clusterOf);
  cache.informer(MachineHealthCheck).addIndex(byCluster, clusterOf);
  const pools = cache.informer(MachinePool);
  pools.addIndex(byCluster, clusterOf);
  pools.addIndex(poolsByProviderID, poolProviderIDs);
};

/** Machines, sets, deployments and pools of a Cluster. */
export const ofCluster = (cache: Cache, cluster: Cluster) => {
  const key = keyText(keyOf(cluster));
  return {
    machines: cache.byIndex(Machine, byCluster, key),
    sets: cache.byIndex(MachineSet, byCluster, key),
    deployments: cache.byIndex(MachineDeployment, byCluster, key),
    pools: cache.byIndex(MachinePool, byCluster, key),
  };
};
