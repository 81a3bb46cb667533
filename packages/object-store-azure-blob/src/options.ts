import type { AddressGuard, Clock, ProxyFor } from "@capstan/contract";
import type { DefaultCredentialsV1 } from "@capstan/contract/v1";

/** An identity as `@azure/identity` makes them. */
export interface TokenCredential {
  getToken(
    scopes: string | string[],
    options?: object,
  ): Promise<{ readonly token: string; readonly expiresOnTimestamp: number } | null>;
}

export interface AzureBlobObjectStoreOptions {
  /** Dates signed URLs, and measures patience. */
  readonly clock: Clock;
  /** The HTTP proxy on the way to an address. Default: none. */
  readonly proxyFor?: ProxyFor;
  /** For the endpoints and login services that Secrets name. Default: they may name any. */
  readonly guard?: AddressGuard;
  /** The identity for Secrets that hold neither a key nor a client, for example of `@azure/identity`. Default: such Secrets are refused. */
  readonly credential?: TokenCredential;
  /** For Secrets of which namespaces `credential` and the identities of this process are. Default: of all. */
  readonly defaultCredentials?: DefaultCredentialsV1;
  /** File with the token of this process, for Secrets with `identity: workload`. Default: where a pod has it. */
  readonly federatedTokenFile?: string;
  /** Tries of one call. Default 3. */
  readonly maxAttempts?: number;
  /** All tries of one call together. Default 25 000. */
  readonly timeoutMs?: number;
}
