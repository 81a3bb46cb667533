import { join } from "node:path";
import type { SimulationOutsideV1, SimulationV1 } from "@capstan/contract/v1";
import { type AzureSimulator, type AzureSimulatorOptions, createAzureSimulator } from "./simulator.ts";

/** A simulated Azure subscription for an application, with what lies below for programs that play with it. */
export interface AzureSimulation extends SimulationV1 {
  readonly simulator: AzureSimulator;
}

/** What clients of Azure take from the environment. */
const variablesOf = ({
  url,
  tenantId,
  subscriptionId,
  principals,
}: AzureSimulator): Readonly<Record<string, string>> => {
  const [principal] = principals;
  return {
    AZURE_AUTHORITY_HOST: url,
    AZURE_RESOURCE_MANAGER_ENDPOINT: url,
    AZURE_RESOURCE_MANAGER_AUDIENCE: url,
    AZURE_TENANT_ID: tenantId,
    AZURE_SUBSCRIPTION_ID: subscriptionId,
    AZURE_CLIENT_ID: principal?.clientId ?? "",
    AZURE_CLIENT_SECRET: principal?.clientSecret ?? "",
  };
};

/** A subscription with its resource manager and its login, and an owner who may sign in. */
export const createSimulation = async (
  { clock, random, log, folder, port, guest }: SimulationOutsideV1,
  options: Partial<AzureSimulatorOptions> = {},
): Promise<AzureSimulation> => {
  const directory = folder("azure");
  const simulator = await createAzureSimulator({
    clock,
    random,
    log: log.child({ simulator: "azure" }),
    guest: guest("azure"),
    ...(directory === undefined ? {} : { file: join(directory, "subscription.json") }),
    port: await port("azure"),
    ...options,
  });
  return {
    contract: "v1",
    name: "azure",
    simulator,
    start: () => simulator.start(),
    stop: () => simulator.stop(),
    get description() {
      return `simulated Azure at ${simulator.url}`;
    },
    get urls() {
      return { azure: simulator.url };
    },
    get cloud() {
      return { endpoint: simulator.url, ca: simulator.ca };
    },
    get control() {
      return `${simulator.url}/_simulator`;
    },
    get variables() {
      return variablesOf(simulator);
    },
  };
};
