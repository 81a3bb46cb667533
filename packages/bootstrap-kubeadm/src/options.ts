import { type CodeOnlyV1, type OptionDeclarationV1, optionDefaults, type OptionValuesV1 } from "@capstan/contract/v1";

const minuteMs = 60_000;

const declared = {
  tokenTtl: {
    type: "duration",
    default: 15 * minuteMs,
    min: minuteMs,
    max: 24 * 60 * minuteMs,
    help: "lifetime of a bootstrap token; extended until its node has joined",
  },
} as const;

/** Options of the kubeadm bootstrap provider. */
export interface BootstrapKubeadmProviderOptions extends OptionValuesV1<typeof declared> {
  /** KubeadmConfigs reconciled at once. Default 100. */
  readonly concurrency?: number;
}

export const defaultOptions = { ...optionDefaults(declared), concurrency: 100 } as const;

/** The options as the command takes them. */
export const declaration = {
  of: "bootstrap-kubeadm",
  options: declared,
  codeOnly: {
    concurrency: "the command has --concurrency KubeadmConfig=N",
  } satisfies CodeOnlyV1<BootstrapKubeadmProviderOptions, typeof declared>,
} satisfies OptionDeclarationV1;
