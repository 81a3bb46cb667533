import type { MachineModel } from "@capstan/simulation";
import { type RackState, type StoredMachine, usualHardware } from "./state.ts";

/** The computers of the rack as machines with power and an inside. They are known by their names. */
export const machineModel = (state: RackState): MachineModel<StoredMachine> => ({
  all: () => state.machines,
  powerOf: ({ power }) => power,
  become: (machine, power) => {
    machine.power = power;
  },
  remove: ({ name }) => {
    throw new Error(`the simulated machine ${name} is bolted to its rack`);
  },
  guestOf: ({ name, address, disks, hardware = usualHardware, providerID = "" }) => {
    const image = disks.find((disk) => disk.image !== undefined)?.image;
    return { id: name, name, userData: "", address, providerID, hardware, ...(image !== undefined && { image }) };
  },
});
