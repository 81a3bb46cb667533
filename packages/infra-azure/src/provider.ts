import { silentLogger } from "@capstan/contract";
import { type CreateProviderV1, type ProviderV1, withOptions } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { presentFields } from "@capstan/kube-values";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { azureConditions } from "./api/azure-conditions.ts";
import { azureKinds } from "./azure-kinds.ts";
import { connections } from "./cloud/connections.ts";
import { azureCluster } from "./cluster/azure-cluster.ts";
import { cloudConfigControllers } from "./cloud-provider-config/cloud-config-controllers.ts";
import { azureFlavors } from "./flavors/azure-flavors.ts";
import { azureMachine } from "./machine/azure-machine.ts";
import { azureMachineTemplate } from "./machine-template/azure-machine-template.ts";
import { azureMachinePool } from "./machine-pool/azure-machine-pool.ts";
import { azureMachinePoolMachine } from "./machine-pool/azure-machine-pool-machine.ts";
import { type AzureProviderOptions, declaration } from "./options.ts";
import { azurePlan } from "./plan/azure-plan.ts";
import { azureWebhooks } from "./webhooks/azure-webhooks.ts";

/** The infrastructure provider for Azure. Every option has a default; who it acts as comes from AzureClusterIdentities. */
export const createAzureProvider = (options: AzureProviderOptions = {}): ProviderV1 => {
  const { clock = systemClock, log = silentLogger, random = cryptoRandom } = options;
  const connect = connections(options, { clock, log, random });
  return defineProvider({
    name: "infra-azure",
    kinds: azureKinds,
    conditions: azureConditions,
    webhooks: azureWebhooks(options.gates ?? {}),
    flavors: azureFlavors,
    plan: azurePlan(connect, options),
    register: (host) => {
      host.add(azureCluster(connect, options));
      host.add(azureMachine(connect, options));
      host.add(azureMachinePool(connect, options));
      host.add(azureMachinePoolMachine(connect, options));
      host.add(azureMachineTemplate(connect, options));
      for (const each of cloudConfigControllers(connect, options)) host.add(each);
    },
  });
};

/** The provider as the command loads it: of the simulated Azure, if there is one. */
export const createProvider = withOptions(declaration, (outside, { apiServerILB, edgeZone, ...options }) => {
  const { clock, defaultCredentials, log, proxyFor, random, simulated, variable } = outside;
  const { ca, endpoint } = simulated("azure") ?? {};
  return createAzureProvider(
    presentFields({
      clock,
      log,
      random,
      endpoint: endpoint ?? variable("AZURE_RESOURCE_MANAGER_ENDPOINT"),
      authority: variable("AZURE_AUTHORITY_HOST"),
      audience: variable("AZURE_RESOURCE_MANAGER_AUDIENCE"),
      subscriptionId: variable("AZURE_SUBSCRIPTION_ID"),
      defaultCredentials,
      federatedTokenFile: variable("AZURE_FEDERATED_TOKEN_FILE"),
      ca,
      proxyFor,
      gates: {
        apiServerILB: apiServerILB ?? variable("EXP_APISERVER_ILB") === "true",
        edgeZone: edgeZone ?? variable("EXP_EDGEZONE") === "true",
      },
      ...options,
    }),
  );
}) satisfies CreateProviderV1;
