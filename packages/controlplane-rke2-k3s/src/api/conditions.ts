import { certificatesAvailable, conditionTable, conditionTypes, controlPlaneConditions } from "@capstan/contract/wire";

const health = {
  healthy: "Healthy",
  notHealthy: "NotHealthy",
  inspectionFailed: "InspectionFailed",
  deleting: "Deleting",
} as const;

const common = conditionTable({
  ...controlPlaneConditions,
  certificatesAvailable,
  tokenAvailable: {
    type: "TokenAvailable",
    about: "The Secret with the token that servers join with exists.",
    v1beta1: "TokenAvailable",
    reasons: { available: "Available", notAvailable: "NotAvailable" },
  },
  componentsHealthy: {
    type: "ControlPlaneComponentsHealthy",
    about: "The agent of every server is healthy.",
    v1beta1: "ControlPlaneComponentsHealthy",
    reasons: health,
  },
  specUpToDate: {
    type: "MachinesSpecUpToDate",
    only: "v1beta1",
    v1beta1: "MachinesSpecUpToDate",
    about: "Every Machine has the current spec.",
    reasons: { upToDate: "UpToDate", rollingUpdate: "RollingUpdateInProgress" },
  },
  resized: {
    type: "Resized",
    only: "v1beta1",
    v1beta1: "Resized",
    about: "As many Machines exist as desired.",
    reasons: { resized: "Resized", scalingUp: "ScalingUp", scalingDown: "ScalingDown" },
  },
});
const etcd = { about: "Every etcd member is healthy.", reasons: health } as const;

/** The conditions of an RKE2ControlPlane. */
export const rke2Conditions = conditionTable({
  ...common,
  etcdHealthy: { ...etcd, type: "EtcdClusterHealthy", v1beta1: "EtcdClusterHealthy" },
});

/** The conditions of a KThreesControlPlane. */
export const kthreesConditions = conditionTable({
  ...common,
  etcdHealthy: { ...etcd, type: "EtcdClusterHealthyCondition", v1beta1: "EtcdClusterHealthyCondition" },
});

/** The conditions that both write on their Machines. */
export const memberTable = conditionTable({
  agent: {
    type: "AgentHealthy",
    about: "The agent on the server reports a ready Node.",
    v1beta1: "AgentHealthy",
    reasons: health,
  },
  etcd: {
    type: "EtcdMemberHealthy",
    about: "The etcd member votes and has no alarm.",
    v1beta1: "EtcdMemberHealthy",
    reasons: health,
  },
  nodeMetadata: {
    type: "NodeMetadataUpToDate",
    about: "Labels and annotations of the Machine are on its Node.",
    v1beta1: "NodeMetadataUpToDate",
    reasons: { upToDate: "UpToDate" },
  },
});

/** Condition types of the Machines of a control plane. */
export const MemberCondition = conditionTypes(memberTable);

/** Condition type of a control plane, in addition to those of every control plane. */
export const componentsCondition = common.componentsHealthy.type;

/** Conditions that only `v1beta1` has. */
export const { resized, specUpToDate } = common;

/** The condition about the token that servers join with. */
export const { tokenAvailable } = common;

/** Reasons of these conditions. */
export const Reason = {
  available: "Available",
  notAvailable: "NotAvailable",
  healthy: "Healthy",
  notHealthy: "NotHealthy",
  inspectionFailed: "InspectionFailed",
  deleting: "Deleting",
  upToDate: "UpToDate",
  rollingUpdate: "RollingUpdateInProgress",
  resized: "Resized",
  scalingUp: "ScalingUp",
  scalingDown: "ScalingDown",
  waitingForEtcd: "WaitingForEtcd",
  leadership: "WaitingForLeadershipTransfer",
} as const;
