import type { ControllerV1 } from "@capstan/contract/v1";
import { keyOf } from "@capstan/kube-values";
import { controller, watch, watchMapped, type ReconcileContext, type Result } from "@capstan/runtime";
import { Node, Pod, type PodObject, type Taint, type Toleration } from "../kinds/workload-kinds.ts";
import { podsOn } from "./indexes.ts";
import { tolerates } from "./placement.ts";

/** Milliseconds until a taint evicts the Pod; `undefined`: it does not. */
const evictionInMs = (taint: Taint, tolerations: readonly Toleration[], now: number): number | undefined => {
  const fitting = tolerations.filter((toleration) => tolerates(toleration, taint));
  if (fitting.length === 0) return 0;
  const seconds = fitting.flatMap(({ tolerationSeconds }) => tolerationSeconds ?? []);
  if (seconds.length < fitting.length) return undefined;
  const since = Date.parse(taint.timeAdded ?? "");
  return Math.max(0, (Number.isNaN(since) ? now : since) + Math.min(...seconds) * 1000 - now);
};

const remove = (pod: PodObject, { client, signal }: ReconcileContext, grace?: number): Promise<void> =>
  client.delete(Pod, keyOf(pod), {
    preconditions: { uid: pod.metadata.uid ?? "" },
    signal,
    ...(grace !== undefined && { gracePeriodSeconds: grace }),
  });

/** Pods of Nodes that are gone are removed, since no one is left to end them; those that do not tolerate their Node's taints are deleted. */
export const cleanPods = (): ControllerV1 =>
  controller({
    name: "pod-cleanup",
    sources: [
      watch(Pod),
      watchMapped(Node, ({ metadata }, { cache }) => podsOn(cache, metadata.name ?? "").map(keyOf)),
    ],
    reconcile: async (request, context): Promise<Result | void> => {
      const { cache, clock } = context;
      const pod = cache.get(Pod, request);
      const name = pod?.spec.nodeName ?? "";
      if (pod === undefined || name === "") return undefined;
      const node = cache.get(Node, { name });
      if (node === undefined) return remove(pod, context, 0);
      if (pod.metadata.deletionTimestamp !== undefined) return undefined;
      const { tolerations = [] } = pod.spec;
      const waits = (node.spec?.taints ?? [])
        .filter(({ effect }) => effect === "NoExecute")
        .flatMap((taint) => evictionInMs(taint, tolerations, clock.now()) ?? []);
      if (waits.length === 0) return undefined;
      const waitMs = Math.min(...waits);
      return waitMs > 0 ? { requeueAfterMs: waitMs } : remove(pod, context);
    },
  });
