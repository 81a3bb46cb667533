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
