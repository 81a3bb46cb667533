import { routing, type MachinePower, type Simulation } from "@capstan/simulation";
import type { Account, StoredServer } from "./account.ts";

/** World that the routes of the simulated API work on. */
export interface World {
  readonly cloud: Simulation<Account>;
  readonly power: MachinePower<StoredServer>;
}

export const route = routing<World>();
