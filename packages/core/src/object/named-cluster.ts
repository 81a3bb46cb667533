import { CapstanError } from "@capstan/contract";
import { describeObject } from "@capstan/contract/wire";
import type { ObjectChanges } from "@capstan/kit/engine";
import type { ReconcileContext } from "@capstan/runtime";
import { apiVersionOf } from "@capstan/schema";
import type { KubeObject } from "@capstan/schema";
import { withConditions } from "@capstan/kit/machines";
import { Cluster } from "../api.ts";
import { CoreErrorCode } from "../errors.ts";

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
export const namedCluster =
  (summary?: "Ready" | "Available") =>
  async <T extends KubeObject & { readonly spec: { readonly clusterName: string } }>(
    context: ReconcileContext,
    changes: ObjectChanges<T>,
  ): Promise<Cluster> => {
    const { object } = changes;
    const { namespace = "", deletionTimestamp } = object.metadata;
    const { clusterName } = object.spec;
    const key = { namespace, name: clusterName };
    const cluster = context.cache.get(Cluster, key);
    if (cluster !== undefined) return cluster;
    if (deletionTimestamp !== undefined) {
      const live = await context.client.find(Cluster, key, { signal: context.signal });
      return live ?? goneCluster(namespace, clusterName, deletionTimestamp);
    }
    const reason = "ClusterMissing";
    const message = `${describeObject(object)}: spec.clusterName names Cluster ${namespace}/${clusterName}, which does not exist; create it or correct the name`;
    if (summary !== undefined) {
      const condition = { type: summary, status: "False", reason, message } as const;
      changes.become(withConditions(object, [condition], context.clock.now()));
      await changes.flush({ all: true });
    }
    throw new CapstanError({ code: CoreErrorCode.clusterMissing, reason, message });
  };
