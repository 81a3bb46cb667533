import type { ObjectSaver } from "@capstan/kit/engine";
import type { WorkloadClusters } from "@capstan/kit/workload";
import type { ReconcileContext } from "@capstan/runtime";
import type { Cluster, Machine, MachineDeployment, MachinePool, MachineSet } from "../api.ts";
import type { ExternalObjects } from "@capstan/kit/machines";
import type { DepartedMachines } from "./departed-machines.ts";
import type { ExternalObservation } from "../external/observation.ts";
import type { CoreOptions } from "../options.ts";

/** Why and how far the deletion of a Cluster waits. */
export interface ClusterDeletion {
  readonly reason: string;
  readonly message: string;
}

/** Services of the Cluster controller. */
export interface ClusterServices {
  readonly options: CoreOptions;
  readonly externals: ExternalObjects;
  readonly workload: WorkloadClusters;
  readonly saver: ObjectSaver<Cluster>;
  readonly departed: DepartedMachines;
  /** When this process began, in milliseconds since the epoch. */
  readonly since: number;
}

/** Everything that names the Cluster as its own. */
export interface Descendants {
  readonly machines: readonly Machine[];
  readonly sets: readonly MachineSet[];
  readonly deployments: readonly MachineDeployment[];
  readonly pools: readonly MachinePool[];
}

/** One reconcile of one Cluster. */
export interface ClusterScope extends ClusterServices {
  readonly context: ReconcileContext;
  readonly descendants: Descendants;
  cluster: Cluster;
  infrastructure: ExternalObservation;
  controlPlane: ExternalObservation;
  deletion: ClusterDeletion | undefined;
}

/** Delay before the next look for a referenced object that does not exist yet, in milliseconds. */
export const missingObjectRetryMs = 30_000;
