import { keyOf } from "@capstan/kube-values";
import { allAtOnce } from "../objects/at-once.ts";
import type { Machine } from "./machine.ts";
import { Machines } from "./machine.ts";
import type { Making } from "./maker.ts";
import { warnOf } from "./maker.ts";
import { MakerReason } from "./reasons.ts";

/** Deletes Machines of a maker; one that cannot be deleted keeps none of the others. */
export const deleteMachines = async (making: Making, machines: readonly Machine[]): Promise<void> => {
  const { client, events, log } = making.context;
  const remove = async (machine: Machine): Promise<void> => {
    const { name, uid } = machine.metadata;
    try {
      await client.delete(Machines, keyOf(machine), uid === undefined ? {} : { preconditions: { uid } });
    } catch (error) {
      warnOf(making, "FailedDelete", error);
      throw error;
    }
    events.event(making.maker.object, {
      type: "Normal",
      reason: MakerReason.deleted,
      message: `Deleted Machine ${name}`,
    });
  };
  await allAtOnce(machines, remove, log);
};
