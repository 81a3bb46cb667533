import { Annotation } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { deleteMachines } from "../../machines/delete-machines.ts";
import type { Member } from "./member.ts";
import { pendingVersion } from "./preflight.ts";
import type { RemediationVerdict } from "./remediation-plan.ts";
import { byUrgency, hasRecovered, isUnhealthy, judgeBegun, judgeRemediation } from "./remediation-plan.ts";
import { beginBeside, type BegunRecord, nextRecord, recordIn, recordText } from "./remediation-record.ts";
import { sayRemediation, unsayRemediation } from "./say-on-machines.ts";
import { isBlocked, planOf } from "./scale.ts";
import type { Turn } from "./turn.ts";
import { authorContext, isHeld, lookAgain, waits } from "./turn.ts";
import { ControlPlaneReason } from "./reasons.ts";

const write = async <O extends KubeObject>({ context }: Turn<O>, record: BegunRecord | undefined): Promise<void> => {
  const value = record === undefined ? null : recordText(record);
  await context.changes.writeNow({ metadata: { annotations: { [Annotation.remediationInProgress]: value } } });
};

const replacementIn = async <O extends KubeObject>(turn: Turn<O>): Promise<"blocked" | "due" | "none"> => {
  const plan = planOf(turn);
  if (plan.action !== "scaleUp" && plan.action !== "initialize") return "none";
  // Only an unhealthy Machine can be replaced to make way.
  return turn.context.round.members.some(isUnhealthy) && (await isBlocked(turn, plan)) ? "blocked" : "due";
};

/** Returns the Machine of a remediation that an earlier reconcile began, if it still has to be deleted. */
const begun = async <O extends KubeObject>(turn: Turn<O>): Promise<Member | "waits" | undefined> => {
  const { changes, round } = turn.context;
  const record = recordIn(changes.object, Annotation.remediationInProgress);
  if (record === undefined) {
    // What cannot be read tells nothing, and would be asked forever.
    const unreadable = changes.object.metadata.annotations?.[Annotation.remediationInProgress];
    if (unreadable !== undefined) await write(turn, undefined);
    return undefined;
  }
  const { members } = round;
  const state = judgeBegun(record, { members, held: isHeld(turn), replacement: await replacementIn(turn) });
  if (state.kind === "over") await write(turn, nextRecord(record));
  if (state.kind === "delete") return state.member;
  return state.kind === "waits" ? "waits" : undefined;
};

const verdictOn = async <O extends KubeObject>(turn: Turn<O>, member: Member): Promise<RemediationVerdict> => {
  const { author, context, desired } = turn;
  const { initialized, members } = context.round;
  const version = pendingVersion(turn);
  if (version !== undefined) {
    const message = `waiting for a version upgrade to ${version} to be propagated`;
    return { kind: "refused", reason: ControlPlaneReason.remediationDeferred, message };
  }
  const policy = desired.remediation;
  const held = isHeld(turn);
  const verdict = judgeRemediation(member, { members, policy, initialized, held, now: context.clock.now() });
  if (verdict.kind === "refused" || !initialized) return verdict;
  const reasons = (await author.beforeRemediation?.({ ...authorContext(turn), member })) ?? [];
  if (reasons.length === 0) return verdict;
  return {
    kind: "refused",
    reason: ControlPlaneReason.cannotBeRemediated,
    message: reasons.map((reason) => `* ${reason}`).join("\n"),
  };
};

/** Every step is recorded before the next: after a crash in between, what is missing is made up for. */
const replace = async <O extends KubeObject>(turn: Turn<O>, member: Member): Promise<void> => {
  if (waits(turn, await turn.author.beforeDeletion?.({ ...authorContext(turn), member }))) return;
  await sayRemediation(turn, member, { reason: ControlPlaneReason.machineDeleting, message: "Machine is deleting" });
  await deleteMachines(turn.making, [member.machine]);
};

/**
 * Replaces one Machine that a health check wants replaced: the most urgent of those that may be. True when this reconcile has done, or has
 * to wait for, that.
 */
export const remediate = async <O extends KubeObject>(turn: Turn<O>): Promise<boolean> => {
  const { round } = turn.context;
  for (const member of round.members.filter(hasRecovered)) await unsayRemediation(turn, member);
  const unfinished = await begun(turn);
  if (unfinished === "waits") return false;
  if (unfinished !== undefined) {
    await replace(turn, unfinished);
    return true;
  }
  for (const member of round.members.filter(isUnhealthy).toSorted(byUrgency(turn.author.urgency))) {
    const verdict = await verdictOn(turn, member);
    if (verdict.kind === "remediate") {
      const before = recordIn(turn.context.changes.object, Annotation.remediationInProgress);
      await write(turn, beginBeside(before, verdict.record));
      await replace(turn, member);
      return true;
    }
    await sayRemediation(turn, member, verdict);
    if (verdict.remainingMs !== undefined) lookAgain(turn, verdict.remainingMs);
  }
  return false;
};
