export type {
  ControlPlaneAuthor,
  ControlPlaneContext,
  ControlPlaneHealth,
  DesiredControlPlane,
  MemberRole,
  OfMember,
  RemediationPolicy,
} from "./roles/control-plane/author.ts";
export { controlPlane } from "./roles/control-plane/control-plane.ts";
export { summarizeMembers } from "./roles/control-plane/member-summary.ts";
export type { SaidOnMachines } from "./roles/control-plane/member-summary.ts";
export { hasNode, isLeaving, isOutdated, nameOfMember } from "./roles/control-plane/member.ts";
export type { Member } from "./roles/control-plane/member.ts";
export { waitForMembers } from "./roles/control-plane/wait-for-members.ts";
export { ControlPlaneReason } from "./roles/control-plane/reasons.ts";
export { isUnhealthy } from "./roles/control-plane/remediation-plan.ts";
export { describeAlarms } from "./etcd/alarms.ts";
export { EtcdClient } from "./etcd/etcd-client.ts";
export type { EtcdMember, EtcdStatus, EtcdView } from "./etcd/etcd-client.ts";
export { etcdPods } from "./etcd/etcd-pods.ts";
export { readSnapshot } from "./etcd/snapshot-file.ts";
export type { EtcdKeyValue } from "./etcd/snapshot-file.ts";
export { withAnyMember, withMember } from "./etcd/etcd-way.ts";
export type { EtcdWay } from "./etcd/etcd-way.ts";
export { describeQuorum, isUnfinished, majorityOf, quorumObstacle, quorumOf } from "./etcd/quorum.ts";
export type { EtcdQuorum } from "./etcd/quorum.ts";
