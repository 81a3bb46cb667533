export { createSimulation } from "./create-simulation.ts";
export type { AzureSimulation } from "./create-simulation.ts";
export { createAzureSimulator } from "./simulator.ts";
export type { AzureSimulator, AzureSimulatorOptions } from "./simulator.ts";
export { issueToken, readToken } from "./login/tokens.ts";
export type { AzureState, StoredResource } from "./state.ts";
export type { Delays, Policy, Principal } from "./world.ts";
