import { Group } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import type { PoolBootstrap, PoolObservation } from "@capstan/kit/machine";
import { infraMachinePool } from "@capstan/kit/machine";
import { isBeingDeleted } from "@capstan/kube-values";
import { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { AzureMachinePool } from "../api/azure-machine-pool.v1beta1.ts";
import { AzureMachinePoolMachine } from "../api/azure-machine-pool-machine.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import type { Connect } from "../cloud/connections.ts";
import { recordedCluster } from "../cluster/recorded-cluster.ts";
import { connectCluster } from "../identity/connect-cluster.ts";
import { identities, identityHold } from "../identity/identities.ts";
import type { MachineUses } from "../machine/machine-plan.ts";
import { clusterOf } from "../machine/machine-plan.ts";
import { objectStoreRequest } from "../machine/object-store-request.ts";
import type { AzureProviderOptions } from "../options.ts";
import { isDeleting, observePool, observePoolRemoval, retryStep } from "./observe-pool.ts";
import { modelOf } from "./pool-model.ts";
import type { PoolContext } from "./pool-plan.ts";
import { poolPlan } from "./pool-plan.ts";
import { lastAppliedTags, markPool, poolUpkeepSteps } from "./pool-upkeep.ts";
import { capacityChange, scaleSetBody, scaleSetChange, skuOfSet } from "./scale-set-body.ts";
import { SetRetries } from "./set-retries.ts";

/** Returns the strategy for replacing the machines of a pool. */
const strategyOf = ({ spec }: AzureMachinePool) => {
  const { deletePolicy = "Oldest", maxSurge = 1, maxUnavailable = 0 } = spec?.strategy?.rollingUpdate ?? {};
  return { deletePolicy, maxSurge, maxUnavailable } as const;
};

const observing =
  (retries: SetRetries) =>
  (context: PoolContext & PoolBootstrap): Promise<PoolObservation> =>
    isBeingDeleted(context.object) ? observePoolRemoval(context) : observePool(context, retries);

/** Scale sets at Azure as machine pools of Cluster API. */
export const azureMachinePool = (connect: Connect, options: AzureProviderOptions): ControllerV1 => {
  const { gzip = false } = options;
  const retries = new SetRetries();
  return infraMachinePool<AzureMachinePool, AzureApi, AzureCluster, MachineUses>({
    kind: AzureMachinePool,
    clusterKind: AzureCluster,
    machineKind: AzureMachinePoolMachine,
    finalizer: `azuremachinepool.${Group.infrastructure}`,
    concurrency: options.machineConcurrency ?? 50,
    ownAnnotations: [lastAppliedTags],
    formats: ["cloud-config", "ignition"],
    uses: { identities: identities() },
    connect: ({ credentialsOf, infraCluster, object, uses }) =>
      connectCluster(
        { cluster: clusterOf({ infraCluster, object }), object, identities: uses.identities, credentialsOf },
        connect,
        options,
      ),
    clusterRecord: recordedCluster(options),
    holds: [identityHold],
    objectStore: ({ infraCluster }) => objectStoreRequest(infraCluster),
    mark: markPool,
    strategy: ({ object }) => strategyOf(object),
    observe: observing(retries),
    create: async (context) => {
      const plan = poolPlan(context);
      const facts = await modelOf(context, plan, { capacity: context.capacity, gzip });
      await context.api.put(plan.set, scaleSetBody(plan, facts), context.call);
    },
    steps: {
      ...poolUpkeepSteps,
      update: async (context) => {
        const { api, call } = context;
        const plan = poolPlan(context);
        const present = await api.find(plan.set, call);
        if (present === undefined) return;
        const facts = await modelOf(context, plan, { capacity: skuOfSet(present).capacity, gzip });
        await api.patch(plan.set, scaleSetChange(plan, facts, present), call);
      },
      [retryStep]: async (context) => {
        const { api, call } = context;
        const plan = poolPlan(context);
        const present = await api.find(plan.set, call);
        if (present === undefined) return;
        await api.patch(plan.set, capacityChange(plan, skuOfSet(present).capacity), call);
      },
    },
    scale: async (context) => {
      const { api, call, capacity } = context;
      const plan = poolPlan(context);
      const instances = await api.list(`${plan.set.id}/virtualMachines`, plan.set.apiVersion, call);
      const leaving = (instances ?? []).filter(isDeleting).length;
      await api.patch(plan.set, capacityChange(plan, capacity - leaving), call);
    },
    remove: async (context) => {
      await context.api.remove(poolPlan(context).set, context.call, { forceDeletion: "true" });
    },
  });
};
