import type { CodeOnlyV1, OptionDeclarationV1 } from "@capstan/contract/v1";

/** Options of the bootstrap provider of RKE2 and k3s. */
export interface BootstrapRke2K3sProviderOptions {
  /** Configs reconciled at once, of each kind. Default 100. */
  readonly concurrency?: number;
}

export const defaultOptions = { concurrency: 100 } as const;

/** The options as the command takes them. */
export const declaration = {
  of: "bootstrap-rke2-k3s",
  options: {},
  codeOnly: {
    concurrency: "the command has --concurrency RKE2Config=N and --concurrency KThreesConfig=N",
  } satisfies CodeOnlyV1<BootstrapRke2K3sProviderOptions, {}>,
} satisfies OptionDeclarationV1;
