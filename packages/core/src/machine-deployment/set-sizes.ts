import { isConditionTrue, MachineCondition } from "@capstan/kit/machines";
import { isBeingDeleted } from "@capstan/kube-values";
import type { Machine, MachineDeployment, MachineSet } from "../api.ts";
import { controllerOf } from "@capstan/contract/wire";
import { rolloutBounds } from "@capstan/kube-values";
import type { ReplicaPlan, RolloutState, SetSize } from "./rollout-plan.ts";
import { planNothing, planOnDelete, planPaused, planRollingUpdate } from "./rollout-plan.ts";
import { byAge } from "../rollout/template-match.ts";

const noSet: SetSize = { name: "", replicas: 0, present: 0, available: 0 };

/**
 * Returns the size of a set. Its reported status and the Machines in the cache may each be behind the other, so the
 * more cautious of the two counts is taken.
 */
const sizeOf = (set: MachineSet, own: readonly Machine[]): SetSize => {
  const available = own.filter(
    (machine) => !isBeingDeleted(machine) && isConditionTrue(machine, MachineCondition.available),
  );
  return {
    name: set.metadata.name ?? "",
    replicas: set.spec.replicas ?? 0,
    present: Math.max(own.length, set.status?.replicas ?? 0),
    available: Math.min(available.length, set.status?.availableReplicas ?? 0),
  };
};

/** Returns the replicas that each set should target under the deployment's strategy. */
export const planReplicas = (input: {
  readonly deployment: MachineDeployment;
  readonly current: MachineSet | undefined;
  readonly old: readonly MachineSet[];
  /** Sets that are being deleted: they want nothing any more, but their Machines are still there. */
  readonly leaving: readonly MachineSet[];
  /** Nothing is replaced. */
  readonly held: boolean;
  /** Machines of all of them. */
  readonly machines: readonly Machine[];
}): ReplicaPlan => {
  const { deployment, current } = input;
  const bySet = Map.groupBy(input.machines, (machine) => controllerOf(machine)?.uid);
  const size = (set: MachineSet): SetSize => sizeOf(set, bySet.get(set.metadata.uid) ?? []);
  const desired = deployment.spec.replicas ?? 1;
  const strategy = deployment.spec.rollout?.strategy;
  const isOnDelete = strategy?.type === "OnDelete";
  const bounds = isOnDelete ? { maxSurge: 0, maxUnavailable: 0 } : rolloutBounds(strategy?.rollingUpdate, desired);
  const state: RolloutState = {
    desired,
    ...bounds,
    current: current === undefined ? noSet : size(current),
    old: [
      ...input.old.toSorted(byAge).map(size),
      ...input.leaving.map((set): SetSize => ({ ...size(set), replicas: 0 })),
    ],
  };
  // No server of ours takes it, but one with older definitions does: by mistake, so it is no reason to delete.
  if (desired < 0) return planNothing(state);
  if (input.held) return planPaused(state);
  return isOnDelete ? planOnDelete(state) : planRollingUpdate(state);
};
