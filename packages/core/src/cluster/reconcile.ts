import { Finalizer } from "@capstan/contract";
import { isBeingDeleted } from "@capstan/kube-values";
import type { Reconcile } from "@capstan/runtime";
import { Cluster } from "../api.ts";
import { unreferenced } from "../external/observation.ts";
import { ofCluster } from "../object/indexes.ts";
import { reconcileObject } from "../object/reconcile-object.ts";
import { runSteps } from "../object/steps.ts";
import { reconcileDelete } from "./delete.ts";
import { removeForgottenNodes } from "./forgotten-nodes.ts";
import { reconcileKubeconfig } from "./kubeconfig.ts";
import { reconcileControlPlane, reconcileControlPlaneInitialized, reconcileInfrastructure } from "./references.ts";
import type { ClusterScope, ClusterServices } from "./scope.ts";
import { clusterStatus } from "./status.ts";

/** Brings one Cluster a step further: its infrastructure, its control plane, its kubeconfig, and through its deletion. */
export const reconcileCluster = (services: ClusterServices): Reconcile =>
  reconcileObject({
    kind: Cluster,
    saver: services.saver,
    finalizer: Finalizer.cluster,
    cluster: (_, { object }) => object,
    work: async (cluster, _, context) => {
      const scope: ClusterScope = {
        ...services,
        context,
        descendants: ofCluster(context.cache, cluster),
        cluster,
        infrastructure: unreferenced,
        controlPlane: unreferenced,
        deletion: undefined,
      };
      const steps = [
        reconcileInfrastructure,
        reconcileControlPlane,
        reconcileKubeconfig,
        reconcileControlPlaneInitialized,
        removeForgottenNodes,
        ...(isBeingDeleted(cluster) ? [reconcileDelete] : []),
      ];
      const outcome = await runSteps(
        steps.map((step) => () => step(scope)),
        context.signal,
      );
      return {
        ...outcome,
        object: scope.cluster,
        status: (stored) => {
          scope.cluster = stored;
          return clusterStatus(scope, { failed: outcome.errors.length > 0 });
        },
      };
    },
  });
