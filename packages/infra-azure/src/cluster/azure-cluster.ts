import { Group } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import type { Writing } from "@capstan/kit/cluster";
import { infraCluster } from "@capstan/kit/cluster";
import { OneByOne } from "@capstan/kit/engine";
import { peers } from "@capstan/kit/owner";
import { isBeingDeleted } from "@capstan/kube-values";
import { throwForemost } from "../arm/arm-error.ts";
import { nameOfId } from "../arm/resource-id.ts";
import { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { AzureClusterIdentity } from "../api/azure-cluster-identity.v1beta1.ts";
import { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import { AzureMachinePool } from "../api/azure-machine-pool.v1beta1.ts";
import { AzureMachinePoolMachine } from "../api/azure-machine-pool-machine.v1beta1.ts";
import { applyTags } from "../cloud/apply-tags.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import type { Connect } from "../cloud/connections.ts";
import { firstPollMs, pollAzure } from "../cloud/poll-azure.ts";
import { connectCluster } from "../identity/connect-cluster.ts";
import { identities, identityHoldNames, identityKey } from "../identity/identities.ts";
import type { AzureProviderOptions } from "../options.ts";
import type { ClusterService } from "./cluster-conditions.ts";
import { clusterServices } from "./cluster-conditions.ts";
import type { ClusterContext, ClusterUses } from "./cluster-context.ts";
import { placeIn } from "./cluster-context.ts";
import { refs } from "./place.ts";
import { lastAppliedAnnotations } from "./last-applied.ts";
import { makeStep, observeCluster } from "./observe-cluster.ts";
import type { Look, SeenPart } from "./part.ts";
import { etagOf, hasOnlyTagsDue, isDue, seen } from "./part.ts";
import { observeClusterRemoval, releaseGroups, releaseStep, removeCluster } from "./remove-cluster.ts";
import { survey } from "./survey.ts";

/** Azure changes one part of a network at a time. */
const oneByOne: ReadonlySet<ClusterService> = new Set(["Subnets", "VnetPeering"]);

/** What of a wave can be made at once. */
const atOnce = (due: readonly SeenPart[]): readonly SeenPart[] =>
  due.filter(
    ({ service }, index) => !oneByOne.has(service) || due.findIndex((part) => part.service === service) === index,
  );

const make = async (context: ClusterContext & Writing, part: SeenPart): Promise<void> => {
  const { api, call, operations } = context;
  const { body, present, ref, tagChanges } = part;
  if (!hasOnlyTagsDue(part)) {
    await operations.start(`make ${nameOfId(ref.id)}`, () => api.put(ref, body(present), call, etagOf(present)));
    return;
  }
  await applyTags(context, ref.id, tagChanges ?? {});
};

/** Of two clusters that begin in one resource group at the same moment, the second looks once the first has made its own. */
const inTurn =
  (turns: OneByOne) =>
  (context: ClusterContext & Writing): Promise<void> => {
    const group = refs.group(placeIn(context)).id.toLowerCase();
    return turns.run(group, () => makeWave(context));
  };

/** Makes what is due of the first wave that is not done: all of it is tried, whatever fails. */
const makeWave = async (context: ClusterContext & Writing): Promise<void> => {
  const { api, call } = context;
  const place = placeIn(context);
  const { open = [] } = await survey(context, place, (ref) => api.known(ref, call));
  // What is written is as it is now; what it stands on need not be.
  const look: Look = (ref) => api.find(ref, call);
  const now = await Promise.all(open.map((part) => seen(part, { call, look, place })));
  // What is another's is said by the next look; beside it nothing is made.
  if (now.some(({ owner }) => owner !== undefined)) return;
  const failures: unknown[] = [];
  for (const part of atOnce(now.filter(isDue))) {
    try {
      await make(context, part);
    } catch (error) {
      failures.push(error);
    }
  }
  throwForemost(failures);
};

/** Clusters at Azure: resource group, network, and what balances requests to the API server. */
export const azureCluster = (connect: Connect, options: AzureProviderOptions): ControllerV1 => {
  const makeInTurn = inTurn(new OneByOne());
  return infraCluster<AzureCluster, AzureApi, AzureMachine, ClusterUses>({
    kind: AzureCluster,
    machineKind: AzureMachine,
    otherUsers: [AzureMachinePool, AzureMachinePoolMachine],
    finalizer: `azurecluster.${Group.infrastructure}`,
    ownAnnotations: lastAppliedAnnotations,
    concurrency: options.clusterConcurrency ?? 10,
    uses: { clusters: peers(AzureCluster), identities: identities() },
    holds: [{ kind: AzureClusterIdentity, of: ({ object }) => identityKey(object) }],
    holdNames: (held) => (held.kind === AzureClusterIdentity.kind ? identityHoldNames : undefined),
    connect: ({ credentialsOf, object, uses }) =>
      connectCluster({ cluster: object, identities: uses.identities, credentialsOf }, connect, options),
    observe: (context) => (isBeingDeleted(context.object) ? observeClusterRemoval(context) : observeCluster(context)),
    create: makeInTurn,
    steps: {
      ...Object.fromEntries(clusterServices.map((service) => [makeStep(service), makeInTurn])),
      [releaseStep]: releaseGroups,
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
            { name: "making subnets", reasons: ["MakeSubnets", "MakeVnetPeering"] },
            { name: "making load balancers", reasons: ["MakeLoadBalancers"] },
            {
              name: "making private names, endpoints and the bastion host",
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
