import type { MachinePower, PowerDelays, Simulation } from "@capstan/simulation";
import type { SimulatorState, StoredInstance } from "./state.ts";

/** How long the simulated cloud takes, milliseconds. */
export interface Delays extends PowerDelays {
  /** A data disk. */
  readonly diskMs: number;
}

type Foundation = Pick<
  Simulation<SimulatorState>,
  "state" | "clock" | "random" | "log" | "timers" | "balancers" | "newId" | "newAddress"
>;

/** What the handlers of the simulated API work on. */
export interface World extends Foundation {
  /** How long a data disk takes. */
  readonly diskMs: number;
  readonly power: MachinePower<StoredInstance>;
  /** `http://host:port` of the object storage. */
  readonly objectStorageUrl: () => string;
}
