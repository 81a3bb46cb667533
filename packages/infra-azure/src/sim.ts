export { createSimulation } from "./sim/create-simulation.ts";
export type { AzureSimulation } from "./sim/create-simulation.ts";
export { createAzureSimulator } from "./sim/simulator.ts";
export type { AzureSimulator, AzureSimulatorOptions } from "./sim/simulator.ts";
export type { AzureState } from "./sim/state.ts";
export type { Delays, Policy, Principal } from "./sim/world.ts";
