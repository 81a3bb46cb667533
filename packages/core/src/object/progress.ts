import { isProgress, progressDelayMs } from "@capstan/contract/wire";
import { mergePatchOf } from "@capstan/kube";
import type { ReconcileContext, Result } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { saveStatus } from "./draft.ts";

/** An entry this much overdue belongs to an object that is gone. */
const staleMs = 60_000;

/** Writes statuses, but lets those that tell of progress only wait a little for company. */
export interface ProgressWriter {
  /** As `saveStatus`; with a requeue when the write waits. */
  save<T extends KubeObject>(
    context: ReconcileContext,
    kind: Resource<T>,
    stored: T,
    wanted: T,
    options?: {
      /** Nothing waits. */
      readonly all?: boolean;
      /** This change may wait, whatever it says. */
      readonly mayWait?: boolean;
    },
  ): Promise<Result>;
}

/**
 * For one controller. A status that changes nothing but reasons and messages is written a second after the first such change, or as part
 * of what comes before that: bursts, such as a Machine hearing from its bootstrap config and its infrastructure, become one write.
 */
export const progressWriter = (): ProgressWriter => {
  const dueAt = new Map<string, number>();

  const waitMs = (uid: string, now: number): number => {
    const due = dueAt.get(uid) ?? now + progressDelayMs;
    dueAt.set(uid, due);
    for (const [known, time] of dueAt) {
      if (time + staleMs > now) break;
      dueAt.delete(known);
    }
    return due - now;
  };

  return {
    save: async (context, kind, stored, wanted, { all = false, mayWait = false } = {}) => {
      const uid = stored.metadata.uid ?? "";
      const status = mergePatchOf(stored["status"] ?? {}, wanted["status"] ?? {});
      if (!all && status !== undefined && (mayWait || isProgress(stored, { status }))) {
        const requeueAfterMs = waitMs(uid, context.clock.now());
        if (requeueAfterMs > 0) return { requeueAfterMs };
      }
      await saveStatus(context, kind, stored, wanted);
      // Only now: after a failed write the next reconcile writes without waiting, so that its failures make the queue wait longer.
      dueAt.delete(uid);
      return {};
    },
  };
};
