import { watched } from "@capstan/kit";
import type { Use } from "@capstan/kit/engine";
import { watchMapped } from "@capstan/runtime";
import {
  BmcMachine,
  Hardware,
  hardwareOfSameMachine,
  indexMachines,
  type OtherHardware,
} from "@capstan/tinkerbell/api";
import { claimantOf } from "./board-management.ts";

/** Other Hardware that describes the same machine: whoever has one is woken when another changes. */
export const sameMachine: Use<{ readonly others: (hardware: Hardware) => readonly OtherHardware[] }> = {
  permissions: [watched(BmcMachine)],
  attach: () => ({
    sources: [
      watchMapped(Hardware, (hardware, { cache }) =>
        hardwareOfSameMachine(cache, hardware).flatMap((other) => claimantOf(other.hardware)),
      ),
    ],
    prepare: indexMachines,
    open: ({ environment: { cache } }) => ({ others: (hardware) => hardwareOfSameMachine(cache, hardware) }),
  }),
};
