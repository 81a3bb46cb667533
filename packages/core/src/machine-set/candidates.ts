import { controllerOf } from "@capstan/contract/wire";
import type { Machine } from "@capstan/kit/machines";
import { isControlledBy } from "@capstan/kit/machines";
import { selects } from "@capstan/kube-values";
import type { ReconcileContext } from "@capstan/runtime";
import { Machine as Machines } from "../api.ts";
import type { MachineSet } from "../api.ts";
import { byController, orphanKey } from "../object/indexes.ts";

/** Machines that are a set's, or could become its own: controlled by it, or by no one, and selected. */
export const candidates = (set: MachineSet, machines: readonly Machine[]): readonly Machine[] =>
  machines.filter(
    (machine) =>
      selects(set.spec.selector, machine.metadata.labels) &&
      (isControlledBy(machine, set) || controllerOf(machine) === undefined),
  );

/** The same, as the cache shows them. */
export const cachedCandidates = ({ cache }: ReconcileContext, set: MachineSet): readonly Machine[] =>
  candidates(set, [
    ...cache.byIndex(Machines, byController, set.metadata.uid ?? ""),
    ...cache.byIndex(Machines, byController, orphanKey(set)),
  ]);
