import type { AddressGuard, Clock, ProxyFor } from "@capstan/contract";
import {
  type CodeOnlyV1,
  type DefaultCredentialsV1,
  type OptionDeclarationV1,
  optionDefaults,
  type OptionsV1,
  type OptionValuesV1,
} from "@capstan/contract/v1";

/** An identity as `@azure/identity` makes them. */
export interface TokenCredential {
  getToken(
    scopes: string | string[],
    options?: object,
  ): Promise<{ readonly token: string; readonly expiresOnTimestamp: number } | null>;
}

const declared = {
  federatedTokenFile: {
    type: "text",
    otherwise: "$AZURE_FEDERATED_TOKEN_FILE, else where a Pod has it",
    help: "file with the token of this process, for Secrets with identity: workload",
  },
  maxAttempts: { type: "number", default: 3, min: 1, max: 10, help: "attempts of a call" },
  timeout: { type: "duration", default: 25_000, min: 1000, max: 600_000, help: "timeout of a call including retries" },
} as const satisfies OptionsV1;

export interface AzureBlobObjectStoreOptions extends OptionValuesV1<typeof declared> {
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
}

export const azureBlobDefaults = optionDefaults(declared);

/** The options as the command takes them. */
export const declaration = {
  of: "object-store-azure-blob",
  options: declared,
  codeOnly: {
    clock: "tests bring a clock of their own",
    proxyFor: "the command reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY",
    guard: "the command has --allow-address",
    credential: "an object, for programs with an identity of their own",
    defaultCredentials: "the command has --default-credentials-namespaces and --credentials-folder",
  } satisfies CodeOnlyV1<AzureBlobObjectStoreOptions, typeof declared>,
} satisfies OptionDeclarationV1;
