import type { AddressGuard, Clock, ProxyFor } from "@capstan/contract";
import type { DefaultCredentialsV1 } from "@capstan/contract/v1";

/** How the provider works when a Secret does not say otherwise. */
export interface LinodeProviderOptions {
  /** Default `https://api.linode.com`. A simulator's `url` goes here. */
  readonly endpoint?: string;
  /** Default `v4beta`: VPC addresses and interfaces of the newer generation are not in `v4`. */
  readonly apiVersion?: string;
  /** PEM certificates trusted in addition. */
  readonly ca?: string;
  /** The HTTP proxy on the way to the API. Default: none. */
  readonly proxyFor?: ProxyFor;
  /** For addresses that Secrets of users name. Default: they may name any. */
  readonly guard?: AddressGuard;
  /** For objects without credentials of their own. Default: none, so every object must name a Secret; the command takes `LINODE_TOKEN`. */
  readonly token?: string;
  /** For objects of which namespaces `token`, and those of `dns` and `edgeDns`, are. Default: of all. */
  readonly defaultCredentials?: DefaultCredentialsV1;
  /** The same for the zone of an endpoint's name, where it is in another account or place. Default: as the rest. */
  readonly dns?: { readonly token?: string; readonly endpoint?: string; readonly ca?: string };
  /** The API client for zones at Akamai Edge DNS, for clusters whose Secret names none. `host` with or without `https://`. Default: none. */
  readonly edgeDns?: {
    readonly host: string;
    readonly accessToken: string;
    readonly clientToken: string;
    readonly clientSecret: string;
  };
  /** Whether bootstrap data may be compressed to fit. Default false. */
  readonly gzip?: boolean;
  /** Whether machines report how bootstrapping ended where no annotation says it; it needs the cluster's object store. Default false. */
  readonly bootstrapReport?: boolean;
  /** How often instances are listed while some are being made, and when all are as they should be. Default 5 000 and 60 000. */
  readonly pollMs?: number;
  readonly settledPollMs?: number;
  /**
   * How often VPCs, firewalls, placement groups, buckets and keys, and of machines what a list does not show, are compared with their
   * specs when nothing happens. Default 600 000.
   */
  readonly driftPollMs?: number;
  /** Machines and clusters reconciled at once. Default 50 and 10. */
  readonly machineConcurrency?: number;
  readonly clusterConcurrency?: number;
  /** Longest wait for one answer of the API. Default 30 000. */
  readonly timeoutMs?: number;
  /** Default: the system's. */
  readonly clock?: Clock;
}
