import { Annotation } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import type { ClusterMember } from "@capstan/kit/cluster";
import { ofCluster } from "@capstan/kit/cluster";
import type { ObjectFacts } from "@capstan/kit/engine";
import { managedObject, observations } from "@capstan/kit/engine";
import { isBeingDeleted } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import { AzureReason } from "../api/azure-conditions.ts";
import { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import { AzureMachinePool } from "../api/azure-machine-pool.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import type { Connect } from "../cloud/connections.ts";
import { connectCluster } from "../identity/connect-cluster.ts";
import type { AzureProviderOptions } from "../options.ts";
import type { MachineIdentity } from "./cloud-config-secret.ts";
import { cloudConfigUses, isCloudConfigDue, writeCloudConfig } from "./cloud-config-secret.ts";

const { pending, present } = observations();
const step = "write cloud config";

/** Returns whether an object was made from a template, whose Secret it shares. */
const isCloned = ({ metadata }: KubeObject): boolean =>
  metadata.annotations?.[Annotation.clonedFromGroupKind] !== undefined;

type Owner = KubeObject & { readonly spec?: MachineIdentity };

/** Keeps the Secret with the configuration of the cloud provider for objects of a kind that stand alone. Bootstrap data waits for it. */
const cloudConfigController = <O extends Owner>(
  kind: Resource<O>,
  connect: Connect,
  options: AzureProviderOptions,
): ControllerV1 => {
  const { around, ...member } = ofCluster(kind, AzureCluster);
  return managedObject<
    O,
    AzureApi,
    ObjectFacts,
    ClusterMember<AzureCluster>,
    never,
    ReturnType<typeof cloudConfigUses>
  >({
    ...member,
    kind,
    name: `${kind.kind.toLowerCase()}-cloud-config`,
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
    // The conditions of the object are those of the machine itself; what goes wrong here is shown in events.
    conditions: () => [],
  });
};

/** Returns the controllers of the Secrets of AzureMachines and of AzureMachinePools. */
export const cloudConfigControllers = (connect: Connect, options: AzureProviderOptions): readonly ControllerV1[] => [
  cloudConfigController(AzureMachine, connect, options),
  cloudConfigController(AzureMachinePool, connect, options),
];
