const domain = "cluster.x-k8s.io";

/** API groups of the wire contract. */
export const Group = {
  core: domain,
  bootstrap: `bootstrap.${domain}`,
  controlPlane: `controlplane.${domain}`,
  infrastructure: `infrastructure.${domain}`,
  ipam: `ipam.${domain}`,
  addons: `addons.${domain}`,
  clusterctl: `clusterctl.${domain}`,
} as const;

/** Labels of the wire contract. */
export const Label = {
  clusterName: `${domain}/cluster-name`,
  controlPlane: `${domain}/control-plane`,
  controlPlaneName: `${domain}/control-plane-name`,
  setName: `${domain}/set-name`,
  deploymentName: `${domain}/deployment-name`,
  poolName: `${domain}/pool-name`,
  machineTemplateHash: "machine-template-hash",
  watchFilter: `${domain}/watch-filter`,
  interruptible: `${domain}/interruptible`,
  drain: `${domain}/drain`,
  provider: `${domain}/provider`,
  /** On ClusterRoles that upstream's core manager is to have. */
  aggregateToManager: `${domain}/aggregate-to-manager`,
  /** On everything that clusterctl looks at: kinds whose objects it moves, for example. */
  clusterctl: `clusterctl.${domain}`,
  clusterctlCore: `clusterctl.${domain}/core`,
  move: `clusterctl.${domain}/move`,
  moveHierarchy: `clusterctl.${domain}/move-hierarchy`,
} as const;

/** Annotations of the wire contract. */
export const Annotation = {
  paused: `${domain}/paused`,
  deleteMachine: `${domain}/delete-machine`,
  disableMachineCreate: `${domain}/disable-machine-create`,
  clonedFromName: `${domain}/cloned-from-name`,
  clonedFromGroupKind: `${domain}/cloned-from-groupkind`,
  skipRemediation: `${domain}/skip-remediation`,
  remediateMachine: `${domain}/remediate-machine`,
  /** On control plane objects: the Machine that is being replaced because it is unhealthy. */
  remediationInProgress: `controlplane.${domain}/remediation-in-progress`,
  /** On control-plane Machines: the unhealthy one in whose place it was made. */
  remediationFor: `controlplane.${domain}/remediation-for`,
  /** On a KubeadmControlPlane: the controller does not update kube-proxy. */
  skipKubeProxy: `controlplane.${domain}/skip-kube-proxy`,
  /** On a KubeadmControlPlane: the controller does not update CoreDNS. */
  skipCoreDns: `controlplane.${domain}/skip-coredns`,
  managedBy: `${domain}/managed-by`,
  replicasManagedBy: `${domain}/replicas-managed-by`,
  autoscalerMinSize: `${domain}/cluster-api-autoscaler-node-group-min-size`,
  autoscalerMaxSize: `${domain}/cluster-api-autoscaler-node-group-max-size`,
  excludeNodeDraining: `machine.${domain}/exclude-node-draining`,
  excludeWaitForNodeVolumeDetach: `machine.${domain}/exclude-wait-for-node-volume-detach`,
  certificatesExpiry: `machine.${domain}/certificates-expiry`,
  preDrainHookPrefix: `pre-drain.delete.hook.machine.${domain}/`,
  preTerminateHookPrefix: `pre-terminate.delete.hook.machine.${domain}/`,
  skipPreflightChecks: `machineset.${domain}/skip-preflight-checks`,
  revision: "machinedeployment.clusters.x-k8s.io/revision",
  desiredReplicas: "machinedeployment.clusters.x-k8s.io/desired-replicas",
  maxReplicas: "machinedeployment.clusters.x-k8s.io/max-replicas",
  revisionHistory: "machinedeployment.clusters.x-k8s.io/revision-history",
  conversionData: `${domain}/conversion-data`,
  topologyDryRun: `topology.${domain}/dry-run`,
  /** On control plane objects: the version that a topology has brought them to on the way to its own. */
  topologyUpgradeStep: `topology.internal.${domain}/upgrade-step`,
  deleteForMove: `clusterctl.${domain}/delete-for-move`,
  blockMove: `clusterctl.${domain}/block-move`,
  lastApplied: "kubectl.kubernetes.io/last-applied-configuration",
  nodeClusterName: `${domain}/cluster-name`,
  nodeClusterNamespace: `${domain}/cluster-namespace`,
  nodeMachine: `${domain}/machine`,
  nodeOwnerKind: `${domain}/owner-kind`,
  nodeOwnerName: `${domain}/owner-name`,
  nodeLabelsFromMachine: `${domain}/labels-from-machine`,
  nodeAnnotationsFromMachine: `${domain}/annotations-from-machine`,
  nodeTaintsFromMachine: `${domain}/taints-from-machine`,
} as const;

/** Finalizers of the core kinds. */
export const Finalizer = {
  cluster: `cluster.${domain}`,
  machine: `machine.${domain}`,
  machineSet: `${domain}/machineset`,
  machineDeployment: `${domain}/machinedeployment`,
  machinePool: `machinepool.${domain}`,
} as const;

/** Taints the wire contract puts on Nodes. */
export const Taint = {
  uninitialized: { key: `node.${domain}/uninitialized`, effect: "NoSchedule" },
  outdatedRevision: { key: `node.${domain}/outdated-revision`, effect: "PreferNoSchedule" },
} as const;

/** Domains whose Machine labels and annotations are synchronised to the Node. */
export const NodeSyncDomain = {
  role: "node-role.kubernetes.io",
  restriction: "node-restriction.kubernetes.io",
  managed: `node.${domain}`,
} as const;

/** Type of every Secret that Cluster API generates. */
export const clusterSecretType = `${domain}/secret`;

/** Purposes of the Secrets that belong to a Cluster; the Secret's name is `<cluster>-<purpose>`. */
export const SecretPurpose = {
  kubeconfig: "kubeconfig",
  ca: "ca",
  /** Signs certificates of clients, in distributions that keep an authority of its own for them. */
  clientCA: "cca",
  etcd: "etcd",
  proxy: "proxy",
  serviceAccount: "sa",
  apiServerEtcdClient: "apiserver-etcd-client",
} as const;

/** Written as the last step of a successful bootstrap. */
export const bootstrapSentinel = "/run/cluster-api/bootstrap-success.complete";

/** Field managers of server-side apply. */
export const FieldManager = {
  machineSet: "capi-machineset",
  machineSetMetadata: "capi-machineset-metadata",
  machineDeployment: "capi-machinedeployment",
  machinePool: "capi-machinepool",
} as const;

/** On an object that is being restored, until its status is written. Whatever acts once, by its status, leaves it alone meanwhile. */
export const restorePendingAnnotation = "capstan.dev/restore-pending";
