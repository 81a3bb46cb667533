import type { CodeOnlyV1, OptionDeclarationV1 } from "@capstan/contract/v1";

/** Options of the provider. */
export interface BootstrapCompositeProviderOptions {
  /** CompositeConfigs reconciled at once. Default 20. */
  readonly concurrency?: number;
}

export const defaultOptions: Required<BootstrapCompositeProviderOptions> = { concurrency: 20 };

/** The options as the command takes them. */
export const declaration = {
  of: "bootstrap-composite",
  options: {},
  codeOnly: {
    concurrency: "the command has --concurrency CompositeConfig=N",
  } satisfies CodeOnlyV1<BootstrapCompositeProviderOptions, {}>,
} satisfies OptionDeclarationV1;
