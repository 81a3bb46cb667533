import { Annotation } from "@capstan/contract";
import { keyOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { Machine } from "../../machines/machine.ts";
import { Machines } from "../../machines/machine.ts";
import { findCondition } from "../../objects/conditions.ts";
import { hookOf } from "./maker.ts";
import type { Member } from "./member.ts";
import { isLeaving } from "./member.ts";
import type { Turn } from "./turn.ts";
import { authorContext, lookAgain, waits } from "./turn.ts";

/** How often it is looked whether a Machine can leave: nothing else shows what changes in the cluster. */
const retryMs = 30_000;

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

/**
 * Takes the Machine that is being deleted longest out of the cluster once it is its turn. One at a time: none begins while another that was
 * let go is still there.
 */
export const terminate = async <O extends KubeObject>(turn: Turn<O>): Promise<void> => {
  const { terminationHook } = turn.author;
  const hook = hookOf(turn.author);
  const { members } = turn.context.round;
  const leaving = members.filter(isLeaving);
  if (hook === undefined || leaving.some(({ machine }) => !has(machine, hook))) return;
  const member = leaving.toSorted((left, right) => deletedAt(left) - deletedAt(right))[0];
  if (member === undefined || !isDue(member, hook)) return;
  const isLast = members.length === 1;
  const waiting = isLast ? undefined : await terminationHook?.run({ ...authorContext(turn), member });
  if (waits(turn, waiting)) lookAgain(turn, retryMs);
  else await dropHook(turn, [member.machine]);
};
