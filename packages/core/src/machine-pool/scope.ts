import type { ObjectSaver } from "@capstan/kit/engine";
import type { ExternalObjects, Machine, MachineSync } from "@capstan/kit/machines";
import type { WorkloadClusters } from "@capstan/kit/workload";
import type { ReconcileContext } from "@capstan/runtime";
import type { Cluster, MachinePool } from "../api.ts";
import type { ExternalObservation } from "../external/observation.ts";
import type { Node } from "../object/workload-kinds.ts";
import type { CoreOptions } from "../options.ts";

/** Services of the MachinePool controller. */
export interface MachinePoolServices {
  readonly options: CoreOptions;
  readonly externals: ExternalObjects;
  readonly workload: WorkloadClusters;
  readonly saver: ObjectSaver<MachinePool>;
  readonly sync: MachineSync;
  /** When this process first failed to delete the Nodes of a pool, in milliseconds since the epoch, by the pool's UID. */
  readonly nodeFailures: Map<string, number>;
}

/** Reason why the deletion of a pool is not complete. */
export interface PoolDeletion {
  readonly reason: string;
  readonly message: string;
}

/** One reconcile of one MachinePool. */
export interface MachinePoolScope extends MachinePoolServices {
  readonly context: ReconcileContext;
  readonly cluster: Cluster;
  pool: MachinePool;
  bootstrap: ExternalObservation;
  infrastructure: ExternalObservation;
  /** Kind of the infrastructure machines; `undefined` where the pool has none. */
  machineKind: string | undefined;
  /** Machines of the pool, those that are being deleted too. */
  machines: readonly Machine[];
  /** Nodes of the pool's provider ids; `undefined` while they cannot be read. */
  nodes: readonly Node[] | undefined;
  deletion: PoolDeletion | undefined;
  /** Failure fields of the older API generation. */
  failure: { readonly failureReason: string; readonly failureMessage: string } | undefined;
}

/** Delay before the next look for a referenced object that does not exist yet, in milliseconds. */
export const missingObjectRetryMs = 30_000;
