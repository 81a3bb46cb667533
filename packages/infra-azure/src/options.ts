import type { Clock, Logger, ProxyFor, Random } from "@capstan/contract";
import type { DefaultCredentialsV1 } from "@capstan/contract/v1";
import type { Dispatcher } from "undici";
import type { Gates } from "./gates.ts";

/** How the provider works when an object does not say otherwise. */
export interface AzureProviderOptions {
  /** Where Azure Resource Manager is, in place of the address of `azureEnvironment`. A simulator's `url` goes here. */
  readonly endpoint?: string;
  /** Who gives tokens, in place of the authority of `azureEnvironment`. */
  readonly authority?: string;
  /** What tokens are asked for, in place of the audience of `azureEnvironment`. */
  readonly audience?: string;
  /** PEM certificates trusted in addition. */
  readonly ca?: string;
  /** The HTTP proxy on the way to Azure. Default: none. */
  readonly proxyFor?: ProxyFor;
  /** Connections to Azure Resource Manager of one's own making. Default: those that `ca` and `proxyFor` say. */
  readonly dispatcher?: Dispatcher;
  /** For AzureClusters that name no subscription. */
  readonly subscriptionId?: string;
  /** What is served only where it is asked for. Default: nothing. */
  readonly gates?: Gates;
  /** A token for AzureClusters that name no identity. Default: none, so every AzureCluster must name one. */
  readonly token?: string;
  /**
   * For which namespaces `token`, files, and the identities of this process are: those of AzureClusterIdentities of the types
   * WorkloadIdentity and UserAssignedMSI. Default: all namespaces, and no files.
   */
  readonly defaultCredentials?: DefaultCredentialsV1;
  /** File with the token of this process, for identities of the type WorkloadIdentity. */
  readonly federatedTokenFile?: string;
  /** Whether bootstrap data may be compressed to fit. Default false. */
  readonly gzip?: boolean;
  /** When an operation is asked about for the first time; it is asked less and less often. Default 500. */
  readonly pollMs?: number;
  /** How long one list of a resource group serves all objects that are as they should be. Default 600 000. */
  readonly syncPeriodMs?: number;
  /** Machines and clusters reconciled at once. Default 50 and 10. */
  readonly machineConcurrency?: number;
  readonly clusterConcurrency?: number;
  /** Longest wait for one answer. Default 60 000. */
  readonly timeoutMs?: number;
  /** Default: the system's. */
  readonly clock?: Clock;
  readonly random?: Random;
  /** Default: silent. */
  readonly log?: Logger;
}
