import { routing } from "@capstan/simulation";
import type { World } from "./world.ts";

/** Writes a route of the simulated API. */
export const route = routing<World>();

/** Paths begin so. */
export const subscriptionPath = "/subscriptions/:subscription";
export const groupPath = `${subscriptionPath}/resourceGroups/:group`;
