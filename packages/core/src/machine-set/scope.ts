import type { ObjectSaver } from "@capstan/kit/engine";
import type { ReconcileContext } from "@capstan/runtime";
import type { Cluster, MachineDeployment, MachineSet } from "../api.ts";
import type { ExternalObjects, Machine, MachineSync } from "@capstan/kit/machines";

/** Services of the MachineSet controller. */
export interface MachineSetServices {
  readonly saver: ObjectSaver<MachineSet>;
  /** Saves what a set says on its Machines. */
  readonly machineSaver: ObjectSaver<Machine>;
  readonly externals: ExternalObjects;
  readonly sync: MachineSync;
}

/** Why Machines that are wanted cannot be made. */
export interface Blocker {
  readonly message: string;
  /** Reason in the `v1beta1` condition MachinesCreated. */
  readonly olderReason: string;
}

/** One reconcile of one MachineSet. */
export interface MachineSetScope extends MachineSetServices {
  readonly context: ReconcileContext;
  readonly cluster: Cluster;
  /** The deployment of the set; `undefined` when it has none. */
  readonly deployment: MachineDeployment | undefined;
  /** The set is of an older template than its deployment's. */
  readonly outdated: boolean;
  set: MachineSet;
  /** Machines of the set, those that are being deleted too; `undefined` while they are not read. */
  machines: readonly Machine[];
  /** Number of Machines when the reconcile began. */
  readonly sized: number;
  blockers: readonly Blocker[];
}
