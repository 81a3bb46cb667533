import type { ControllerV1 } from "@capstan/contract/v1";
import { controller, watch, watchOwned, type Result } from "@capstan/runtime";
import { availableInMs, isActive, isReady } from "../kinds/pod-state.ts";
import { Pod, ReplicaSet } from "../kinds/workload-kinds.ts";
import { podsOf } from "./indexes.ts";
import { createPod, deletePod, leastMissedFirst, writeStatus } from "./owned-pods.ts";

/** As many Pods as are asked for. */
export const replicaSets = (): ControllerV1 =>
  controller({
    name: "replicaset",
    sources: [watch(ReplicaSet), watchOwned(Pod, ReplicaSet)],
    reconcile: async (request, context): Promise<Result | void> => {
      const { cache, clock } = context;
      const set = cache.get(ReplicaSet, request);
      if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
      const { minReadySeconds = 0, replicas = 1, template } = set.spec;
      const pods = podsOf(cache, set).filter(isActive);
      for (let n = pods.length; n < replicas; n += 1) await createPod(set, { template }, context);
      const surplus = leastMissedFirst(pods).slice(0, Math.max(0, pods.length - replicas));
      for (const pod of surplus) await deletePod(pod, context);
      const waits = pods.flatMap((pod) => availableInMs(pod, minReadySeconds, clock.now()) ?? []);
      await writeStatus(
        ReplicaSet,
        set,
        {
          replicas: pods.length,
          fullyLabeledReplicas: pods.length,
          readyReplicas: pods.filter(isReady).length,
          availableReplicas: waits.filter((wait) => wait === 0).length,
          observedGeneration: set.metadata.generation ?? 0,
        },
        context,
      );
      const next = waits.filter((wait) => wait > 0);
      return next.length === 0 ? undefined : { requeueAfterMs: Math.min(...next) };
    },
  });
