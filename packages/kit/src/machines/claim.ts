import { controllerOf } from "@capstan/contract/wire";
import { isBeingDeleted, keyOf } from "@capstan/kube-values";
import type { ReconcileContext } from "@capstan/runtime";
import { adoptOrphan, isControlledBy } from "../objects/adopt-orphan.ts";
import type { Machine } from "./machine.ts";
import { Machines } from "./machine.ts";
import type { MachineMaker } from "./maker.ts";

type Owner = Pick<MachineMaker, "kind" | "object">;

/** Returns whether an orphan becomes the owner's own. */
export type MayAdopt = (orphan: Machine) => boolean | Promise<boolean>;

/** Makes an orphan the owner's own. The orphan is read live first: the cache may not show its newest owner yet. */
const adopt = async (
  context: ReconcileContext,
  { kind, object: owner }: Owner,
  orphan: Machine,
  mayAdopt: MayAdopt,
): Promise<Machine | undefined> => {
  const machine = await context.client.find(Machines, keyOf(orphan));
  if (machine === undefined || isBeingDeleted(machine)) return undefined;
  if (controllerOf(machine) !== undefined) return isControlledBy(machine, owner) ? machine : undefined;
  if (!(await mayAdopt(machine))) return undefined;
  return adoptOrphan(context, { kind: Machines, orphan: machine }, { ownerKind: kind, owner });
};

/** Returns the owner's Machines; orphans are adopted, unless they are being deleted. */
export const claimMachines = async (
  context: ReconcileContext,
  owner: Owner,
  machines: readonly Machine[],
  mayAdopt: MayAdopt = () => true,
): Promise<readonly Machine[]> => {
  const claimed: Machine[] = [];
  for (const machine of machines) {
    if (isControlledBy(machine, owner.object)) {
      claimed.push(machine);
    } else if (controllerOf(machine) === undefined && !isBeingDeleted(machine) && !isBeingDeleted(owner.object)) {
      const adopted = await adopt(context, owner, machine, mayAdopt);
      if (adopted !== undefined) claimed.push(adopted);
    }
  }
  return claimed;
};
