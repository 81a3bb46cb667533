import type { ObjectSaver } from "@capstan/kit/engine";
import type { WorkloadClusters } from "@capstan/kit/workload";
import type { ReconcileContext } from "@capstan/runtime";
import type { Cluster, Machine, MachineHealthCheck } from "../api.ts";
import type { ExternalObjects } from "@capstan/kit/machines";
import type { RemediationGate } from "./remediation-gate.ts";
import type { Verdict } from "./verdict.ts";

/** Services of the MachineHealthCheck controller. */
export interface HealthCheckServices {
  readonly saver: ObjectSaver<MachineHealthCheck>;
  /** Saves what a check says on its Machines. */
  readonly machineSaver: ObjectSaver<Machine>;
  readonly externals: ExternalObjects;
  readonly workload: WorkloadClusters;
}

export interface JudgedMachine {
  readonly machine: Machine;
  readonly verdict: Verdict;
  /** Another check has the word on this Machine: it finds it unhealthy, and this one does not, or comes after it by name. */
  readonly overruled: boolean;
}

/** One reconcile of one MachineHealthCheck: what it found. */
export interface HealthCheckScope extends HealthCheckServices {
  readonly context: ReconcileContext;
  readonly check: MachineHealthCheck;
  readonly cluster: Cluster;
  readonly judged: readonly JudgedMachine[];
  readonly gate: RemediationGate;
}
