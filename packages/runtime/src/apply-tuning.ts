import { Label } from "@capstan/contract";
import { keyOf } from "@capstan/kube-values";
import type { Resource } from "@capstan/schema";
import { type ControllerOptions, type Environment, type RequestSink, type Source, type Tuning } from "./controller.ts";
import { lowPriority } from "./work-queue.ts";

/** The kind a controller reconciles, if one of its sources watches it. */
const subjectOf = (sources: readonly Source[]): Resource | undefined =>
  sources.find(({ subject }) => subject !== undefined)?.subject;

/** Drops requests for objects that another manager is to handle. What is gone, or not seen yet, is passed on. */
const filtered =
  (reconcile: ControllerOptions["reconcile"], subject: Resource, watchFilter: string): ControllerOptions["reconcile"] =>
  async (request, context) => {
    const object = context.cache.get(subject, request);
    if (object !== undefined && object.metadata.labels?.[Label.watchFilter] !== watchFilter) return;
    return reconcile(request, context);
  };

/** The options of a controller with what the operator set for it. */
export const applyTuning = (
  options: ControllerOptions,
  sources: readonly Source[],
  { watchFilter, concurrency = {} }: Tuning,
): ControllerOptions => {
  const subject = subjectOf(sources);
  if (subject === undefined) return options;
  const limit = concurrency[subject.kind];
  return {
    ...options,
    ...(limit !== undefined && { concurrency: limit }),
    ...(watchFilter !== undefined && { reconcile: filtered(options.reconcile, subject, watchFilter) }),
  };
};

/** Requests for every object again and again, a tenth of the time spread by chance so that managers do not act in step. */
export const resync = (sources: readonly Source[]): Source => ({
  start: (queue, environment, { signal }) => {
    const subject = subjectOf(sources);
    const periodMs = environment.tuning?.syncPeriodMs;
    if (subject !== undefined && periodMs !== undefined) void again(subject, periodMs, queue, environment, signal);
  },
});

const again = async (
  subject: Resource,
  periodMs: number,
  queue: RequestSink,
  { cache, clock, random }: Environment,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    try {
      await clock.sleep(periodMs * (1 + 0.1 * random.next()), { signal });
    } catch {
      return;
    }
    for (const object of cache.list(subject)) queue.add(keyOf(object), { priority: lowPriority });
  }
};
