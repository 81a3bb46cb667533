import type { ControllerV1 } from "@capstan/contract/v1";
import type { ClusterMember } from "@capstan/kit/cluster";
import { ofCluster } from "@capstan/kit/cluster";
import type { ObjectFacts } from "@capstan/kit/engine";
import { managedObject, observations } from "@capstan/kit/engine";
import { AzureReason } from "../api/azure-conditions.ts";
import { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { AzureMachineTemplate } from "../api/azure-machine-template.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import type { Connect } from "../cloud/connections.ts";
import { skuOf } from "../cloud/skus.ts";
import type { CloudConfigContext } from "../cloud-provider-config/cloud-config-secret.ts";
import { cloudConfigUses, isCloudConfigDue, writeCloudConfig } from "../cloud-provider-config/cloud-config-secret.ts";
import { connectCluster } from "../identity/connect-cluster.ts";
import type { AzureProviderOptions } from "../options.ts";
import { capacityOf } from "./capacity.ts";

const { pending, present } = observations();
const step = "write cloud config";

type Context = CloudConfigContext<AzureMachineTemplate>;

const machineOf = ({ spec }: AzureMachineTemplate) => spec?.template.spec;

/**
 * Returns the capacity of machines of the template, for its status. Templates do not change, and neither do sizes: it is looked up once.
 */
const statusOf = async ({ api, call, infraCluster, object }: Context) => {
  const machine = machineOf(object);
  if (machine === undefined || object.status?.capacity !== undefined) return {};
  const sku = skuOf(await api.skus(infraCluster.spec?.location ?? "", call), machine.vmSize);
  return sku === undefined ? {} : capacityOf(sku, machine.osDisk.osType);
};

/**
 * Keeps for templates what is needed before there is any machine of them: the Secret with the configuration of the cloud provider, and
 * what a machine would have.
 */
export const azureMachineTemplate = (connect: Connect, options: AzureProviderOptions): ControllerV1 =>
  managedObject<
    AzureMachineTemplate,
    AzureApi,
    ObjectFacts,
    ClusterMember<AzureCluster>,
    never,
    ReturnType<typeof cloudConfigUses>
  >({
    ...ofCluster(AzureMachineTemplate, AzureCluster),
    kind: AzureMachineTemplate,
    noun: "the template",
    uses: cloudConfigUses(),
    connect: ({ credentialsOf, infraCluster, uses }) =>
      connectCluster({ cluster: infraCluster, identities: uses.identities, credentialsOf }, connect, options),
    observe: async (context) =>
      (await isCloudConfigDue(context, machineOf(context.object) ?? {}))
        ? pending({ reason: AzureReason.creating, step })
        : present({ status: await statusOf(context) }),
    steps: { [step]: (context) => writeCloudConfig(context, machineOf(context.object) ?? {}) },
  });
