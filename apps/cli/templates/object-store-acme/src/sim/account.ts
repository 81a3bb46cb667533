import type { SimulatedState } from "@capstan/simulation";

export interface StoredObject {
  /** Base64. */
  readonly body: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Everything that a simulated account holds: plain JSON. */
export interface Account extends SimulatedState {
  readonly version: 1;
  /** Objects by key, by bucket. */
  buckets: Record<string, Record<string, StoredObject>>;
}
