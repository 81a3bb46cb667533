import { Annotation } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import type { ClusterMember } from "@capstan/kit/cluster";
import { ofCluster } from "@capstan/kit/cluster";
import type { ObjectFacts } from "@capstan/kit/engine";
import { managedObject, observations } from "@capstan/kit/engine";
import { isBeingDeleted } from "@capstan/kube-values";
import { AzureReason } from "../api/azure-conditions.ts";
import { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import type { Connect } from "../cloud/connections.ts";
import { connectCluster } from "../identity/connect-cluster.ts";
import type { AzureProviderOptions } from "../options.ts";
import { cloudConfigUses, isCloudConfigDue, writeCloudConfig } from "./cloud-config-secret.ts";

const { pending, present } = observations();
const step = "write cloud config";

/** Whether a machine was made from a template, whose Secret it shares. */
const isCloned = ({ metadata }: AzureMachine): boolean =>
  metadata.annotations?.[Annotation.clonedFromGroupKind] !== undefined;

/** Keeps the Secret with the configuration of the cloud provider for AzureMachines that stand alone. Their bootstrap data waits for it. */
export const machineCloudConfig = (connect: Connect, options: AzureProviderOptions): ControllerV1 => {
  const { around, ...member } = ofCluster(AzureMachine, AzureCluster);
  return managedObject<
    AzureMachine,
    AzureApi,
    ObjectFacts,
    ClusterMember<AzureCluster>,
    never,
    ReturnType<typeof cloudConfigUses>
  >({
    ...member,
    kind: AzureMachine,
    name: "azuremachine-cloud-config",
    noun: "the configuration of the cloud provider",
    around: (input) => (isCloned(input.object) || isBeingDeleted(input.object) ? undefined : around(input)),
    uses: cloudConfigUses(),
    connect: ({ credentialsOf, infraCluster, uses }) =>
      connectCluster({ cluster: infraCluster, identities: uses.identities, credentialsOf }, connect, options),
    observe: async (context) =>
      (await isCloudConfigDue(context, context.object.spec ?? {}))
        ? pending({ reason: AzureReason.creating, step })
        : present({}),
    steps: { [step]: (context) => writeCloudConfig(context, context.object.spec ?? {}) },
    // The conditions of the object are those of the machine itself; what goes wrong here is told by events.
    conditions: () => [],
  });
};
