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
export { defaultRateLimits } from "./sim/api/linode-api.ts";
export { createSimulation } from "./sim/create-simulation.ts";
export type { LinodeSimulation } from "./sim/create-simulation.ts";
export { userDataLimits } from "./sim/resources/instance-rules.ts";
export { createLinodeSimulator } from "./sim/simulator.ts";
export type { LinodeSimulator, LinodeSimulatorOptions } from "./sim/simulator.ts";
export type { SimulatorState } from "./sim/state.ts";
export type { Delays } from "./sim/world.ts";
