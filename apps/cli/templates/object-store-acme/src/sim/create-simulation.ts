import { join } from "node:path";
import { Secret } from "@capstan/contract";
import type { CreateSimulationV1 } from "@capstan/contract/v1";
import { createAcmeStoreSimulator } from "./simulator.ts";

const bucket = "capstan-bootstrap";

/** A simulated store as the command loads it, with `--simulate`. */
export const createSimulation: CreateSimulationV1 = async ({ clock, random, log, folder, port }) => {
  const directory = folder("acme-store");
  const simulator = await createAcmeStoreSimulator({
    clock,
    random,
    log: log.child({ simulator: "acme-store" }),
    port: await port("acme-store"),
    buckets: [bucket],
    ...(directory !== undefined && { file: join(directory, "account.json") }),
  });
  const { key, store } = simulator;
  return {
    contract: "v1",
    name: "acme-store",
    start: () => simulator.start(),
    stop: () => simulator.stop(),
    get description() {
      return `simulated object storage of Acme at ${store.url}`;
    },
    get urls() {
      return { "acme-store": store.url };
    },
    get cloud() {
      return { endpoint: store.url, token: new Secret(key.secret) };
    },
    get control() {
      return `${store.url}/_simulator`;
    },
    get variables() {
      return {
        ACME_STORE_BUCKET: bucket,
        ACME_STORE_ENDPOINT: store.url,
        ACME_STORE_ACCESS: key.access,
        ACME_STORE_SECRET: key.secret,
      };
    },
  };
};
