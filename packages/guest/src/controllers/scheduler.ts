import { rfc3339 } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { objectPath } from "@capstan/kube";
import { keyOf } from "@capstan/kube-values";
import { controller, watchMapped, type ReconcileContext } from "@capstan/runtime";
import { conditionOf, isFinished, withConditions } from "../kinds/pod-state.ts";
import { Node, Pod, type PodObject } from "../kinds/workload-kinds.ts";
import { podsOn, unplacedPods } from "./indexes.ts";
import { placeFor } from "./placement.ts";

const ownName = "default-scheduler";

const isDue = ({ metadata, spec }: PodObject): boolean =>
  (spec.nodeName ?? "") === "" &&
  metadata.deletionTimestamp === undefined &&
  (spec.schedulerName ?? ownName) === ownName &&
  (spec.schedulingGates ?? []).length === 0;

const bind = async (pod: PodObject, node: string, { client, signal }: ReconcileContext): Promise<void> => {
  const { name, namespace, uid } = pod.metadata;
  await client.request({
    method: "POST",
    path: objectPath(Pod, keyOf(pod), "binding"),
    body: {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name, namespace, uid },
      target: { apiVersion: "v1", kind: "Node", name: node },
    },
    signal,
  });
};

const sayWhyNot = async (pod: PodObject, message: string, context: ReconcileContext): Promise<void> => {
  const { client, clock, signal } = context;
  const said = conditionOf(pod, "PodScheduled");
  if (said?.status === "False" && said.message === message) return;
  const why = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
  const conditions = withConditions(pod.status?.conditions, [why], rfc3339(clock.now()));
  await client.patch(
    Pod,
    keyOf(pod),
    { type: "merge", body: { status: { conditions } } },
    { subresource: "status", signal },
  );
};

/** Puts Pods on Nodes, one after another. What it has decided counts before the watch shows it. */
export const scheduler = (): ControllerV1 => {
  /** By uid. */
  const decided = new Map<string, { readonly node: string; readonly pod: PodObject }>();
  const placesOf = ({ cache }: ReconcileContext) =>
    cache.list(Node).map((node) => {
      const { name = "" } = node.metadata;
      const expected = [...decided.values()].flatMap((entry) => (entry.node === name ? [entry.pod] : []));
      return { node, pods: [...podsOn(cache, name).filter((pod) => !isFinished(pod)), ...expected] };
    });
  return controller({
    name: "scheduler",
    concurrency: 1,
    sources: [
      watchMapped(Pod, (pod, { cache }) => {
        if ((pod.spec.nodeName ?? "") !== "") decided.delete(pod.metadata.uid ?? "");
        return isFinished(pod) ? unplacedPods(cache).map(keyOf) : [keyOf(pod)];
      }),
      watchMapped(
        Pod,
        (pod, { cache }) => {
          decided.delete(pod.metadata.uid ?? "");
          return unplacedPods(cache).map(keyOf);
        },
        { when: ({ type }) => type === "deleted" },
      ),
      watchMapped(Node, (_node, { cache }) => unplacedPods(cache).map(keyOf)),
    ],
    reconcile: async (request, context) => {
      const pod = context.cache.get(Pod, request);
      const uid = pod?.metadata.uid ?? "";
      if (pod === undefined || !isDue(pod) || decided.has(uid)) return;
      const found = placeFor(pod, placesOf(context));
      if ("message" in found) return sayWhyNot(pod, found.message, context);
      decided.set(uid, { node: found.node, pod });
      try {
        await bind(pod, found.node, context);
      } catch (error) {
        decided.delete(uid);
        throw error;
      }
    },
  });
};
