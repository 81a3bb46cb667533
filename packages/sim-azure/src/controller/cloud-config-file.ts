import type { StartingContainerV1 } from "@capstan/contract/v1";
import { isJsonObject } from "@capstan/schema";
import { same } from "../resource-id.ts";
import type { World } from "../world.ts";

/** The part of `azure.json` that is looked at here. */
export interface CloudConfigFile {
  readonly tenantId?: string;
  readonly subscriptionId?: string;
  readonly aadClientId?: string;
  readonly aadClientSecret?: string;
  readonly useManagedIdentityExtension?: boolean;
  readonly resourceGroup?: string;
  readonly location?: string;
  readonly vnetName?: string;
  readonly vnetResourceGroup?: string;
  readonly subnetName?: string;
  readonly securityGroupName?: string;
  readonly securityGroupResourceGroup?: string;
  readonly loadBalancerName?: string;
}

const argument = (command: readonly string[], name: string): string | undefined =>
  command.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);

/** The names of a list such as `--controllers=*,-cloud-node`; `*` where nothing is said. */
export const controllersOf = (command: readonly string[]): readonly string[] =>
  (argument(command, "controllers") ?? "*").split(",");

const couldNot = "Cloud provider could not be initialized: ";

/** Reads the cloud config that a controller reads when it starts. Throws errors with the messages of the controller. */
export const readCloudConfig = ({ command, file }: StartingContainerV1): CloudConfigFile => {
  const path = argument(command, "cloud-config");
  if (path === undefined) throw new Error(`${couldNot}no Azure cloud provider config is given: set --cloud-config`);
  const text = file(path);
  if (text === undefined) {
    throw new Error(`Couldn't open cloud provider configuration ${path}: open ${path}: no such file or directory`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${couldNot}${path} is not JSON: ${(error as Error).message}`, { cause: error });
  }
  if (!isJsonObject(value)) throw new Error(`${couldNot}${path} is not an object`);
  return value;
};

/** Throws as a request of the controller fails that may not do what it is about. */
export const checkAccess = (config: CloudConfigFile, { principals, subscriptionId, tenantId }: World): void => {
  const { aadClientId = "", aadClientSecret = "" } = config;
  if (!same(config.subscriptionId ?? "", subscriptionId)) {
    throw new Error(`SubscriptionNotFound: The subscription '${config.subscriptionId ?? ""}' could not be found.`);
  }
  // Identities of machines are not modelled one by one.
  if (config.useManagedIdentityExtension === true) return;
  if (!same(config.tenantId ?? "", tenantId)) {
    throw new Error(`AADSTS90002: Tenant '${config.tenantId ?? ""}' not found.`);
  }
  const principal = principals.find(({ clientId }) => same(clientId, aadClientId));
  if (principal === undefined) {
    throw new Error(`AADSTS700016: Application with identifier '${aadClientId}' was not found in the directory.`);
  }
  if (principal.clientSecret !== aadClientSecret) {
    throw new Error(`AADSTS7000215: Invalid client secret provided for app '${aadClientId}'.`);
  }
  if (principal.role === "Reader") {
    throw new Error(
      `AuthorizationFailed: The client '${aadClientId}' does not have authorization to perform the action.`,
    );
  }
};
