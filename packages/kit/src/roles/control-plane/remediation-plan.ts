import { Annotation, rfc3339 } from "@capstan/contract";
import { findCondition } from "../../objects/conditions.ts";
import type { RemediationPolicy } from "./author.ts";
import type { Member } from "./member.ts";
import { byAge, hasNode, isLeaving, nameOfMember } from "./member.ts";
import type { RemediationRecord } from "./remediation-record.ts";
import { recordIn } from "./remediation-record.ts";
import { ControlPlaneReason } from "./reasons.ts";

const defaultMinHealthySeconds = 3600;

const says = ({ machine }: Member, type: string): string | undefined => findCondition(machine, type)?.status;

/** A health check found the Machine unhealthy and asks for its replacement. */
export const isUnhealthy = (member: Member): boolean =>
  !isLeaving(member) && says(member, "HealthCheckSucceeded") === "False" && says(member, "OwnerRemediated") === "False";

/** It was asked for, and the Machine is healthy again. */
export const hasRecovered = (member: Member): boolean =>
  !isLeaving(member) && says(member, "OwnerRemediated") === "False" && says(member, "HealthCheckSucceeded") === "True";

const isForced = ({ machine }: Member): boolean =>
  machine.metadata.annotations?.[Annotation.remediateMachine] !== undefined;

/**
 * Returns the order in which unhealthy Machines are replaced: those that a user asks for, those that never joined, those without a
 * condition of `types`, in the order of these, the broken, the oldest.
 */
export const byUrgency =
  (types: readonly string[] = []) =>
  (left: Member, right: Member): number =>
    Number(isForced(right)) - Number(isForced(left)) ||
    Number(hasNode(left)) - Number(hasNode(right)) ||
    types
      .map((type) => Number(says(left, type) === "True") - Number(says(right, type) === "True"))
      .find((difference) => difference !== 0) ||
    Number(right.broken) - Number(left.broken) ||
    byAge(left, right);

/** The decision about an unhealthy Machine. */
export type RemediationVerdict =
  | { readonly kind: "remediate"; readonly record: RemediationRecord }
  | {
      readonly kind: "refused";
      readonly reason: "RemediationDeferred" | "CannotBeRemediated";
      readonly message: string;
      /** When only time is missing. */
      readonly remainingMs?: number;
    };

const deferred = (message: string, remainingMs?: number): RemediationVerdict => ({
  kind: "refused",
  reason: ControlPlaneReason.remediationDeferred,
  message,
  ...(remainingMs === undefined ? {} : { remainingMs }),
});

const refused = (message: string): RemediationVerdict => ({
  kind: "refused",
  reason: ControlPlaneReason.cannotBeRemediated,
  message,
});

/** By what is remembered of earlier tries for the same place in the control plane. */
const byMemory = (member: Member, policy: RemediationPolicy, now: number): RemediationVerdict => {
  const first = { machine: nameOfMember(member), timestamp: rfc3339(now), retryCount: 0 };
  const last = recordIn(member.machine, Annotation.remediationFor);
  const since = now - (Date.parse(last?.timestamp ?? "") || 0);
  const { maxRetry, retryPeriodSeconds = 0, minHealthyPeriodSeconds = defaultMinHealthySeconds } = policy;
  if (last === undefined || since >= minHealthyPeriodSeconds * 1000) return { kind: "remediate", record: first };
  const remainingMs = retryPeriodSeconds * 1000 - since;
  if (remainingMs > 0) {
    return deferred(
      `Waiting ${retryPeriodSeconds} seconds since the remediation of Machine ${last.machine}`,
      remainingMs,
    );
  }
  return maxRetry !== undefined && last.retryCount >= maxRetry
    ? refused(`Remediated ${last.retryCount + 1} times without success (spec.remediation.maxRetry is ${maxRetry})`)
    : { kind: "remediate", record: { ...first, retryCount: last.retryCount + 1 } };
};

/** No one stays who is well: those that go wait for others, and only replacing who is unhealthy brings one. */
export const nobodyStaysWell = (members: readonly Member[]): boolean =>
  members.every((member) => isLeaving(member) || isUnhealthy(member));

/** Returns the blockers once there is a cluster that could be lost. `held`: those that go cannot, for too few others are healthy. */
const bySafety = (member: Member, members: readonly Member[], held: boolean): RemediationVerdict | undefined => {
  if (members.length <= 1) return refused("The control plane has no other Machine: the cluster would be lost");
  const names = (list: readonly Member[]): string => list.map(nameOfMember).join(", ");
  const joining = members.filter((member) => !isUnhealthy(member) && !isLeaving(member) && !hasNode(member));
  if (joining.length > 0) return deferred(`Waiting for Machine ${names(joining)} to join`);
  const leaving = members.filter(isLeaving);
  if (!hasNode(member) && nobodyStaysWell(members)) return undefined;
  return leaving.length > 0 && !held ? deferred(`Waiting for Machine ${names(leaving)} to be deleted`) : undefined;
};

/** Returns whether an unhealthy Machine is replaced, as far as every control plane decides it alike. `now` in milliseconds. */
export const judgeRemediation = (
  member: Member,
  {
    members,
    policy = {},
    initialized,
    held = false,
    now,
  }: {
    readonly members: readonly Member[];
    readonly policy: RemediationPolicy | undefined;
    readonly initialized: boolean;
    /** Machines that are being deleted are held until more of the others are healthy: to replace an unhealthy one lets them go. */
    readonly held?: boolean;
    readonly now: number;
  },
): RemediationVerdict => {
  const verdict = byMemory(member, policy, now);
  return verdict.kind === "refused"
    ? verdict
    : ((initialized ? bySafety(member, members, held) : undefined) ?? verdict);
};

/** Progress of a remediation that an earlier reconcile began. */
export type BegunRemediation =
  /** The Machine still has to be deleted. */
  | { readonly kind: "delete"; readonly member: Member }
  /** Nothing else is remediated before it has ended. */
  | { readonly kind: "waits" }
  /** Its Machine cannot go, or its replacement cannot come, before another Machine is replaced: that may begin. */
  | { readonly kind: "held" }
  | { readonly kind: "over" };

/** A Machine was made since, in the place of the one that was deleted: the record is on it, or was lost with the process. */
const isReplaced = ({ timestamp }: RemediationRecord, members: readonly Member[]): boolean =>
  members.some(({ machine }) => Date.parse(machine.metadata.creationTimestamp ?? "") > Date.parse(timestamp));

/** Returns how far a remediation is, by its record. */
export const judgeBegun = (
  record: RemediationRecord,
  {
    members,
    held,
    replacement,
  }: {
    readonly members: readonly Member[];
    /** As for `judgeRemediation`. */
    readonly held: boolean;
    /** The next Machine to create: `due`, or `blocked` by preflight checks; `none` when the others are enough. */
    readonly replacement: "blocked" | "due" | "none";
  },
): BegunRemediation => {
  const member = members.find((candidate) => nameOfMember(candidate) === record.machine);
  if (member !== undefined && isUnhealthy(member)) return { kind: "delete", member };
  if (member !== undefined && isLeaving(member)) return { kind: held ? "held" : "waits" };
  if (member !== undefined || replacement === "none" || isReplaced(record, members)) return { kind: "over" };
  return { kind: replacement === "blocked" ? "held" : "waits" };
};
