import { Finalizer } from "@capstan/contract";
import { isBeingDeleted } from "@capstan/kube";
import type { Reconcile } from "@capstan/runtime";
import { Cluster } from "../api.ts";
import { unreferenced } from "../external/observation.ts";
import { boundContext } from "../object/bound-client.ts";
import { saveMain } from "../object/draft.ts";
import { ofCluster } from "../object/indexes.ts";
import { isFinished, keepPaused, held } from "../object/lifecycle.ts";
import { runSteps, sooner, throwFirst } from "../object/steps.ts";
import { reconcileDelete } from "./delete.ts";
import { reconcileKubeconfig } from "./kubeconfig.ts";
import { reconcileControlPlane, reconcileControlPlaneInitialized, reconcileInfrastructure } from "./references.ts";
import type { ClusterScope, ClusterServices } from "./scope.ts";
import { clusterStatus } from "./status.ts";

/** Brings one Cluster a step further: its infrastructure, its control plane, its kubeconfig, and through its deletion. */
export const reconcileCluster =
  (services: ClusterServices): Reconcile =>
  async (request, original) => {
    const context = boundContext(original);
    const stored = context.cache.get(Cluster, request);
    if (stored === undefined || isFinished(stored, Finalizer.cluster)) return {};
    const base = await saveMain(context, Cluster, stored, held(stored, Finalizer.cluster));
    if (await keepPaused(context, Cluster, base, base)) return {};
    const scope: ClusterScope = {
      ...services,
      context,
      descendants: ofCluster(context.cache, base),
      cluster: base,
      infrastructure: unreferenced,
      controlPlane: unreferenced,
      deletion: undefined,
    };
    const steps = [
      reconcileInfrastructure,
      reconcileControlPlane,
      reconcileKubeconfig,
      reconcileControlPlaneInitialized,
      ...(isBeingDeleted(base) ? [reconcileDelete] : []),
    ];
    const { result, errors } = await runSteps(
      steps.map((step) => () => step(scope)),
      context.signal,
    );
    scope.cluster = await saveMain(context, Cluster, base, scope.cluster);
    if (isFinished(scope.cluster, Finalizer.cluster)) return {};
    const wanted = clusterStatus(scope, { failed: errors.length > 0 });
    const written = await scope.progress.save(context, Cluster, base, wanted.cluster, { all: errors.length > 0 });
    throwFirst(errors, context.log);
    return sooner(result, wanted.result, written);
  };
