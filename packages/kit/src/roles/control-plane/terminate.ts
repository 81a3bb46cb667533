import { Annotation } from "@capstan/contract";
import { keyOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { Waiting } from "../../engine/author.ts";
import type { Machine } from "../../machines/machine.ts";
import { Machines } from "../../machines/machine.ts";
import { findCondition } from "../../objects/conditions.ts";
import { hookOf } from "./maker.ts";
import type { Member } from "./member.ts";
import { isLeaving, nameOfMember } from "./member.ts";
import { ControlPlaneReason } from "./reasons.ts";
import type { Turn } from "./turn.ts";
import { authorContext, lookAgain, waits } from "./turn.ts";

/** How often it is looked whether a Machine can leave: nothing else shows what changes in the cluster. */
const retryMs = 10_000;

const has = ({ metadata }: Machine, annotation: string): boolean => metadata.annotations?.[annotation] !== undefined;

/** Lets Machines go that are held until they have left the cluster. */
export const dropHook = async <O extends KubeObject>(turn: Turn<O>, machines: readonly Machine[]): Promise<void> => {
  const hook = hookOf(turn.author);
  if (hook === undefined) return;
  for (const machine of machines) {
    if (!has(machine, hook)) continue;
    const body = { metadata: { annotations: { [hook]: null } } };
    await turn.making.context.client.patch(Machines, keyOf(machine), { type: "merge", body });
  }
};

/** All that can be done before has been done: drained, and no hook of somebody else is left. */
const isDue = ({ machine }: Member, hook: string): boolean => {
  const hooks = Object.keys(machine.metadata.annotations ?? {}).filter((key) =>
    key.startsWith(Annotation.preTerminateHookPrefix),
  );
  const deleting = findCondition(machine, "Deleting");
  return (
    hooks.length === 1 &&
    hooks[0] === hook &&
    deleting?.status === "True" &&
    deleting.reason === "WaitingForPreTerminateHook"
  );
};

const deletedAt = ({ machine }: Member): number => Date.parse(machine.metadata.deletionTimestamp ?? "") || 0;

/** The last Machine of a cluster goes once another has taken its place, unless none is wanted. */
const lastWaits = <O extends KubeObject>({ author, context, desired }: Turn<O>, member: Member): Waiting | undefined =>
  context.round.initialized && desired.replicas !== 0
    ? {
        reason: ControlPlaneReason.waitingForReplacement,
        message: `Machine ${nameOfMember(member)} is the last of the control plane, and the cluster would be lost with it; waiting for another to join in its place. To give up the cluster, delete it, or remove the annotation ${hookOf(author)} from the Machine`,
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
  if (hook === undefined || leaving.some(({ machine }) => !has(machine, hook))) return;
  const due = leaving
    .filter((member) => isDue(member, hook))
    .toSorted((left, right) => deletedAt(left) - deletedAt(right));
  let first: Waiting | undefined;
  for (const member of due) {
    const waiting =
      members.length === 1 ? lastWaits(turn, member) : await terminationHook?.run({ ...authorContext(turn), member });
    if (!waiting) {
      await dropHook(turn, [member.machine]);
      return;
    }
    first ??= waiting;
  }
  if (waits(turn, first)) lookAgain(turn, retryMs);
};
