import { watched } from "@capstan/kit";
import type { Use } from "@capstan/kit/engine";
import type { Cache } from "@capstan/kube";
import { isBeingDeleted } from "@capstan/kube-values";
import { watchMapped } from "@capstan/runtime";
import {
  BmcMachine,
  Hardware,
  hardwareOfSameMachine,
  indexMachines,
  type OtherHardware,
} from "@capstan/tinkerbell/api";
import { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import { claimantOf } from "./board-management.ts";

/** Returns whether the machine that has some Hardware is being deleted: it wants no power there. */
const isLeaving = (cache: Cache, hardware: Hardware): boolean =>
  claimantOf(hardware).some((key) => {
    const machine = cache.get(TinkerbellMachine, key);
    return machine !== undefined && isBeingDeleted(machine);
  });

const hardwareOf = (cache: Cache, { spec, status }: TinkerbellMachine): readonly Hardware[] => {
  const [namespace, name] = [status?.targetNamespace, spec?.hardwareName];
  const found = namespace === undefined || name === undefined ? undefined : cache.get(Hardware, { namespace, name });
  return found === undefined ? [] : [found];
};

/** Other Hardware that describes the same machine: whoever has one is woken when another changes, or its machine is being deleted. */
export const sameMachine: Use<{
  readonly others: (hardware: Hardware) => readonly OtherHardware[];
  readonly isLeaving: (hardware: Hardware) => boolean;
}> = {
  permissions: [watched(BmcMachine)],
  attach: () => ({
    sources: [
      watchMapped(Hardware, (hardware, { cache }) =>
        hardwareOfSameMachine(cache, hardware).flatMap((other) => claimantOf(other.hardware)),
      ),
      watchMapped(
        TinkerbellMachine,
        (machine, { cache }) =>
          hardwareOf(cache, machine)
            .flatMap((hardware) => hardwareOfSameMachine(cache, hardware))
            .flatMap((other) => claimantOf(other.hardware)),
        {
          when: (event) => event.type === "updated" && isBeingDeleted(event.object) && !isBeingDeleted(event.previous),
        },
      ),
    ],
    prepare: indexMachines,
    open: ({ environment: { cache } }) => ({
      others: (hardware) => hardwareOfSameMachine(cache, hardware),
      isLeaving: (hardware) => isLeaving(cache, hardware),
    }),
  }),
};
