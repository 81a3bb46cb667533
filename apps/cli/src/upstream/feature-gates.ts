/** Treatment of an upstream feature gate. */
export interface FeatureGate {
  /** An option of a provider means the same. */
  readonly option?: string;
  /** Why `true`, or `false`, changes nothing here. Default: what it says is so here anyway. */
  readonly on?: string;
  readonly off?: string;
}

const always = (what: string): FeatureGate => ({ off: what });
const never = (what: string): FeatureGate => ({ on: what });

/** Feature gates of upstream's managers, by name. */
export const featureGates: Readonly<Record<string, FeatureGate>> = {
  MachinePool: always("MachinePools are reconciled"),
  ClusterTopology: never("ClusterClass and Cluster.spec.topology are not served"),
  RuntimeSDK: never("runtime extensions are not called"),
  KubeadmBootstrapFormatIgnition: always("configs with the format ignition are supported"),
  MachineSetPreflightChecks: always("preflight checks of MachineSets run"),
  MachineWaitForVolumeDetachConsiderVolumeAttachments: always("Machines wait for volumes to detach"),
  PriorityQueue: always("the priority queue is always on"),
  ReconcilerRateLimiting: always("reconciles of one object are rate-limited"),
  InPlaceUpdates: never("Machines are replaced, never updated in place"),
  MachineTaintPropagation: always("taints of Machines reach their Nodes"),
  APIServerILB: { option: "infra-azure.apiServerILB" },
  EdgeZone: { option: "infra-azure.edgeZone" },
  AKS: never("AKS clusters are not supported"),
  AKSResourceHealth: never("AKS clusters are not supported"),
  ASOAPI: never("Azure Service Operator is not used"),
  SkipMachinePoolModelReconciliation: never("models of machine pools are kept up to date"),
};
