import type { SimulationOutsideV1 } from "@capstan/contract/v1";
import { createSimulation, type AzureSimulation } from "@capstan/sim-azure";
import { startTestSystemOn, type TestSystem } from "./test-system.ts";

export interface AzureSystem extends TestSystem<AzureSimulation> {
  /** The ids of the resources that the subscription has before anything is applied. */
  readonly foreign: readonly string[];
}

/** Makes a simulated subscription, and adds to `foreign` the ids of what it has from the beginning, before anybody asks it for more. */
export const simulateAzure =
  (foreign: string[]) =>
  async (outside: SimulationOutsideV1): Promise<AzureSimulation> => {
    const simulation = await createSimulation(outside);
    foreign.push(...simulation.simulator.state.resources.map(({ id }) => id));
    return simulation;
  };

/** What `capstan up` starts with a simulated Azure subscription and manifests, given as text. */
export const startAzureSystem = async (manifest: string): Promise<AzureSystem> => {
  const foreign: string[] = [];
  const system = await startTestSystemOn({ azure: simulateAzure(foreign) }, manifest);
  return { ...system, foreign };
};
