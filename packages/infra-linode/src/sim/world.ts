import type { Clock, Logger, Random } from "@capstan/contract";
import type { Balancers } from "./network/balancers.ts";
import type { Power } from "./power.ts";
import type { SimulatorState } from "./state.ts";
import type { Timers } from "./timers.ts";

/** How long the simulated cloud takes, milliseconds. */
export interface Delays {
  /** From creation until the disks are written. */
  readonly provisionMs: number;
  /** From `boot` until the machine runs. */
  readonly bootMs: number;
  readonly shutdownMs: number;
  /** From `DELETE` until the machine is gone. */
  readonly deleteMs: number;
  /** A data disk. */
  readonly diskMs: number;
}

/** What the handlers of the simulated API work on. */
export interface World {
  readonly state: SimulatorState;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly delays: Delays;
  readonly timers: Timers;
  readonly power: Power;
  readonly balancers: Balancers;
  /** `http://host:port` of the object storage. */
  readonly objectStorageUrl: () => string;
  newId(): number;
  /** A loopback address nobody else has. */
  newAddress(): string;
}
