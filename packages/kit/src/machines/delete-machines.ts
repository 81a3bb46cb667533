import { keyOf } from "@capstan/kube-values";
import { allAtOnce } from "../objects/at-once.ts";
import type { Machine } from "./machine.ts";
import { Machines } from "./machine.ts";
import type { Making } from "./maker.ts";
import { warnOf } from "./maker.ts";
import { MakerReason } from "./reasons.ts";

const shownNames = 10;

const deletedText = (names: readonly string[]): string => {
  const more = names.length > shownNames ? ` and ${names.length - shownNames} more` : "";
  return `Deleted Machine${names.length > 1 ? "s" : ""} ${names.slice(0, shownNames).join(", ")}${more}`;
};

/** Deletes Machines of a maker; one that cannot be deleted keeps none of the others. One Event names those that are. */
export const deleteMachines = async (making: Making, machines: readonly Machine[]): Promise<void> => {
  const { client, events, log } = making.context;
  const deleted: string[] = [];
  const remove = async (machine: Machine): Promise<void> => {
    const { name = "", uid } = machine.metadata;
    try {
      await client.delete(Machines, keyOf(machine), uid === undefined ? {} : { preconditions: { uid } });
    } catch (error) {
      warnOf(making, "FailedDelete", error);
      throw error;
    }
    deleted.push(name);
  };
  try {
    await allAtOnce(machines, remove, log);
  } finally {
    const message = deletedText(deleted);
    if (deleted.length > 0) events.event(making.maker.object, { type: "Normal", reason: MakerReason.deleted, message });
  }
};
