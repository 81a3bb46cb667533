import { createSimulation, type AzureSimulation } from "@capstan/infra-azure/sim";
import { startTestSystemOn, type TestSystem } from "./test-system.ts";

export interface AzureSystem extends TestSystem<AzureSimulation> {
  /** The ids of the resources that the subscription has before anything is applied. */
  readonly foreign: readonly string[];
}

/** What `capstan up` starts with a simulated Azure subscription and manifests, given as text. */
export const startAzureSystem = async (manifest: string): Promise<AzureSystem> => {
  const foreign: string[] = [];
  const system = await startTestSystemOn(
    {
      azure: async (outside) => {
        const simulation = await createSimulation(outside);
        foreign.push(...simulation.simulator.state.resources.map(({ id }) => id));
        return simulation;
      },
    },
    manifest,
  );
  return { ...system, foreign };
};
