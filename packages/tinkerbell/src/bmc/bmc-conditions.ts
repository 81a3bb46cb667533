import { restorePendingAnnotation } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";

/** A condition of the kinds of board management. */
export interface BmcCondition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}

/** The list with one condition as it is now; the same list when nothing is different. */
export const withBmcCondition = <C extends BmcCondition>(
  conditions: readonly C[] | undefined,
  next: C,
): readonly C[] => {
  const all = conditions ?? [];
  const before = all.find(({ type }) => type === next.type);
  if (before !== undefined && before.status === next.status && (before.message ?? "") === (next.message ?? "")) {
    return all;
  }
  return before === undefined ? [...all, next] : all.map((each) => (each === before ? next : each));
};

export const isBmcConditionTrue = (conditions: readonly BmcCondition[] | undefined, type: string): boolean =>
  (conditions ?? []).some((condition) => condition.type === type && condition.status === "True");

/** Returns whether a restore has still to write the status: until then nobody knows what was done before. */
export const isBeingRestored = ({ metadata }: KubeObject): boolean =>
  metadata.annotations?.[restorePendingAnnotation] !== undefined;
