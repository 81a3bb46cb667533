import type { BmcWorld } from "../world.ts";

/** Power action of a board management controller, in the terms its interfaces share. */
export type PowerOrder = "on" | "off" | "soft" | "cycle" | "reset";

/** Returns whether the machine has power. */
export const isOn = ({ machine }: BmcWorld): boolean => machine.power === "booting" || machine.power === "running";

/** Orders that change nothing take effect already. */
export const orderPower = (order: PowerOrder, world: BmcWorld): void => {
  const { machine, power } = world;
  const on = isOn(world);
  if (order === "on") {
    if (!on) power.boot(machine);
  } else if (order === "off" || order === "soft") {
    if (on) power.shutdown(machine);
  } else if (on) power.restart(machine);
  else power.boot(machine);
};
