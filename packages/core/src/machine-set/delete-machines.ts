import { keyOf } from "@capstan/kube-values";
import { Machine } from "../api.ts";
import { allAtOnce } from "../object/at-once.ts";
import type { MachineSetScope } from "./scope.ts";

/** Tells the users of a set that something failed. */
export const warn = (scope: MachineSetScope, reason: string, error: unknown): void => {
  const message = error instanceof Error ? error.message : String(error);
  scope.context.events.event(scope.set, { type: "Warning", reason, message });
};

/** Deletes Machines of the set; one that cannot be deleted keeps none of the others. */
export const deleteMachines = async (scope: MachineSetScope, machines: readonly Machine[]): Promise<void> => {
  const { client, events, log } = scope.context;
  const remove = async (machine: Machine): Promise<void> => {
    const { name, uid } = machine.metadata;
    try {
      await client.delete(Machine, keyOf(machine), uid === undefined ? {} : { preconditions: { uid } });
    } catch (error) {
      warn(scope, "FailedDelete", error);
      throw error;
    }
    events.event(scope.set, { type: "Normal", reason: "SuccessfulDelete", message: `Deleted Machine ${name}` });
  };
  await allAtOnce(machines, remove, log);
};
