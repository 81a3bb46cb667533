import { Annotation } from "@capstan/contract";
import type { Machine } from "../api.ts";

/** Names of the hooks of one kind that still hold the deletion, sorted. */
const hooks = (machine: Machine, prefix: string): readonly string[] =>
  Object.keys(machine.metadata.annotations ?? {})
    .filter((key) => key.startsWith(prefix))
    .sort();

export const preDrainHooks = (machine: Machine): readonly string[] => hooks(machine, Annotation.preDrainHookPrefix);

export const preTerminateHooks = (machine: Machine): readonly string[] =>
  hooks(machine, Annotation.preTerminateHookPrefix);

/** Why the Node of a Machine may not be drained and deleted. */
export type NodeKeptBecause = "cluster-deleting" | "no-node" | "control-plane-deleting" | "last-control-plane-machine";

export interface NodeDeletionFacts {
  readonly clusterDeleting: boolean;
  /** The Machine has a Node, found now or earlier. */
  readonly hasNode: boolean;
  readonly controlPlaneDeleting: boolean;
  /** The API server runs outside the Machines of the cluster. */
  readonly externalControlPlane: boolean;
  /** Control-plane Machines that are not being deleted. */
  readonly liveControlPlaneMachines: number;
}

/** `undefined` when the Node may be drained and deleted. */
export const nodeKeptBecause = (facts: NodeDeletionFacts): NodeKeptBecause | undefined => {
  if (facts.clusterDeleting) return "cluster-deleting";
  if (!facts.hasNode) return "no-node";
  if (facts.controlPlaneDeleting) return "control-plane-deleting";
  if (!facts.externalControlPlane && facts.liveControlPlaneMachines === 0) return "last-control-plane-machine";
  return undefined;
};

/** A limit in seconds has passed since the start. Absent or 0 means no limit; without a start nothing has passed. */
export const timedOut = (limitSeconds: number | undefined, startedAt: string | undefined, now: number): boolean =>
  limitSeconds !== undefined &&
  limitSeconds > 0 &&
  startedAt !== undefined &&
  now - Date.parse(startedAt) >= limitSeconds * 1000;

export interface WaitFacts {
  /** An annotation excludes the step. */
  readonly excluded: boolean;
  /** The infrastructure object is gone or being deleted, so there is no machine to drain. */
  readonly infrastructureLeaving: boolean;
  readonly limitSeconds: number | undefined;
  readonly startedAt: string | undefined;
  readonly now: number;
}

/** Returns whether the drain, or the wait for volumes, has to be done (still). */
export const isStepDue = (machine: Machine, facts: WaitFacts): boolean =>
  !facts.excluded &&
  machine.status?.deletion?.waitForPreTerminateHookStartTime === undefined &&
  !facts.infrastructureLeaving &&
  !timedOut(facts.limitSeconds, facts.startedAt, facts.now);
