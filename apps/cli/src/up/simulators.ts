import { CapstanError, type Clock, type Logger, type Random } from "@capstan/contract";
import type { DataFolder } from "./data-folder.ts";

/** A simulated cloud that runs beside the management API. */
export interface Simulation {
  readonly name: string;
  /** One line for the user: what runs where. */
  readonly description: string;
  /** Values of the variables that manifests for the real cloud take from the environment. */
  readonly variables: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface SimulationEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly data: DataFolder;
}

/** Starts a simulator by name of the cloud. */
export type Simulators = Readonly<Record<string, (environment: SimulationEnvironment) => Promise<Simulation>>>;

/** Each is loaded when it is started. */
export const simulators: Simulators = {
  linode: async (environment) => (await import("./linode-simulation.ts")).linodeSimulation(environment),
};

export const simulatorNames = Object.keys(simulators);

/** The named simulators. Throws `up.simulator_unknown`. */
export const findSimulators = (names: readonly string[], known: Simulators): readonly Simulators[string][] =>
  names.map((name) => {
    const start = known[name];
    if (start !== undefined) return start;
    throw new CapstanError({
      code: "up.simulator_unknown",
      reason: "SimulatorUnknown",
      message: `--simulate ${name}: there is no such simulator; known are ${Object.keys(known).join(", ")}`,
      retry: { kind: "never" },
    });
  });
