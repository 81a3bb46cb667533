import {
  type CodeOnlyV1,
  type OptionDeclarationV1,
  optionDefaults,
  type OptionsV1,
  type OptionValuesV1,
} from "@capstan/contract/v1";

/** Which keys of a Machine reach its Node. */
export interface NodeSyncOptions {
  /** Machine labels to copy beside those of the built-in domains; each is matched against the whole key. */
  readonly additionalLabels: readonly RegExp[];
  /** The same for annotations. */
  readonly additionalAnnotations: readonly RegExp[];
}

const expression = (value: string): string | undefined => {
  try {
    void new RegExp(value);
    return undefined;
  } catch (error) {
    return `must be a regular expression: ${(error as Error).message}`;
  }
};

const declared = {
  additionalSyncMachineLabels: {
    type: "list",
    hasCommas: true,
    check: expression,
    help: "regular expressions for labels to copy from Machines to Nodes beside those of the built-in domains",
  },
  additionalSyncMachineAnnotations: {
    type: "list",
    hasCommas: true,
    check: expression,
    help: "the same for annotations",
  },
  remoteConditionsGrace: {
    type: "duration",
    default: 300_000,
    min: 120_000,
    help: "how long the last known conditions of a Node stand while its cluster does not answer",
  },
  remoteConnectionGrace: {
    type: "duration",
    default: 50_000,
    min: 10_000,
    help: "how old the last successful probe of a cluster may be before the cluster counts as unreachable",
  },
} as const satisfies OptionsV1;

type Declared = OptionValuesV1<typeof declared>;

/** Options of the core provider; all have defaults. */
export interface CoreProviderOptions extends Omit<
  Declared,
  "additionalSyncMachineAnnotations" | "additionalSyncMachineLabels"
> {
  /** Machine labels that are copied to Nodes beside those of the built-in domains. */
  readonly additionalSyncMachineLabels?: readonly RegExp[];
  /** Machine annotations that are copied to Nodes beside those of the built-in domain. */
  readonly additionalSyncMachineAnnotations?: readonly RegExp[];
  /** Machines reconciled at once. Default 100. */
  readonly machineConcurrency?: number;
  /** Objects of each other kind reconciled at once. Default 50. */
  readonly concurrency?: number;
}

/** The options as the command takes them. */
export const declaration = {
  of: "core",
  options: declared,
  codeOnly: {
    machineConcurrency: "the command has --concurrency Machine=N",
    concurrency: "the command has --concurrency KIND=N",
  } satisfies CodeOnlyV1<CoreProviderOptions, typeof declared>,
} satisfies OptionDeclarationV1;

const whole = (expressions: readonly string[]): readonly RegExp[] =>
  expressions.map((each) => new RegExp(`^(?:${each})$`));

/** Converts the command's options to those of the provider. */
export const givenOptions = ({
  additionalSyncMachineAnnotations: annotations,
  additionalSyncMachineLabels: labels,
  ...rest
}: Declared): CoreProviderOptions => ({
  ...rest,
  ...(labels !== undefined && { additionalSyncMachineLabels: whole(labels) }),
  ...(annotations !== undefined && { additionalSyncMachineAnnotations: whole(annotations) }),
});

/** The options with their defaults. */
export interface CoreOptions {
  readonly nodeSync: NodeSyncOptions;
  readonly remoteConditionsGraceMs: number;
  readonly remoteConnectionGraceMs: number;
  readonly machineConcurrency: number;
  readonly concurrency: number;
}

export const coreOptions = ({
  additionalSyncMachineAnnotations: additionalAnnotations = [],
  additionalSyncMachineLabels: additionalLabels = [],
  ...given
}: CoreProviderOptions): CoreOptions => ({
  ...optionDefaults(declared),
  machineConcurrency: 100,
  concurrency: 50,
  ...given,
  nodeSync: { additionalLabels, additionalAnnotations },
});
