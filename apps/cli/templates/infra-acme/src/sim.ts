export { createSimulation } from "./sim/create-simulation.ts";
export { createAcmeSimulator } from "./sim/simulator.ts";
export type { AcmeSimulator, AcmeSimulatorOptions } from "./sim/simulator.ts";
export type { Account } from "./sim/account.ts";
