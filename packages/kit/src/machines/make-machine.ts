import type { Applier } from "../objects/apply.ts";
import type { MachineIdentity } from "./machine-body.ts";
import { machineBody } from "./machine-body.ts";
import type { Machine } from "./machine.ts";
import { Machines } from "./machine.ts";
import type { Making } from "./maker.ts";
import type { MachinePart } from "./parts.ts";
import { partReference } from "./parts.ts";
import { MakerReason } from "./reasons.ts";

/**
 * Makes one Machine that refers to parts of its own name, which are there, or are made after it and which it owns from the start: when one of these is
 * refused the Machine stays, and is completed by a later reconcile. Nothing is ever left without an owner.
 */
export const makeMachine = async (
  { context, maker }: Making,
  applier: Applier,
  parts: {
    readonly bootstrap: Pick<MachinePart, "type"> | undefined;
    readonly infrastructure: Pick<MachinePart, "type">;
  },
  identity: Omit<MachineIdentity, "uid" | "infrastructureRef" | "configRef">,
): Promise<Machine> => {
  const { name } = identity;
  const { bootstrap, infrastructure } = parts;
  const body = machineBody(maker, {
    ...identity,
    infrastructureRef: partReference(infrastructure, name),
    configRef: bootstrap === undefined ? undefined : partReference(bootstrap, name),
  });
  const machine = await applier.apply(context, Machines, maker.fieldManager, undefined, body);
  const message = `Created Machine ${name}`;
  context.events.event(maker.object, { type: "Normal", reason: MakerReason.created, message });
  return machine;
};
