/** The parts of `capstan up` for programs that run it inside themselves: tests, benchmarks. */
export { openDataFolder } from "./up/data-folder.ts";
export type { DataFolder } from "./up/data-folder.ts";
export { linodeSimulation } from "./up/simulate.ts";
export type { Simulation, SimulationEnvironment, Simulators } from "./up/simulate.ts";
export { startSystem, waitUntilRunning } from "./up/up.ts";
export type { RunningSystem, UpEnvironment } from "./up/up.ts";
export type { UpOptions } from "./up/up-options.ts";
export type { View } from "./view/view.ts";
