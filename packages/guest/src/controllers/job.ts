import { rfc3339 } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { controller, watch, watchOwned, type ReconcileContext } from "@capstan/runtime";
import { isActive, isReady } from "../kinds/pod-state.ts";
import { Job, Pod, type Condition, type JobObject, type PodObject } from "../kinds/workload-kinds.ts";
import { podsOf } from "./indexes.ts";
import { createPod, deletePod, leastMissedFirst, writeStatus } from "./owned-pods.ts";

const hasCondition = ({ status }: JobObject, ...types: readonly string[]): boolean =>
  ((status?.["conditions"] ?? []) as readonly Condition[]).some(
    ({ status: value, type }) => types.includes(type) && value === "True",
  );

interface Counts {
  readonly active: readonly PodObject[];
  readonly succeeded: number;
  readonly failed: number;
}

const phases = (pods: readonly PodObject[], phase: string): number =>
  pods.filter(({ status }) => status?.phase === phase).length;

/** Pods that were deleted before their end have failed. */
const countsOf = (pods: readonly PodObject[]): Counts => ({
  active: pods.filter(isActive),
  succeeded: phases(pods, "Succeeded"),
  failed: phases(pods, "Failed"),
});

const outcomeOf = ({ spec }: JobObject, { active, failed, succeeded }: Counts) => {
  const { backoffLimit = 6, completions } = spec;
  if (failed > backoffLimit) {
    return { type: "Failed", reason: "BackoffLimitExceeded", message: "Job has reached the specified backoff limit" };
  }
  // Without a number, the first that succeeds ends the work.
  const isDone = completions === undefined ? succeeded > 0 && active.length === 0 : succeeded >= completions;
  return isDone
    ? { type: "Complete", reason: "CompletionsReached", message: "Reached expected number of succeeded pods" }
    : undefined;
};

const wantedActive = ({ spec }: JobObject, { active, succeeded }: Counts): number => {
  const { completions, parallelism = 1, suspend = false } = spec;
  if (suspend) return 0;
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.min(parallelism, Math.max(0, completions - succeeded));
};

const conclude = async (job: JobObject, counts: Counts, context: ReconcileContext): Promise<boolean> => {
  const now = rfc3339(context.clock.now());
  const outcome = outcomeOf(job, counts);
  const { active, failed, succeeded } = counts;
  const condition = outcome && { ...outcome, status: "True", lastProbeTime: now, lastTransitionTime: now };
  const completed = outcome?.type === "Complete" ? { completionTime: now } : {};
  const status = {
    active: outcome === undefined ? active.length : 0,
    succeeded,
    failed,
    ready: active.filter(isReady).length,
    ...(job.status?.["startTime"] === undefined && job.spec.suspend !== true ? { startTime: now } : {}),
    ...(condition === undefined ? {} : { conditions: [condition], ...completed }),
  };
  await writeStatus(Job, job, status, context);
  return outcome !== undefined;
};

/** Pods until enough of them have succeeded. */
export const jobs = (): ControllerV1 =>
  controller({
    name: "job",
    sources: [watch(Job), watchOwned(Pod, Job)],
    reconcile: async (request, context) => {
      const job = context.cache.get(Job, request);
      if (job === undefined || job.metadata.deletionTimestamp !== undefined) return;
      if (hasCondition(job, "Complete", "Failed")) return;
      const counts = countsOf(podsOf(context.cache, job));
      const { active } = counts;
      if (await conclude(job, counts, context)) {
        for (const pod of active) await deletePod(pod, context);
        return;
      }
      const wanted = wantedActive(job, counts);
      for (let n = active.length; n < wanted; n += 1) await createPod(job, { template: job.spec.template }, context);
      const surplus = leastMissedFirst(active).slice(0, Math.max(0, active.length - wanted));
      for (const pod of surplus) await deletePod(pod, context);
    },
  });
