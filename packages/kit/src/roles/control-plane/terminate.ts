import { Annotation } from "@capstan/contract";
import { keyOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { Waiting } from "../../engine/author.ts";
import type { Machine } from "../../machines/machine.ts";
import { Machines } from "../../machines/machine.ts";
import { allAtOnce } from "../../objects/at-once.ts";
import { findCondition } from "../../objects/conditions.ts";
import { drainHookOf, hookOf, hooksOf } from "./maker.ts";
import type { Member } from "./member.ts";
import { isLeaving, nameOfMember } from "./member.ts";
import { ControlPlaneReason } from "./reasons.ts";
import type { Turn } from "./turn.ts";
import { authorContext, lookAgain, waits } from "./turn.ts";

/** Interval of checking whether a Machine can leave: no event reports changes in the cluster. */
const retryMs = 10_000;

const has = ({ metadata }: Machine, annotation: string): boolean => metadata.annotations?.[annotation] !== undefined;

/** Lets Machines go that are held until they have left the cluster. */
export const dropHooks = async <O extends KubeObject>(
  turn: Turn<O>,
  machines: readonly Machine[],
  hooks: readonly string[] = [...hooksOf(turn.author), ...(turn.author.terminationHook?.formerly ?? [])],
): Promise<void> => {
  const { client, log } = turn.making.context;
  const drop = async (machine: Machine): Promise<void> => {
    const held = hooks.filter((hook) => has(machine, hook));
    if (held.length === 0) return;
    const body = { metadata: { annotations: Object.fromEntries(held.map((hook) => [hook, null])) } };
    await client.patch(Machines, keyOf(machine), { type: "merge", body });
  };
  await allAtOnce(machines, drop, log);
};

/** Does what has to come before a Machine is drained, and lets it go; those that cannot go yet do not hold the others back. */
export const beforeDrain = async <O extends KubeObject>(turn: Turn<O>): Promise<void> => {
  const { drainHook } = turn.author;
  const hook = drainHookOf(turn.author);
  if (drainHook === undefined || hook === undefined) return;
  const { members } = turn.context.round;
  const isWanted = drainHook.isWanted(turn.context.changes.object);
  for (const member of members) {
    if (!isLeaving(member) || !has(member.machine, hook)) continue;
    const isLast = members.length === 1;
    if (isWanted && !isLast) {
      if (findCondition(member.machine, "Deleting")?.reason !== "WaitingForPreDrainHook") continue;
      if (waits(turn, await drainHook.run({ ...authorContext(turn), member }))) {
        lookAgain(turn, retryMs);
        continue;
      }
    }
    await dropHooks(turn, [member.machine], [hook]);
  }
};

/** All that can be done before has been done: drained, and no other hook is left. */
const isDue = ({ machine }: Member, own: readonly string[]): boolean => {
  const others = Object.keys(machine.metadata.annotations ?? {}).filter(
    (key) => key.startsWith(Annotation.preTerminateHookPrefix) && !own.includes(key),
  );
  const deleting = findCondition(machine, "Deleting");
  return others.length === 0 && deleting?.status === "True" && deleting.reason === "WaitingForPreTerminateHook";
};

const deletedAt = ({ machine }: Member): number => Date.parse(machine.metadata.deletionTimestamp ?? "") || 0;

/** The last Machine of a cluster goes once another has taken its place, unless none is wanted. */
const lastWaits = <O extends KubeObject>({ author, context, desired }: Turn<O>, member: Member): Waiting | undefined =>
  context.round.initialized && desired.replicas !== 0
    ? {
        reason: ControlPlaneReason.waitingForReplacement,
        message: `Machine ${nameOfMember(member)} is the last of the control plane; the cluster would be lost with it, so it stays until another joins. To give up the cluster, delete it, or remove the annotation ${hookOf(author)} from the Machine`,
      }
    : undefined;

/**
 * Takes a Machine that is being deleted out of the cluster, the one first that waits longest; one that cannot go yet does not keep others.
 * One at a time: none begins while another that was let go is still there.
 */
export const terminate = async <O extends KubeObject>(turn: Turn<O>): Promise<void> => {
  const { terminationHook } = turn.author;
  const hook = hookOf(turn.author);
  const { members } = turn.context.round;
  const leaving = members.filter(isLeaving);
  const own = [hook ?? "", ...(terminationHook?.formerly ?? [])];
  if (hook === undefined || leaving.some(({ machine }) => !own.some((each) => has(machine, each)))) return;
  const due = leaving
    .filter((member) => isDue(member, own))
    .toSorted((left, right) => deletedAt(left) - deletedAt(right));
  let first: Waiting | undefined;
  for (const member of due) {
    const waiting =
      members.length === 1 ? lastWaits(turn, member) : await terminationHook?.run({ ...authorContext(turn), member });
    if (!waiting) {
      await dropHooks(turn, [member.machine]);
      return;
    }
    first ??= waiting;
  }
  if (waits(turn, first)) lookAgain(turn, retryMs);
};
