import { simulation, type Served, type SimulationOptions } from "@capstan/simulation";
import type { Account } from "./account.ts";
import { storeService, type AccountKey } from "./service.ts";

export interface AcmeStoreSimulatorOptions extends SimulationOptions {
  /** Default: any free one. */
  readonly port?: number;
  /** Buckets of an account that is still empty. Default: `capstan-bootstrap`. */
  readonly buckets?: readonly string[];
}

/** Acme's object storage, simulated on loopback. */
export interface AcmeStoreSimulator {
  readonly key: AccountKey;
  readonly account: Account;
  /** Where it is, what it was asked, and what is to go wrong. */
  readonly store: Served;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Loads the state of a simulated account. */
export const createAcmeStoreSimulator = async (options: AcmeStoreSimulatorOptions): Promise<AcmeStoreSimulator> => {
  const { buckets = ["capstan-bootstrap"], clock, port = 0 } = options;
  const empty = () => ({ buckets: Object.fromEntries(buckets.map((bucket) => [bucket, {}])) });
  const cloud = await simulation<Account>({ name: "acme-store", state: { version: 1, empty } }, options);
  const key = { access: "simulated-access", secret: "simulated-secret-of-the-store" };
  const service = storeService({ account: cloud.state, key, now: () => clock.now(), save: () => cloud.save() });
  return {
    key,
    account: cloud.state,
    store: cloud.server({ port }).serve("store", service),
    start: () => cloud.start(),
    stop: () => cloud.stop(),
  };
};
