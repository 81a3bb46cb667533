import { Machine } from "../api.ts";
import { keyOf } from "../object/draft.ts";
import { throwFirst } from "../object/steps.ts";
import type { MachineSetScope } from "./scope.ts";

/** Tells the users of a set that something failed. */
export const warn = (scope: MachineSetScope, reason: string, error: unknown): void => {
  const message = error instanceof Error ? error.message : String(error);
  scope.context.events.event(scope.set, { type: "Warning", reason, message });
};

/** Deletes Machines of the set; one that cannot be deleted keeps none of the others. */
export const deleteMachines = async (scope: MachineSetScope, machines: readonly Machine[]): Promise<void> => {
  const errors: unknown[] = [];
  for (const machine of machines) {
    try {
      const { uid } = machine.metadata;
      await scope.context.client.delete(Machine, keyOf(machine), uid === undefined ? {} : { preconditions: { uid } });
      const message = `Deleted Machine ${machine.metadata.name}`;
      scope.context.events.event(scope.set, { type: "Normal", reason: "SuccessfulDelete", message });
    } catch (error) {
      warn(scope, "FailedDelete", error);
      errors.push(error);
    }
  }
  throwFirst(errors, scope.context.log);
};
