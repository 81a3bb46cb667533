import { ConditionReason, ConditionType } from "@capstan/contract/wire";
import type { WorkloadState } from "@capstan/kit/workload";
import { keyOf } from "@capstan/kube-values";
import type { Result } from "@capstan/runtime";
import { findCondition, remediating, withConditions, withDeprecated, withStatus } from "@capstan/kit/machines";
import { type Cluster, ClusterCondition } from "../api.ts";
import {
  clusterAvailable,
  clusterDeleting,
  clusterInfrastructureReady,
  controlPlaneAvailable,
  controlPlaneInitialized,
  machinesConditions,
  movement,
  remoteConnectionProbe,
  workersAvailable,
} from "./conditions.ts";
import { controlPlaneCounters, workerCounters } from "./counters.ts";
import { deprecatedClusterConditions } from "./deprecated-conditions.ts";
import { splitMachines } from "./descendants.ts";
import { olderFailure } from "../older/failure.ts";
import { clusterPhase } from "./phase.ts";
import type { ClusterScope } from "./scope.ts";

/** Returns the state of the connection to the workload cluster, which is not asked for before there can be one. */
const connectionState = ({ workload, cluster }: ClusterScope): WorkloadState | undefined =>
  cluster.status?.initialization?.infrastructureProvisioned === true ? workload.state(keyOf(cluster)) : undefined;

/** Between looks at a connection that works again while the condition still says otherwise. */
const probeRetryMs = 10_000;

/** Success after failure, and the end of the grace period, are not events: they are looked for. */
const probeResult = (
  cluster: Cluster,
  connection: WorkloadState | undefined,
  { since, now, graceMs }: { readonly since: number; readonly now: number; readonly graceMs: number },
): Result => {
  if (connection === undefined) return {};
  const reported = findCondition(cluster, ClusterCondition.remoteConnectionProbe)?.status === "True";
  if (reported === connection.connected) return {};
  const last = connection.lastProbeSuccess ?? since;
  return { requeueAfterMs: reported ? Math.max(0, last + graceMs - now) + 1 : probeRetryMs };
};

/** The Cluster with its status as the reconcile found things. */
export const clusterStatus = (
  scope: ClusterScope,
  outcome: { readonly failed: boolean },
): { readonly object: Cluster; readonly result: Result } => {
  const { context, descendants, infrastructure, controlPlane, options } = scope;
  const now = context.clock.now();
  const connection = connectionState(scope);
  const { controlPlane: masters, workers } = splitMachines(descendants.machines);
  const probe = remoteConnectionProbe(scope.cluster, {
    lastProbeSuccess: connection?.lastProbeSuccess,
    problem: connection?.problem,
    since: scope.since,
    now,
    graceMs: options.remoteConnectionGraceMs,
  });
  let cluster = withStatus(scope.cluster, {
    controlPlane: controlPlaneCounters(scope, masters),
    workers: workerCounters(descendants),
    phase: clusterPhase(scope.cluster),
  });
  cluster = withConditions(
    cluster,
    [
      ...(probe === undefined ? [] : [probe]),
      clusterInfrastructureReady(cluster, infrastructure),
      controlPlaneInitialized(cluster, controlPlane),
      controlPlaneAvailable(cluster, controlPlane),
      ...machinesConditions("ControlPlane", masters, { cluster, now }),
      workersAvailable(descendants),
      ...machinesConditions("Worker", workers, { cluster, now }),
      movement(ClusterCondition.rollingOut, controlPlane, descendants),
      movement(ClusterCondition.scalingUp, controlPlane, descendants),
      movement(ClusterCondition.scalingDown, controlPlane, descendants),
      remediating(descendants.machines),
      { type: ConditionType.paused, status: "False", reason: ConditionReason.notPaused },
      clusterDeleting(cluster, scope.deletion),
    ],
    now,
  );
  cluster = withConditions(cluster, [clusterAvailable(cluster, cluster.status?.conditions ?? [])], now);
  cluster = withDeprecated(
    cluster,
    deprecatedClusterConditions({ ...scope, cluster }),
    olderFailure([infrastructure, controlPlane]),
    now,
  );
  if (!outcome.failed && cluster.metadata.generation !== undefined) {
    cluster = withStatus(cluster, { observedGeneration: cluster.metadata.generation });
  }
  const times = { since: scope.since, now, graceMs: options.remoteConnectionGraceMs };
  return { object: cluster, result: probeResult(cluster, connection, times) };
};
