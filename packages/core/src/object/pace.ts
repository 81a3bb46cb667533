import type { Environment, Request } from "@capstan/runtime";
import { isBeingDeleted } from "@capstan/kube-values";
import { Cluster, Machine, type MachineDeployment, type MachinePool, type MachineSet } from "../api.ts";
import { byCluster } from "./indexes.ts";

/**
 * Minimum interval between reconciles of an object that summarizes many Machines, in milliseconds: takes all changes of
 * a second together.
 */
export const minIntervalMs = 1000;

/** Every Machine of a Cluster waits for its infrastructure and for its control plane, so what it learns is passed on sooner. */
export const clusterIntervalMs = 250;

/** However many Nodes change at once, a check looks at its Machines once in this time; the first change is seen at once. */
export const healthCheckIntervalMs = 5000;

/**
 * Milliseconds added to the intervals for each Machine of the Cluster, so that looking at all of them never takes much
 * of the time.
 */
const perMachineMs = 0.25;

/**
 * The interval of an object, longer for a Cluster with many Machines. `kind`: of the object, if it is not the Cluster itself, whose deletion has
 * stages that wait for each other, and no others wait for.
 */
export const paced =
  (baseMs: number, kind?: typeof MachineSet | typeof MachineDeployment | typeof MachinePool) =>
  ({ namespace, name }: Request, { cache }: Environment): number => {
    const object =
      kind === undefined
        ? undefined
        : cache.get<MachineSet | MachineDeployment | MachinePool>(kind, { namespace, name });
    const machines = cache.byIndex(Machine, byCluster, `${namespace}/${object?.spec.clusterName ?? name}`);
    const cluster = kind === undefined ? cache.get(Cluster, { namespace, name }) : undefined;
    const isLeaving = cluster !== undefined && isBeingDeleted(cluster);
    return (isLeaving ? 0 : baseMs) + perMachineMs * machines.length;
  };
