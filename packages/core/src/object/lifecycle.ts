import { Annotation, CapstanError } from "@capstan/contract";
import { describeObject, isPaused } from "@capstan/contract/wire";
import { hasFinalizer, isBeingDeleted, withFinalizer, withoutFinalizers } from "@capstan/kube";
import type { ReconcileContext } from "@capstan/runtime";
import { apiVersionOf } from "@capstan/schema";
import type { KubeObject, Resource } from "@capstan/schema";
import { Cluster } from "../api.ts";
import { withConditions } from "./conditions.ts";
import { saveStatus, withMetadata } from "./draft.ts";
import { CoreErrorCode } from "../errors.ts";

/** The object with a finalizer, unless it is being deleted: then none may be added. */
export const held = <T extends KubeObject>(object: T, finalizer: string): T =>
  isBeingDeleted(object) || hasFinalizer(object, finalizer)
    ? object
    : withMetadata(object, { finalizers: withFinalizer(object, finalizer) });

/** The object without our finalizer: it may go. */
export const letGo = <T extends KubeObject>(object: T, finalizer: string): T =>
  withMetadata(object, { finalizers: withoutFinalizers(object, finalizer) });

/** Nothing is left to do for us: the object goes, and our part is done. */
export const isFinished = (object: KubeObject, finalizer: string): boolean =>
  isBeingDeleted(object) && !hasFinalizer(object, finalizer);

/** Stands for a Cluster that is gone, in whose place nothing is made and no Node is asked. */
const goneCluster = (namespace: string, name: string, deletionTimestamp: string): Cluster => ({
  apiVersion: apiVersionOf(Cluster),
  kind: "Cluster",
  metadata: { namespace, name, deletionTimestamp },
  spec: {},
});

/**
 * The Cluster an object names. Without it the object's `summary` condition says so and `core.cluster_missing` is thrown; the Cluster's
 * arrival wakes the object again. An object that is being deleted does not wait for it: it goes in order, as if the Cluster were being
 * deleted too.
 */
export const clusterOf = async <T extends KubeObject & { readonly spec: { readonly clusterName: string } }>(
  context: ReconcileContext,
  kind: Resource<T>,
  object: T,
  summary: "Ready" | "Available" | undefined,
): Promise<Cluster> => {
  const { namespace = "" } = object.metadata;
  const { clusterName } = object.spec;
  const cluster = context.cache.get(Cluster, { namespace, name: clusterName });
  if (cluster !== undefined) return cluster;
  const { deletionTimestamp } = object.metadata;
  if (deletionTimestamp !== undefined) {
    const live = await context.client.find(Cluster, { namespace, name: clusterName }, { signal: context.signal });
    return live ?? goneCluster(namespace, clusterName, deletionTimestamp);
  }
  const reason = "ClusterMissing";
  const message = `${describeObject(object)}: spec.clusterName names Cluster ${namespace}/${clusterName}, which does not exist; create it or correct the name`;
  if (summary !== undefined) {
    const condition = { type: summary, status: "False", reason, message } as const;
    await saveStatus(context, kind, object, withConditions(object, [condition], context.clock.now()));
  }
  throw new CapstanError({ code: CoreErrorCode.clusterMissing, reason, message });
};

/**
 * Whether the object is to be left alone. If so, its Paused condition says why; nothing else of it is written.
 */
export const keepPaused = async <T extends KubeObject>(
  context: ReconcileContext,
  kind: Resource<T>,
  object: T,
  cluster: Cluster,
): Promise<boolean> => {
  if (!isPaused(object, cluster)) return false;
  const reasons = [
    ...(cluster.spec.paused === true ? ["Cluster spec.paused is set to true"] : []),
    ...(object.metadata.annotations?.[Annotation.paused] === undefined
      ? []
      : [`${object.kind} has the ${Annotation.paused} annotation`]),
  ];
  const condition = { type: "Paused", status: "True", reason: "Paused", message: reasons.join(", ") } as const;
  await saveStatus(context, kind, object, withConditions(object, [condition], context.clock.now()));
  return true;
};
