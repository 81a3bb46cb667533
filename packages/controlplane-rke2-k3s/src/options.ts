import type { CodeOnlyV1, OptionDeclarationV1 } from "@capstan/contract/v1";

/** Options of the control plane provider of RKE2 and k3s. */
export interface ControlplaneRke2K3sProviderOptions {
  /** Control planes reconciled at once, of each kind. Default 100. */
  readonly concurrency?: number;
}

export const defaultOptions = { concurrency: 100 } as const;

/** The options as the command takes them. */
export const declaration = {
  of: "controlplane-rke2-k3s",
  options: {},
  codeOnly: {
    concurrency: "the command has --concurrency RKE2ControlPlane=N,KThreesControlPlane=N",
  } satisfies CodeOnlyV1<ControlplaneRke2K3sProviderOptions, {}>,
} satisfies OptionDeclarationV1;
