import type { KubeObject } from "@capstan/schema";
import type { BootstrapContext, BootstrapOutcome } from "../roles/bootstrap/author.ts";
import { waiting } from "../roles/bootstrap/outcomes.ts";
import { isControlPlaneInitialized } from "../roles/control-plane-initialized.ts";
import { RoleReason } from "../roles/reasons.ts";
import type { ClusterAccess } from "../roles/bootstrap/cluster-access.ts";
import { initLock } from "../roles/bootstrap/init-lock.ts";

/** Releasing the lock wakes the waiting objects; in case that is missed, they check again after this time. */
const missedMs = 600_000;

/**
 * Decides a Machine's part in its cluster. As long as there is no control plane, the one control-plane Machine that
 * holds the lock begins it with `init`, and the others wait: the Cluster wakes them, or the lock that is free again
 * (see `initLock` of the author); afterwards all do what `join` says. A failed `init` gives the lock back; one that
 * succeeded keeps it until the control plane is there, also over restarts: call `release` of `initLock` when a
 * control-plane Machine has joined.
 */
export const initOrJoin = async (
  context: ClusterAccess & {
    readonly machine: KubeObject;
    readonly controlPlane: boolean;
    readonly awaitsLock?: BootstrapContext<KubeObject>["awaitsLock"];
  },
  steps: { readonly init: () => Promise<BootstrapOutcome>; readonly join: () => Promise<BootstrapOutcome> },
): Promise<BootstrapOutcome> => {
  const { cluster, controlPlane, machine } = context;
  const lock = initLock(context);
  if (isControlPlaneInitialized(cluster)) {
    context.awaitsLock?.(false);
    if (controlPlane) await lock.release();
    return steps.join();
  }
  const [reason, message] = [RoleReason.waitingForControlPlane, "waiting for the control plane to be initialized"];
  if (!controlPlane) return waiting({ reason, message });
  context.awaitsLock?.(true);
  if (!(await lock.acquire(machine.metadata.name ?? ""))) return waiting({ reason, message, requeueAfterMs: missedMs });
  context.awaitsLock?.(false);
  try {
    return await steps.init();
  } catch (error) {
    await lock.release();
    throw error;
  }
};
