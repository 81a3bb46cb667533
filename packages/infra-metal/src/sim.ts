export { createSimulation } from "./sim/create-simulation.ts";
