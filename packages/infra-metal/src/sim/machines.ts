import type { MachineModel } from "@capstan/simulation";
import type { RackState, StoredMachine } from "./state.ts";

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
  guestOf: ({ name, address, providerID = "" }) => ({ id: name, name, userData: "", address, providerID }),
});
