import { isCapstanError, rfc3339 } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { controller, watch, type ReconcileContext, type Result, type Source } from "@capstan/runtime";
import { sameJson } from "@capstan/schema";
import { heardConditions, heardAt, readyOf, taintsFor, unknownConditions } from "../kinds/node-conditions.ts";
import { isReady, withConditions } from "../kinds/pod-state.ts";
import { Node, Pod, type NodeObject } from "../kinds/workload-kinds.ts";
import { podsOn } from "./indexes.ts";
import { networkNotReady } from "../network/network-plugin.ts";
import { hasNetwork, type Kubelets } from "./kubelets.ts";

/** As kube-controller-manager's `--node-monitor-grace-period`. */
const graceMs = 40_000;

/** Requests for Nodes whose kubelet starts or ends, or whose network comes or goes. */
const kubeletSource = (kubelets: Kubelets): Source => ({
  start: (queue, _environment, { signal }) => {
    const unsubscribe = kubelets.subscribe((name) => queue.add({ namespace: "", name }));
    signal.addEventListener("abort", unsubscribe, { once: true });
  },
});

/** Pods of a Node that is lost are not ready, whatever their kubelet said last. */
const markPods = async (node: string, { cache, client, clock, signal }: ReconcileContext): Promise<void> => {
  for (const pod of podsOn(cache, node)) {
    if (!isReady(pod)) continue;
    const conditions = withConditions(
      pod.status?.conditions,
      [{ type: "Ready", status: "False" }],
      rfc3339(clock.now()),
    );
    const { namespace = "", name = "" } = pod.metadata;
    await client
      .patch(
        Pod,
        { namespace, name },
        { type: "merge", body: { status: { conditions } } },
        { subresource: "status", signal },
      )
      .catch((error: unknown) => {
        if (!isCapstanError(error, "kube.not_found")) throw error;
      });
  }
};

/** Returns the conditions to set on the Node, `undefined` if they are right, or the milliseconds until they have to be checked again. */
const nextConditions = (node: NodeObject, kubelets: Kubelets, now: number) => {
  const name = node.metadata.name ?? "";
  const ready = readyOf(node);
  const kubelet = kubelets.heard(name);
  if (kubelet !== undefined) {
    const obstacle = hasNetwork(kubelet) ? undefined : networkNotReady;
    if (ready === (obstacle === undefined ? "True" : "False")) return undefined;
    return heardConditions(rfc3339(now), obstacle);
  }
  if (ready === "Unknown" || ready === undefined) return undefined;
  // While a Node registers it has been heard, though its kubelet does not run yet.
  const leftMs = graceMs - Math.min(kubelets.silentMs(name), now - heardAt(node));
  return leftMs > 0 ? leftMs : unknownConditions(node, rfc3339(now));
};

/**
 * Models how kubelets and kube-controller-manager maintain Nodes: a running kubelet posts that its Node is ready, or that its Pods have no
 * network; after 40 s without a kubelet the Node becomes unknown. Taints follow the conditions.
 */
export const nodeLifecycle = (kubelets: Kubelets): ControllerV1 =>
  controller({
    name: "node-lifecycle",
    sources: [watch(Node), kubeletSource(kubelets)],
    reconcile: async ({ name }, context): Promise<Result | void> => {
      const { cache, client, clock, signal } = context;
      const node = cache.get(Node, { name });
      if (node === undefined) return kubelets.forget(name);
      const conditions = nextConditions(node, kubelets, clock.now());
      if (typeof conditions === "object") {
        // Others say more of the Node than its kubelet.
        const others = (node.status?.conditions ?? []).filter(
          (condition) => !conditions.some(({ type }) => type === condition.type),
        );
        const body = { status: { conditions: [...others, ...conditions] } };
        await client.patch(Node, { name }, { type: "merge", body }, { subresource: "status", signal });
        return undefined;
      }
      const taints = taintsFor(node, rfc3339(clock.now()));
      if (!sameJson(taints, node.spec?.taints ?? [])) {
        const { resourceVersion } = node.metadata;
        const body = { metadata: { resourceVersion }, spec: { taints: taints.length === 0 ? null : taints } };
        await client.patch(Node, { name }, { type: "merge", body }, { signal });
        return undefined;
      }
      if (readyOf(node) === "Unknown") await markPods(name, context);
      return conditions === undefined ? undefined : { requeueAfterMs: conditions };
    },
  });
