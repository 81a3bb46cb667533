/** Condition types of a KubeadmControlPlane, beside those of every control plane. */
export const KubeadmCondition = {
  componentsHealthy: "ControlPlaneComponentsHealthy",
  etcdHealthy: "EtcdClusterHealthy",
} as const;

/** Condition types of its Machines. */
export const MemberCondition = {
  apiServer: "APIServerPodHealthy",
  controllerManager: "ControllerManagerPodHealthy",
  scheduler: "SchedulerPodHealthy",
  etcdPod: "EtcdPodHealthy",
  etcdMember: "EtcdMemberHealthy",
} as const;

/** Reasons of these conditions. */
export const KubeadmReason = {
  healthy: "Healthy",
  notHealthy: "NotHealthy",
  inspectionFailed: "InspectionFailed",
  running: "Running",
  provisioning: "Provisioning",
  failed: "Failed",
  doesNotExist: "DoesNotExist",
  deleting: "Deleting",
  waitingForJoin: "WaitingForJoin",
  leadership: "WaitingForLeadership",
} as const;

/** Reasons of Events about a KubeadmControlPlane. */
export const KubeadmEvent = { memberRemoved: "EtcdMemberRemoved" } as const;
