import type { Power, SimulatedState } from "@capstan/simulation";

export interface StoredServer {
  readonly id: string;
  readonly name: string;
  readonly tag: string;
  labels: readonly string[];
  readonly size: string;
  readonly userData: string;
  readonly address: string;
  power: Power;
}

export interface StoredBalancer {
  readonly id: string;
  readonly tag: string;
  readonly host: string;
  readonly port: number;
  servers: readonly string[];
}

/** Everything that a simulated account holds: plain JSON. */
export interface Account extends SimulatedState {
  readonly version: 1;
  servers: StoredServer[];
  balancers: StoredBalancer[];
}
