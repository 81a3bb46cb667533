import { ownerReferenceTo } from "@capstan/kube";
import { generatedName, keyOf } from "@capstan/kube-values";
import type { ReconcileContext } from "@capstan/runtime";
import { sameJson, type KubeObject, type Resource } from "@capstan/schema";
import { isReady } from "../kinds/pod-state.ts";
import { Pod, type PodObject, type PodSpec, type PodTemplate } from "../kinds/workload-kinds.ts";

export interface PodDraft {
  readonly template: PodTemplate;
  /** Default: the owner's name and a random ending. */
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: Partial<PodSpec>;
}

/** Makes a Pod from its controller's template. */
export const createPod = async (
  owner: KubeObject,
  { labels, name, spec, template }: PodDraft,
  { client, random, signal }: ReconcileContext,
): Promise<void> => {
  const { name: prefix = "", namespace } = owner.metadata;
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...(namespace !== undefined && { namespace }),
      name: name ?? generatedName(`${prefix}-`, random),
      labels: { ...template.metadata?.labels, ...labels },
      ...(template.metadata?.annotations !== undefined && { annotations: template.metadata.annotations }),
      ownerReferences: [ownerReferenceTo(owner, { controller: true, blockOwnerDeletion: true })],
    },
    spec: { ...template.spec, ...spec },
  };
  await client.create(Pod, pod, { signal });
};

export const deletePod = (pod: PodObject, { client, signal }: ReconcileContext): Promise<void> =>
  client.delete(Pod, keyOf(pod), { preconditions: { uid: pod.metadata.uid ?? "" }, signal });

const rank = (pod: PodObject): number => {
  const isPlaced = (pod.spec.nodeName ?? "") !== "";
  return (isPlaced ? 4 : 0) + (pod.status?.phase === "Running" ? 2 : 0) + (isReady(pod) ? 1 : 0);
};

/** Those first that are missed least: on no Node, not running, not ready, the newest. */
export const leastMissedFirst = (pods: readonly PodObject[]): readonly PodObject[] =>
  pods.toSorted(
    (one, other) =>
      rank(one) - rank(other) ||
      (other.metadata.creationTimestamp ?? "").localeCompare(one.metadata.creationTimestamp ?? "") ||
      (one.metadata.name ?? "").localeCompare(other.metadata.name ?? ""),
  );

/** Writes what differs in the status. `null` takes a field away. */
export const writeStatus = async (
  kind: Resource,
  object: KubeObject,
  status: Readonly<Record<string, unknown>>,
  { client, signal }: ReconcileContext,
): Promise<void> => {
  const before = (object["status"] ?? {}) as Readonly<Record<string, unknown>>;
  const isSame = Object.entries(status).every(([name, value]) =>
    value === null ? before[name] === undefined : sameJson(before[name], value),
  );
  if (isSame) return;
  await client.patch(kind, keyOf(object), { type: "merge", body: { status } }, { subresource: "status", signal });
};
