import type { MachinePower, PowerDelays, Simulation } from "@capstan/simulation";
import type { Quotas } from "./quotas.ts";
import type { SimulatorState, StoredInstance } from "./state.ts";

/** How long the simulated cloud takes, milliseconds. */
export interface Delays extends PowerDelays {
  /** A data disk. */
  readonly diskMs: number;
  /** A resize, a rebuild, a migration, a clone, a backup, or something of a volume or an image. */
  readonly operationMs: number;
}

type Foundation = Pick<
  Simulation<SimulatorState>,
  "state" | "clock" | "random" | "log" | "timers" | "balancers" | "newId" | "newAddress"
>;

/** What the handlers of the simulated API work on. */
export interface World extends Foundation {
  /** How long a data disk takes. */
  readonly diskMs: number;
  /** How long other long operations take. */
  readonly operationMs: number;
  readonly quotas: Quotas;
  readonly power: MachinePower<StoredInstance>;
  /** `http://host:port` of the object storage. */
  readonly objectStorageUrl: () => string;
}
