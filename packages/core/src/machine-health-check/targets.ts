import { Annotation } from "@capstan/contract";
import type { WorkloadCluster } from "@capstan/kit/workload";
import type { Cache } from "@capstan/kube";
import { byText, selects, keyOf, keyText } from "@capstan/kube-values";
import { isConditionTrue } from "@capstan/kit/machines";
import { type Cluster, type MachineHealthCheck, ClusterCondition } from "../api.ts";
import { Machine } from "../api.ts";
import { defaultNodeStartupTimeoutSeconds } from "../defaults/defaults.ts";
import { byCluster } from "../object/indexes.ts";
import type { HealthRules, Limit, NodeSight } from "./verdict.ts";

const isExempt = ({ metadata }: Machine): boolean =>
  metadata.annotations?.[Annotation.skipRemediation] !== undefined ||
  metadata.annotations?.[Annotation.paused] !== undefined;

/** Returns whether a check is about a Machine of its Cluster. */
export const isTarget = ({ metadata, spec }: MachineHealthCheck, machine: Machine): boolean =>
  metadata.namespace === machine.metadata.namespace &&
  spec.clusterName === machine.spec.clusterName &&
  selects(spec.selector, machine.metadata.labels) &&
  !isExempt(machine);

/** The Machines that are checked, by name. */
export const targetsOf = (cache: Cache, check: MachineHealthCheck, cluster: Cluster): readonly Machine[] =>
  cache
    .byIndex(Machine, byCluster, keyText(keyOf(cluster)))
    .filter((machine) => isTarget(check, machine))
    .toSorted((a, b) => byText(a.metadata.name ?? "", b.metadata.name ?? ""));

/** Returns the state of a Machine's Node. Unknown without a connection, once there is a control plane to answer. */
export const nodeSight = (machine: Machine, cluster: Cluster, connection: WorkloadCluster | undefined): NodeSight => {
  const name = machine.status?.nodeRef?.name;
  if (name === undefined) {
    const isSilent = connection === undefined && isConditionTrue(cluster, ClusterCondition.controlPlaneInitialized);
    return { state: isSilent ? "unknown" : "none" };
  }
  if (connection === undefined) return { state: "unknown" };
  const node = connection.nodes.get({ name });
  return node === undefined ? { state: "gone" } : { state: "found", node };
};

interface WrittenLimit {
  readonly type: string;
  readonly status: string;
  readonly timeoutSeconds: number;
}

const limits = (written: readonly WrittenLimit[] = []): readonly Limit[] =>
  written.map(({ type, status, timeoutSeconds }) => ({ type, status, timeoutMs: timeoutSeconds * 1000 }));

export const rulesOf = ({ spec: { checks } }: MachineHealthCheck): HealthRules => ({
  nodeStartupTimeoutMs: (checks?.nodeStartupTimeoutSeconds ?? defaultNodeStartupTimeoutSeconds) * 1000,
  nodeConditions: limits(checks?.unhealthyNodeConditions),
  machineConditions: limits(checks?.unhealthyMachineConditions),
});
