import type { CreateSimulationV1 } from "@capstan/contract/v1";

/** A machine room that is still empty: the machines come with their BMCs. */
export const createSimulation: CreateSimulationV1 = () => ({
  contract: "v1",
  name: "metal",
  start: async () => undefined,
  stop: async () => undefined,
  description: "simulated machine room without machines",
  urls: {},
  cloud: { endpoint: "" },
  variables: {},
});
