import type { Machine } from "@capstan/kit/machines";
import type { DeletionOrder } from "./deletion-order.ts";
import { inDeletionOrder } from "./deletion-order.ts";

export type ScalePlan =
  | { readonly action: "none" }
  | { readonly action: "create"; readonly count: number }
  | { readonly action: "delete"; readonly machines: readonly Machine[] };

/**
 * Plans the change from the present Machines to the desired number. A Machine that is being deleted still counts: its
 * replacement is created when it is gone, and it is the first to count towards a scale-down.
 */
export const planScale = (input: {
  readonly desired: number;
  readonly machines: readonly Machine[];
  readonly order: DeletionOrder;
  readonly now: number;
}): ScalePlan => {
  // No server of ours takes it, but one with older definitions does: by mistake, so it is no reason to delete.
  if (input.desired < 0) return { action: "none" };
  const surplus = input.machines.length - input.desired;
  if (surplus < 0) return { action: "create", count: -surplus };
  const machines = inDeletionOrder(input.machines, input.order, input.now)
    .slice(0, surplus)
    .filter((machine) => machine.metadata.deletionTimestamp === undefined);
  return machines.length === 0 ? { action: "none" } : { action: "delete", machines };
};
