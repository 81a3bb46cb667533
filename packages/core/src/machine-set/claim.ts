import { controllerOf } from "@capstan/contract/wire";
import { keyOf, selects } from "@capstan/kube-values";
import type { ReconcileContext } from "@capstan/runtime";
import { Machine, MachineSet } from "../api.ts";
import { adoptOrphan } from "../object/adopt-orphan.ts";
import { byController, orphanKey } from "../object/indexes.ts";
import { isControlledBy } from "../object/owners.ts";

/** Machines that are a set's, or could become its own: controlled by it, or by nobody, and selected. */
export const candidates = (set: MachineSet, machines: readonly Machine[]): readonly Machine[] =>
  machines.filter(
    (machine) =>
      selects(set.spec.selector, machine.metadata.labels) &&
      (isControlledBy(machine, set) || controllerOf(machine) === undefined),
  );

/** The same, as the cache shows them. */
export const cachedCandidates = ({ cache }: ReconcileContext, set: MachineSet): readonly Machine[] =>
  candidates(set, [
    ...cache.byIndex(Machine, byController, set.metadata.uid ?? ""),
    ...cache.byIndex(Machine, byController, orphanKey(set)),
  ]);

/** Makes an orphan the set's own. The orphan is read live first: the cache may not show its newest owner yet. */
const adopt = async (context: ReconcileContext, set: MachineSet, orphan: Machine): Promise<Machine | undefined> => {
  const machine = await context.client.find(Machine, keyOf(orphan));
  if (machine === undefined || machine.metadata.deletionTimestamp !== undefined) return undefined;
  if (controllerOf(machine) !== undefined) return isControlledBy(machine, set) ? machine : undefined;
  return adoptOrphan(context, { kind: Machine, orphan: machine }, { ownerKind: MachineSet, owner: set });
};

/** The set's Machines out of the candidates; orphans among them are adopted, unless they are on their way out. */
export const claimMachines = async (
  context: ReconcileContext,
  set: MachineSet,
  machines: readonly Machine[],
): Promise<readonly Machine[]> => {
  const claimed: Machine[] = [];
  for (const machine of machines) {
    if (isControlledBy(machine, set)) {
      claimed.push(machine);
    } else if (machine.metadata.deletionTimestamp === undefined && set.metadata.deletionTimestamp === undefined) {
      const adopted = await adopt(context, set, machine);
      if (adopted !== undefined) claimed.push(adopted);
    }
  }
  return claimed;
};
