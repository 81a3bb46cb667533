import { Group } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import type { Writing } from "@capstan/kit/cluster";
import { infraCluster } from "@capstan/kit/cluster";
import { isBeingDeleted } from "@capstan/kube-values";
import { nameOfId } from "../arm/resource-id.ts";
import { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import type { Connect } from "../cloud/connections.ts";
import { firstPollMs, pollAzure } from "../cloud/poll-azure.ts";
import { connectCluster } from "../identity/connect-cluster.ts";
import { identities } from "../identity/identities.ts";
import type { AzureProviderOptions } from "../options.ts";
import { clusterServices } from "./cluster-conditions.ts";
import { etagOf, isDue } from "./cluster-parts.ts";
import type { ClusterContext, ClusterUses } from "./observe-cluster.ts";
import { makeStep, observeCluster, placeIn, planFacts, survey } from "./observe-cluster.ts";
import { observeClusterRemoval, removeCluster } from "./remove-cluster.ts";

/** Azure changes one subnet of a network at a time. */
const oneByOne = "Subnets";

/** Makes what is due of the first wave that is not done: all of it is tried, whatever fails. */
const makeWave = async (context: ClusterContext & Writing): Promise<void> => {
  const { api, call, operations } = context;
  const place = placeIn(context);
  const { open = [] } = await survey(context, place, await planFacts(context, place));
  const due = open.filter(isDue);
  const failures: unknown[] = [];
  for (const { body, present, ref } of due[0]?.service === oneByOne ? due.slice(0, 1) : due) {
    try {
      await operations.start(`make ${nameOfId(ref.id)}`, () => api.put(ref, body(present), call, etagOf(present)));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
};

/** Clusters at Azure: resource group, network, and what balances requests to the API server. */
export const azureCluster = (connect: Connect, options: AzureProviderOptions): ControllerV1 =>
  infraCluster<AzureCluster, AzureApi, AzureMachine, ClusterUses>({
    kind: AzureCluster,
    machineKind: AzureMachine,
    finalizer: `azurecluster.${Group.infrastructure}`,
    concurrency: options.clusterConcurrency ?? 10,
    uses: { identities: identities() },
    connect: ({ credentialsOf, object, uses }) =>
      connectCluster({ cluster: object, identities: uses.identities, credentialsOf }, connect, options),
    observe: (context) => (isBeingDeleted(context.object) ? observeClusterRemoval(context) : observeCluster(context)),
    create: makeWave,
    steps: {
      ...Object.fromEntries(clusterServices.map((service) => [makeStep(service), makeWave])),
      "hold identity": ({ object, uses }) => uses.identities.hold(object),
      "release identity": ({ object, uses }) => uses.identities.release(object),
    },
    operations: { poll: pollAzure, pollMs: options.pollMs ?? firstPollMs },
    stages: ({ object }) =>
      isBeingDeleted(object)
        ? [{ name: "deleting", reasons: ["Deleting"] }]
        : [
            {
              name: "making the network",
              reasons: [
                "Creating",
                "MakeVNet",
                "MakeSecurityGroups",
                "MakeRouteTables",
                "MakePublicIPs",
                "MakeNATGateways",
              ],
            },
            { name: "making subnets", reasons: ["MakeSubnets"] },
            { name: "making load balancers", reasons: ["MakeLoadBalancers"] },
          ],
    remove: removeCluster,
  });
