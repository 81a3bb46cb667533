import { Group } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import type { MachineVerbContext } from "@capstan/kit/machine";
import { absent, failed, infraMachine, internalDNS, pending, present, removing } from "@capstan/kit/machine";
import { isBeingDeleted } from "@capstan/kube-values";
import { isJsonObject } from "@capstan/schema";
import { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { AzureMachinePoolMachine } from "../api/azure-machine-pool-machine.v1beta1.ts";
import { AzureReason } from "../api/azure-conditions.ts";
import { isChanging, provisioningStateOf } from "../arm/operation.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import { resourceTypes } from "../arm/resource-id.ts";
import type { AzureApi, AzureResource } from "../cloud/azure-api.ts";
import type { Connect } from "../cloud/connections.ts";
import { firstPollMs, pollAzure } from "../cloud/poll-azure.ts";
import { connectCluster } from "../identity/connect-cluster.ts";
import { identities } from "../identity/identities.ts";
import type { MachineUses } from "../machine/machine-plan.ts";
import { clusterOf } from "../machine/machine-plan.ts";
import type { AzureProviderOptions } from "../options.ts";

type Context = MachineVerbContext<AzureMachinePoolMachine, AzureApi, AzureCluster, MachineUses>;

const scheme = /^azure:\/\//;

/** The machine of an object: an instance of its scale set, or a virtual machine of its own. */
const machineRef = ({ object }: Pick<Context, "object">): ResourceRef => {
  const id = (object.spec?.providerID ?? "").replace(scheme, "");
  const isInstance = /\/virtualMachineScaleSets\//i.test(id);
  return { ...(isInstance ? resourceTypes.scaleSetMachine : resourceTypes.virtualMachine), id };
};

const computerName = ({ properties }: AzureResource): string | undefined => {
  const profile = properties?.["osProfile"];
  const name = isJsonObject(profile) ? profile["computerName"] : undefined;
  return typeof name === "string" ? name.toLowerCase() : undefined;
};

const observe = async (context: Context) => {
  const { api, call, object } = context;
  const ref = machineRef(context);
  const found = await api.find(ref, call);
  if (found === undefined) return absent();
  const state = provisioningStateOf(found);
  const name = computerName(found);
  const facts = {
    handle: ref.id,
    providerID: object.spec?.providerID ?? "",
    ...(found.zones?.[0] !== undefined && { failureDomain: found.zones[0] }),
    ...(name !== undefined && { addresses: [internalDNS(name)] }),
    status: { provisioningState: state, instanceName: found.name ?? "" },
  };
  if (state === "Deleting") return removing({ ...facts, pollMs: 5000 });
  if (isBeingDeleted(object)) return pending({ ...facts, reason: AzureReason.deleting });
  if (isChanging(found)) return pending({ ...facts, reason: state, pollMs: 5000 });
  if (state === "Succeeded") return present(facts);
  return failed({ ...facts, reason: AzureReason.failed, message: "Azure could not make the virtual machine" });
};

/** Machines of scale sets at Azure, each of which is deleted by itself. They are made with their set. */
export const azureMachinePoolMachine = (connect: Connect, options: AzureProviderOptions): ControllerV1 =>
  infraMachine<AzureMachinePoolMachine, AzureApi, never, AzureCluster, MachineUses>({
    kind: AzureMachinePoolMachine,
    clusterKind: AzureCluster,
    finalizer: `azuremachinepoolmachine.${Group.infrastructure}`,
    concurrency: options.machineConcurrency ?? 20,
    uses: { identities: identities() },
    connect: ({ credentialsOf, infraCluster, object, uses }) =>
      connectCluster(
        { cluster: clusterOf({ infraCluster, object: object as never }), identities: uses.identities, credentialsOf },
        connect,
        options,
      ),
    observe,
    create: async () => undefined,
    operations: { poll: pollAzure, pollMs: options.pollMs ?? firstPollMs },
    remove: async (context) => {
      const { api, call, operations } = context;
      const ref = machineRef(context);
      await operations.start("delete machine", () => api.remove(ref, call, { forceDeletion: "true" }));
    },
  });
