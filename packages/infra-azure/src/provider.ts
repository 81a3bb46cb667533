import type { CreateProviderV1, ProviderV1 } from "@capstan/contract/v1";
import { defineProvider } from "@capstan/kit";
import { AzureClusterIdentity } from "./api/azure-cluster-identity.v1beta1.ts";
import type { AzureProviderOptions } from "./options.ts";

/** The infrastructure provider for Azure. */
export const createAzureProvider = (_options: AzureProviderOptions = {}): ProviderV1 =>
  defineProvider({ name: "infra-azure", kinds: [AzureClusterIdentity], register: () => undefined });

/** The provider as the command loads it: of the simulated Azure, if there is one. */
export const createProvider: CreateProviderV1 = ({ simulated }) => {
  const { endpoint, ca } = simulated("azure") ?? {};
  return createAzureProvider({ ...(endpoint !== undefined && { endpoint }), ...(ca !== undefined && { ca }) });
};
