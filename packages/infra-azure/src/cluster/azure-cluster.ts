import { Group } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { infraCluster } from "@capstan/kit/cluster";
import { OneByOne, peers, trustedIds } from "@capstan/kit/engine";
import { isBeingDeleted } from "@capstan/kube-values";
import { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { AzureClusterIdentity } from "../api/azure-cluster-identity.v1beta1.ts";
import { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import { AzureMachinePool } from "../api/azure-machine-pool.v1beta1.ts";
import { AzureMachinePoolMachine } from "../api/azure-machine-pool-machine.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import type { Connect } from "../cloud/connections.ts";
import { firstPollMs, pollAzure } from "../cloud/poll-azure.ts";
import { connectCluster } from "../identity/connect-cluster.ts";
import { identities, identityHoldNames, identityKey } from "../identity/identities.ts";
import type { AzureProviderOptions } from "../options.ts";
import { clusterServices } from "./cluster-conditions.ts";
import type { ClusterUses } from "./cluster-context.ts";
import { lastAppliedAnnotations } from "./last-applied.ts";
import { NewGroups } from "./new-groups.ts";
import { inTurn } from "./make-wave.ts";
import { makeStep, markCluster, observeCluster } from "./observe-cluster.ts";
import { observeClusterRemoval, releaseGroups, releaseStep, removeCluster } from "./remove-cluster.ts";

/** Clusters at Azure: resource group, network, and what balances requests to the API server. */
export const azureCluster = (connect: Connect, options: AzureProviderOptions): ControllerV1 => {
  const groups = new NewGroups();
  const makeInTurn = inTurn(new OneByOne(), groups);
  return infraCluster<AzureCluster, AzureApi, AzureMachine, ClusterUses>({
    kind: AzureCluster,
    machineKind: AzureMachine,
    otherUsers: [AzureMachinePool, AzureMachinePoolMachine],
    finalizer: `azurecluster.${Group.infrastructure}`,
    ownAnnotations: lastAppliedAnnotations,
    concurrency: options.clusterConcurrency ?? 10,
    uses: { clusters: peers(AzureCluster), identities: identities(), ids: trustedIds() },
    holds: [{ kind: AzureClusterIdentity, of: ({ object }) => identityKey(object) }],
    holdNames: (held) => (held.kind === AzureClusterIdentity.kind ? identityHoldNames : undefined),
    connect: ({ credentialsOf, object, uses }) =>
      connectCluster({ cluster: object, identities: uses.identities, credentialsOf }, connect, options),
    observe: (context) =>
      isBeingDeleted(context.object) ? observeClusterRemoval(context) : observeCluster(context, groups),
    create: makeInTurn,
    steps: {
      ...Object.fromEntries(clusterServices.map((service) => [makeStep(service), makeInTurn])),
      [releaseStep]: releaseGroups,
    },
    mark: markCluster,
    operations: { poll: pollAzure, pollMs: options.pollMs ?? firstPollMs },
    stages: ({ object }) =>
      isBeingDeleted(object)
        ? [{ name: "deleting", reasons: ["Deleting"] }]
        : [
            {
              name: "creating the network",
              reasons: [
                "Creating",
                "MakeVNet",
                "MakeSecurityGroups",
                "MakeRouteTables",
                "MakePublicIPs",
                "MakeNATGateways",
              ],
            },
            { name: "making subnets", reasons: ["MakeSubnets", "MakeVnetPeering"] },
            { name: "creating load balancers", reasons: ["MakeLoadBalancers"] },
            {
              name: "creating private names, endpoints and the bastion host",
              reasons: [
                "MakePrivateDNSZone",
                "MakePrivateDNSLink",
                "MakePrivateDNSRecord",
                "MakePrivateEndpoints",
                "MakeBastionHost",
              ],
            },
          ],
    remove: removeCluster,
  });
};
