import type { MachinePower, PowerDelays, Simulation } from "@capstan/simulation";
import type { Quotas } from "./quotas.ts";
import type { SimulatorState, StoredInstance } from "./state.ts";

/** Durations of operations in the simulated cloud, in milliseconds. */
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

/** World that the handlers of the simulated API work on. */
export interface World extends Foundation {
  /** Duration of an operation on a data disk, in milliseconds. */
  readonly diskMs: number;
  /** Duration of other long operations, in milliseconds. */
  readonly operationMs: number;
  readonly quotas: Quotas;
  readonly power: MachinePower<StoredInstance>;
  /** `http://host:port` of the object storage. */
  readonly objectStorageUrl: () => string;
}
