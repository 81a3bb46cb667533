import type { Simulation } from "../../src/testing.ts";
import { tourAccount } from "./account.ts";
import { tourInstances } from "./instances.ts";
import { tourNetworking } from "./networking.ts";
import { tourServices } from "./services.ts";
import { type Tourist, tourist } from "./tourist.ts";

/** Calls every operation of the simulated API with every field it takes, as programs in TypeScript do. */
export const tour = async (simulation: Simulation): Promise<Tourist> => {
  const world = tourist(simulation);
  await tourAccount(world);
  await tourInstances(world);
  await tourNetworking(world);
  await tourServices(world);
  await world.client.close();
  return world;
};
