import type { ObjectSaver } from "@capstan/kit/engine";
import type { Applier, ExternalObjects } from "@capstan/kit/machines";
import type { ReconcileContext } from "@capstan/runtime";
import type { Cluster, Machine, MachineDeployment, MachineSet } from "../api.ts";

/** Services of the MachineDeployment controller. */
export interface MachineDeploymentServices {
  readonly saver: ObjectSaver<MachineDeployment>;
  readonly externals: ExternalObjects;
  /** Applies what a deployment says about its current set. */
  readonly setApplier: Applier;
}

/** One reconcile of one MachineDeployment. */
export interface MachineDeploymentScope extends MachineDeploymentServices {
  readonly context: ReconcileContext;
  readonly cluster: Cluster;
  deployment: MachineDeployment;
  /** Sets of the deployment, of the present and of older templates. */
  sets: readonly MachineSet[];
  /** Machines of those sets. */
  readonly machines: readonly Machine[];
  /** Why no set of the present template is made. */
  blockers: readonly string[];
}
