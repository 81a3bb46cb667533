import { Group } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { infraMachine, joinedNode } from "@capstan/kit/machine";
import { isBeingDeleted } from "@capstan/kube-values";
import { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { AzureMachinePoolMachine } from "../api/azure-machine-pool-machine.v1beta1.ts";
import { instanceConsoleLog, instanceTarget } from "../bootstrap-check/instance-check.ts";
import { runCommandCheck } from "../bootstrap-check/run-command-check.ts";
import type { Connect } from "../cloud/connections.ts";
import { firstPollMs, pollAzure } from "../cloud/poll-azure.ts";
import { recordedCluster } from "../cluster/recorded-cluster.ts";
import { connectCluster } from "../identity/connect-cluster.ts";
import { identities, identityHold } from "../identity/identities.ts";
import { clusterOf } from "../machine/machine-plan.ts";
import type { AzureProviderOptions } from "../options.ts";
import { machineRef, observePoolMachine, observePoolMachineRemoval } from "./observe-pool-machine.ts";

/** Machines of scale sets at Azure, each of which is deleted by itself. They are made with their set. */
export const azureMachinePoolMachine = (connect: Connect, options: AzureProviderOptions): ControllerV1 =>
  infraMachine({
    kind: AzureMachinePoolMachine,
    clusterKind: AzureCluster,
    finalizer: `azuremachinepoolmachine.${Group.infrastructure}`,
    concurrency: options.machineConcurrency ?? 50,
    uses: { identities: identities() },
    connect: ({ credentialsOf, infraCluster, object, uses }) =>
      connectCluster(
        { cluster: clusterOf({ infraCluster, object }), object, identities: uses.identities, credentialsOf },
        connect,
        options,
      ),
    clusterRecord: recordedCluster(options),
    holds: [identityHold],
    // What the extension says stands in what is observed.
    report: { channels: [joinedNode(), runCommandCheck(instanceTarget)], consoleLog: instanceConsoleLog },
    observe: (context) =>
      isBeingDeleted(context.object) ? observePoolMachineRemoval(context) : observePoolMachine(context),
    // Its scale set makes it; an object without a provider id stands for nothing.
    create: async () => undefined,
    operations: { poll: pollAzure, pollMs: options.pollMs ?? firstPollMs },
    remove: async ({ api, call, object, operations }) => {
      await operations.start("delete machine", () => api.remove(machineRef(object), call, { forceDeletion: "true" }));
    },
  });
