export type {
  Fault,
  FaultAction,
  Faults,
  GuestHost,
  GuestMachine,
  RateLimitRule,
  RecordedRequest,
  Requests,
} from "@capstan/simulation";
export { defaultRateLimits } from "./api/linode-api.ts";
export { createSimulation } from "./create-simulation.ts";
export type { LinodeSimulation } from "./create-simulation.ts";
export { userDataLimits } from "./resources/instance-rules.ts";
export { createLinodeSimulator } from "./simulator.ts";
export type { LinodeSimulator, LinodeSimulatorOptions } from "./simulator.ts";
export type { SimulatorState } from "./state.ts";
export type { Delays } from "./world.ts";
