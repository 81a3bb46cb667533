import { conditionTable, conditionTypes, controlPlaneConditions } from "@capstan/contract/wire";

const health = {
  healthy: "Healthy",
  notHealthy: "NotHealthy",
  inspectionFailed: "InspectionFailed",
  deleting: "Deleting",
} as const;
const pod = {
  running: "Running",
  provisioning: "Provisioning",
  failed: "Failed",
  doesNotExist: "DoesNotExist",
  inspectionFailed: health.inspectionFailed,
  deleting: health.deleting,
} as const;

/** The conditions of a KubeadmControlPlane. Deleting also has the steps of removing a member as its reasons. */
export const kubeadmControlPlaneConditions = conditionTable({
  ...controlPlaneConditions,
  etcdHealthy: {
    type: "EtcdClusterHealthy",
    about: "Every etcd member is healthy.",
    v1beta1: "EtcdClusterHealthy",
    reasons: health,
  },
  componentsHealthy: {
    type: "ControlPlaneComponentsHealthy",
    about: "The static Pods of every member are healthy.",
    v1beta1: "ControlPlaneComponentsHealthy",
    reasons: health,
  },
});

/** The conditions that a KubeadmControlPlane writes on its Machines. */
export const memberConditions = conditionTable({
  apiServer: {
    type: "APIServerPodHealthy",
    about: "The kube-apiserver Pod runs.",
    v1beta1: "APIServerPodHealthy",
    reasons: pod,
  },
  controllerManager: {
    type: "ControllerManagerPodHealthy",
    about: "The kube-controller-manager Pod runs.",
    v1beta1: "ControllerManagerPodHealthy",
    reasons: pod,
  },
  scheduler: {
    type: "SchedulerPodHealthy",
    about: "The kube-scheduler Pod runs.",
    v1beta1: "SchedulerPodHealthy",
    reasons: pod,
  },
  etcdPod: { type: "EtcdPodHealthy", about: "The etcd Pod runs.", v1beta1: "EtcdPodHealthy", reasons: pod },
  etcdMember: {
    type: "EtcdMemberHealthy",
    about: "The etcd member votes, has no alarm and agrees with the others.",
    v1beta1: "EtcdMemberHealthy",
    reasons: health,
  },
});

/** Condition types of a KubeadmControlPlane. */
export const KubeadmCondition = conditionTypes(kubeadmControlPlaneConditions);

/** Condition types of its Machines. */
export const MemberCondition = conditionTypes(memberConditions);

/** Reasons of these conditions. */
export const KubeadmReason = {
  ...health,
  ...pod,
  waitingForJoin: "WaitingForJoin",
  leadership: "WaitingForLeadership",
} as const;

/** Reasons of Events about a KubeadmControlPlane. */
export const KubeadmEvent = { memberRemoved: "EtcdMemberRemoved" } as const;
