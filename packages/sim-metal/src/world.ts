import type { MachinePower, Simulation } from "@capstan/simulation";
import type { RackState, StoredMachine } from "./state.ts";

/** What the board management and the rack's own interface work on. */
export interface World {
  readonly rack: Simulation<RackState>;
  readonly power: MachinePower<StoredMachine>;
}

/** What the board management of one machine works on. */
export interface BmcWorld extends World {
  readonly machine: StoredMachine;
}
