import { Group } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { infraMachine, joinedNode } from "@capstan/kit/machine";
import { isBeingDeleted } from "@capstan/kube-values";
import { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import { consoleLog } from "../bootstrap-check/console-log.ts";
import { extensionCheck } from "../bootstrap-check/extension-check.ts";
import { machineTarget, runCommandCheck } from "../bootstrap-check/run-command-check.ts";
import type { Connect } from "../cloud/connections.ts";
import { firstPollMs, pollAzure } from "../cloud/poll-azure.ts";
import { recordedCluster } from "../cluster/recorded-cluster.ts";
import { connectCluster } from "../identity/connect-cluster.ts";
import { identities, identityHold } from "../identity/identities.ts";
import type { AzureProviderOptions } from "../options.ts";
import { createMachine } from "./create-machine.ts";
import { lastAppliedTags, markMachine } from "./machine-tags.ts";
import { clusterOf, machinePlan } from "./machine-plan.ts";
import { leaveBalancers, leaveBalancersStep } from "./leave-balancers.ts";
import { objectStoreRequest } from "./object-store-request.ts";
import { observeMachine } from "./observe-machine.ts";
import { preparationSteps, waitingCondition } from "./preparation.ts";
import { observeMachineRemoval, removeMachine } from "./remove-machine.ts";
import { markAnnotation, upkeepSteps } from "./upkeep.ts";

/** Virtual machines at Azure as Cluster API machines. */
export const azureMachine = (connect: Connect, options: AzureProviderOptions): ControllerV1 =>
  infraMachine({
    kind: AzureMachine,
    clusterKind: AzureCluster,
    finalizer: `azuremachine.${Group.infrastructure}`,
    ownAnnotations: [lastAppliedTags, markAnnotation],
    concurrency: options.machineConcurrency ?? 50,
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
    report: {
      channels: [extensionCheck, joinedNode(), runCommandCheck(machineTarget)],
      consoleLog,
      handleOf: (context) => machinePlan(context).vm.id,
    },
    objectStore: ({ infraCluster }) => objectStoreRequest(infraCluster),
    observe: (context) => (isBeingDeleted(context.object) ? observeMachineRemoval(context) : observeMachine(context)),
    create: (context) => createMachine(context, options),
    steps: { ...preparationSteps, ...upkeepSteps, [leaveBalancersStep]: leaveBalancers },
    mark: markMachine,
    operations: { poll: pollAzure, pollMs: options.pollMs ?? firstPollMs },
    stages: ({ object }) =>
      isBeingDeleted(object)
        ? [{ name: "deleting", reasons: ["Deleting"] }]
        : [
            {
              name: "preparing",
              reasons: ["MakePublicIP", "MakeNATRule", "MakeNetworkInterfaces", "MakeAvailabilitySet", "Updating"],
            },
            { name: "provisioning", reasons: ["Creating"] },
          ],
    remarks: ({ failed, message, reason }) => (failed ? [] : waitingCondition(reason, message)),
    remove: removeMachine,
  });
