import type { ControllerV1 } from "@capstan/contract/v1";
import { machine as machineFields, SecretResource } from "@capstan/contract/wire";
import type { Environment, Manager, RequestSink, Source } from "@capstan/runtime";
import { controller, requestFor, watchOwned } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { externalObjects } from "../external/external-objects.ts";
import { workloadClusters } from "../workload/workload-clusters.ts";
import type { BootstrapAuthor } from "./bootstrap-author.ts";
import { BootstrapReconciler } from "./bootstrap-reconciler.ts";
import { keyOf } from "../engine/save/object-changes.ts";
import { bootstrapPermissions } from "./permissions.ts";
import { clusterIndex, clusterIndexOf } from "./relations.ts";
import { ownObject } from "../engine/triggers.ts";
import { byCluster, byMachine } from "./triggers.ts";
import { measuredVerbs } from "../engine/verbs.ts";

/** Requests for all configs of a Cluster whose workload cluster became reachable. */
const byConnection = (kind: Resource): Source => ({
  start: (queue: RequestSink, environment: Environment, { signal }) => {
    const clusters = environment.findService(workloadClusters);
    const unsubscribe = clusters?.subscribe((event) => {
      if (event.type !== "connected") return;
      const value = `${event.cluster.namespace ?? ""}/${event.cluster.name}`;
      for (const config of environment.cache.byIndex(kind, clusterIndex, value)) queue.add(requestFor(keyOf(config)));
    });
    if (unsubscribe !== undefined) signal.addEventListener("abort", unsubscribe, { once: true });
  },
});

/**
 * A controller for a bootstrap config kind. The author renders the document; the shell owns the Secret, its owner reference and labels,
 * the flags of both contracts, conditions, waiting and pausing.
 */
export const bootstrapConfig = <O extends KubeObject>(author: BootstrapAuthor<O>): ControllerV1 => {
  const name = author.kind.kind.toLowerCase();
  return {
    name,
    permissions: bootstrapPermissions(author.kind, author.permissions),
    attach: (manager: Manager) => {
      const externals = author.followsReferences === true ? externalObjects(author.kind) : undefined;
      const reconciler = new BootstrapReconciler<O>({
        author,
        externals,
        verbs: measuredVerbs(name, manager),
      });
      const shell = controller({
        name,
        ...(author.concurrency === undefined ? {} : { concurrency: author.concurrency }),
        setup: ({ cache }) => cache.informer(author.kind).addIndex(clusterIndex, clusterIndexOf),
        sources: [
          ownObject(author.kind),
          byMachine(author.kind, machineFields.bootstrapConfigRefPath),
          byCluster(author.kind),
          watchOwned(SecretResource, author.kind),
          reconciler.secrets.source(),
          byConnection(author.kind),
          ...(externals === undefined ? [] : [externals]),
          reconciler.saver.source,
        ],
        reconcile: (request, context) => reconciler.reconcile(request, context),
      });
      shell.attach(manager as never);
    },
  };
};
