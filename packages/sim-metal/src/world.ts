import type { MachinePower, Simulation } from "@capstan/simulation";
import type { RackState, StoredMachine } from "./state.ts";

/** State that board management and the rack's own interface share. */
export interface World {
  readonly rack: Simulation<RackState>;
  readonly power: MachinePower<StoredMachine>;
}

/** State that the board management of one machine works on. */
export interface BmcWorld extends World {
  readonly machine: StoredMachine;
}
