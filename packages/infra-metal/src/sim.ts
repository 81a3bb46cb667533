export { createSimulation } from "./sim/create-simulation.ts";
export type { MetalSimulation } from "./sim/create-simulation.ts";
export type { BootProgram, Handover, Host, SystemBoot } from "./sim/boot/boot-program.ts";
export { createMetalSimulator } from "./sim/simulator.ts";
export type { MetalSimulator, MetalSimulatorOptions } from "./sim/simulator.ts";
export type { BootMedium, RackState, StoredDisk, StoredMachine } from "./sim/state.ts";
