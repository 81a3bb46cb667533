/** Which keys of a Machine reach its Node. */
export interface NodeSyncOptions {
  /** Machine labels to copy beside those of the built-in domains; each is matched against the whole key. */
  readonly additionalLabels: readonly RegExp[];
  /** The same for annotations. */
  readonly additionalAnnotations: readonly RegExp[];
}

/** What may be said about the core provider; everything has a default. */
export interface CoreProviderOptions {
  /** Machine labels that are copied to Nodes beside those of the built-in domains. */
  readonly additionalSyncMachineLabels?: readonly RegExp[];
  /** Machine annotations that are copied to Nodes beside those of the built-in domain. */
  readonly additionalSyncMachineAnnotations?: readonly RegExp[];
  /** How long the last known conditions of a Node stand while its cluster does not answer. Default 300 000. */
  readonly remoteConditionsGraceMs?: number;
  /** How old the last successful probe of a cluster may be before the cluster counts as unreachable. Default 50 000. */
  readonly remoteConnectionGraceMs?: number;
  /** Machines reconciled at once. Default 100. */
  readonly machineConcurrency?: number;
  /** Objects of each other kind reconciled at once. Default 50. */
  readonly concurrency?: number;
}

/** The options with their defaults. */
export interface CoreOptions {
  readonly nodeSync: NodeSyncOptions;
  readonly remoteConditionsGraceMs: number;
  readonly remoteConnectionGraceMs: number;
  readonly machineConcurrency: number;
  readonly concurrency: number;
}

export const coreOptions = (options: CoreProviderOptions): CoreOptions => ({
  nodeSync: {
    additionalLabels: options.additionalSyncMachineLabels ?? [],
    additionalAnnotations: options.additionalSyncMachineAnnotations ?? [],
  },
  remoteConditionsGraceMs: options.remoteConditionsGraceMs ?? 300_000,
  remoteConnectionGraceMs: options.remoteConnectionGraceMs ?? 50_000,
  machineConcurrency: options.machineConcurrency ?? 100,
  concurrency: options.concurrency ?? 50,
});
