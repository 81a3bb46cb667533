import { RoleReason } from "../roles/reasons.ts";
import { cluster as clusterFields, conditionOf } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { BootstrapOutcome } from "../roles/bootstrap-author.ts";
import { waiting } from "../roles/bootstrap-outcomes.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { initLock } from "./init-lock.ts";

/** The machine that initialises the cluster may take minutes; waiting machines look again this often, as upstream. */
const retryMs = 30_000;

/** Whether the Cluster's control plane answers, or has once. */
export const isControlPlaneInitialized = (cluster: KubeObject): boolean =>
  conditionOf(cluster, "ControlPlaneInitialized")?.status === "True" ||
  clusterFields.controlPlaneInitialized.get(cluster) === true;

/**
 * What a Machine's part in its cluster is. As long as there is no control plane, the one control-plane Machine that holds the lock begins
 * it with `init`, and the others wait; afterwards all do what `join` says. A failed `init` gives the lock back; one that succeeded keeps
 * it until the control plane is there, also over restarts: call `release` of `initLock` when a control-plane Machine has joined.
 */
export const initOrJoin = async (
  context: ClusterAccess & { readonly machine: KubeObject; readonly controlPlane: boolean },
  steps: { readonly init: () => Promise<BootstrapOutcome>; readonly join: () => Promise<BootstrapOutcome> },
): Promise<BootstrapOutcome> => {
  const { cluster, controlPlane, machine } = context;
  const lock = initLock(context);
  if (isControlPlaneInitialized(cluster)) {
    if (controlPlane) await lock.release();
    return steps.join();
  }
  if (!controlPlane || !(await lock.acquire(machine.metadata.name ?? ""))) {
    const message = "waiting for the control plane to be initialized";
    return waiting({ reason: RoleReason.dataNotAvailable, message, requeueAfterMs: retryMs });
  }
  try {
    return await steps.init();
  } catch (error) {
    await lock.release();
    throw error;
  }
};
