export { createSimulation } from "./sim/create-simulation.ts";
export { createAcmeStoreSimulator } from "./sim/simulator.ts";
export type { AcmeStoreSimulator, AcmeStoreSimulatorOptions } from "./sim/simulator.ts";
