import type { Clock, Logger, ProxyFor, Random } from "@capstan/contract";
import {
  type CodeOnlyV1,
  type DefaultCredentialsV1,
  type OptionDeclarationV1,
  optionDefaults,
  type OptionsV1,
  type OptionValuesV1,
} from "@capstan/contract/v1";
import type { Dispatcher } from "undici";
import type { Gates } from "./gates.ts";

const url = (value: string): string | undefined =>
  URL.canParse(value) ? undefined : "must be a URL such as https://management.azure.com";

const declared = {
  endpoint: {
    type: "text",
    otherwise: "$AZURE_RESOURCE_MANAGER_ENDPOINT, else as azureEnvironment says",
    check: url,
    help: "URL of Azure Resource Manager",
  },
  authority: {
    type: "text",
    otherwise: "$AZURE_AUTHORITY_HOST, else as azureEnvironment says",
    check: url,
    help: "URL of the service that issues tokens",
  },
  audience: {
    type: "text",
    otherwise: "$AZURE_RESOURCE_MANAGER_AUDIENCE, else as azureEnvironment says",
    help: "audience that tokens are requested for",
  },
  subscriptionId: {
    type: "text",
    otherwise: "$AZURE_SUBSCRIPTION_ID",
    help: "default subscription of AzureClusters",
  },
  federatedTokenFile: {
    type: "text",
    otherwise: "$AZURE_FEDERATED_TOKEN_FILE",
    help: "file with the token of this process, for identities of type WorkloadIdentity",
  },
  apiServerILB: {
    type: "boolean",
    otherwise: "$EXP_APISERVER_ILB, else false",
    help: "allow a private load balancer in addition to the public one of the API server",
  },
  edgeZone: {
    type: "boolean",
    otherwise: "$EXP_EDGEZONE, else false",
    help: "allow clusters in edge zones: spec.extendedLocation",
  },
  gzip: { type: "boolean", default: false, help: "compress bootstrap data that would not fit" },
  poll: {
    type: "duration",
    default: 500,
    min: 100,
    max: 15_000,
    help: "first poll interval of an operation; later polls back off",
  },
  syncPeriod: {
    type: "duration",
    default: 600_000,
    min: 10_000,
    help: "how long one list of a resource group serves all settled objects",
  },
  timeout: { type: "duration", default: 60_000, min: 1000, max: 600_000, help: "timeout of a request to Azure" },
} as const satisfies OptionsV1;

/** Options of the provider, for what an object does not set itself. */
export interface AzureProviderOptions extends Omit<OptionValuesV1<typeof declared>, keyof Gates> {
  /** PEM certificates trusted in addition. */
  readonly ca?: string;
  /** The HTTP proxy on the way to Azure. Default: none. */
  readonly proxyFor?: ProxyFor;
  /** Connections to Azure Resource Manager of one's own making. Default: those that `ca` and `proxyFor` say. */
  readonly dispatcher?: Dispatcher;
  /** Features that are off unless enabled here. Default: none. */
  readonly gates?: Gates;
  /** A token for AzureClusters that name no identity. Default: none, so every AzureCluster must name one. */
  readonly token?: string;
  /**
   * For which namespaces `token`, files, and the identities of this process are: those of AzureClusterIdentities of the types
   * WorkloadIdentity and UserAssignedMSI. Default: all namespaces, and no files.
   */
  readonly defaultCredentials?: DefaultCredentialsV1;
  /** Machines and clusters reconciled at once. Default 50 and 10. */
  readonly machineConcurrency?: number;
  readonly clusterConcurrency?: number;
  /** Default: the system's. */
  readonly clock?: Clock;
  readonly random?: Random;
  /** Default: silent. */
  readonly log?: Logger;
}

export const azureDefaults = optionDefaults(declared);

/** The options as the command takes them. */
export const declaration = {
  of: "infra-azure",
  options: declared,
  codeOnly: {
    ca: "the command reads NODE_EXTRA_CA_CERTS",
    proxyFor: "the command reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY",
    dispatcher: "an object, for programs that make connections themselves",
    gates: "the options apiServerILB and edgeZone",
    token: "a secret: identities say where it is",
    defaultCredentials: "the command has --default-credentials-namespaces and --credentials-folder",
    machineConcurrency: "the command has --concurrency AzureMachine=N",
    clusterConcurrency: "the command has --concurrency AzureCluster=N",
    clock: "tests bring a clock of their own",
    random: "tests bring random numbers of their own",
    log: "the command has --log-level",
  } satisfies CodeOnlyV1<AzureProviderOptions, typeof declared>,
} satisfies OptionDeclarationV1;
