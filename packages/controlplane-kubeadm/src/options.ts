import type { CodeOnlyV1, OptionDeclarationV1 } from "@capstan/contract/v1";

/** Options of the kubeadm control plane provider. */
export interface ControlplaneKubeadmProviderOptions {
  /** KubeadmControlPlanes reconciled at once. Default 100. */
  readonly concurrency?: number;
}

export const defaultOptions = { concurrency: 100 } as const;

/** The options as the command takes them. */
export const declaration = {
  of: "controlplane-kubeadm",
  options: {},
  codeOnly: {
    concurrency: "the command has --concurrency KubeadmControlPlane=N",
  } satisfies CodeOnlyV1<ControlplaneKubeadmProviderOptions, {}>,
} satisfies OptionDeclarationV1;
