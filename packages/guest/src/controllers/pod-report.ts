import { keyOf } from "@capstan/kube-values";
import type { ReconcileContext } from "@capstan/runtime";
import { withConditions } from "../kinds/pod-state.ts";
import { Pod, type PodObject } from "../kinds/workload-kinds.ts";

/** The same state of all its containers. */
export const containerStates = ({ spec, status }: PodObject, ready: boolean, state: object) =>
  spec.containers.map(({ name, image }, index) => ({
    name,
    image,
    imageID: image,
    ready,
    restartCount: status?.containerStatuses?.[index]?.restartCount ?? 0,
    started: ready,
    state,
  }));

/** Merges into the status of a Pod what its kubelet sees. */
export const report = async (pod: PodObject, status: object, { client, signal }: ReconcileContext): Promise<void> => {
  await client.patch(Pod, keyOf(pod), { type: "merge", body: { status } }, { subresource: "status", signal });
};

/** The conditions of a Pod that is on its Node. `reason`: why it is not ready. */
export const podConditions = (pod: PodObject, ready: boolean, now: string, reason?: string) =>
  withConditions(
    pod.status?.conditions,
    [
      { type: "PodScheduled", status: "True" },
      { type: "Initialized", status: "True" },
      ...["ContainersReady", "Ready"].map((type) => ({
        type,
        status: ready ? "True" : "False",
        ...(reason !== undefined && { reason }),
      })),
    ],
    now,
  );
