import type { Member } from "./member.ts";
import { isLeaving } from "./member.ts";
import { nobodyStaysWell } from "./remediation-plan.ts";

/** The steps that one reconcile may take, in this order: when a Machine was replaced, or that is waited for, the second is not taken. */
export interface TurnPlan {
  readonly mayRemediate: boolean;
  readonly mayScale: boolean;
}

/**
 * Returns the steps that remain after Machines that are being deleted were looked at. `waiting`: one of them waits; `held`: because too few
 * others are healthy. Those that go may wait for the Machine that is made now, or in the place of one that is replaced.
 */
export const planTurn = (
  members: readonly Member[],
  { held, waiting }: { readonly held: boolean; readonly waiting: boolean },
): TurnPlan => {
  const mayScale = !waiting || nobodyStaysWell(members);
  return { mayRemediate: mayScale || held, mayScale };
};

/** The Machines whose deletion a step waits for; none where all go, which wait for the one that is made now. */
export const goingFirst = (members: readonly Member[], action: "scaleUp" | "scaleDown"): readonly Member[] => {
  const going = members.filter(isLeaving);
  return action === "scaleUp" && going.length === members.length ? [] : going;
};
