import { join } from "node:path";
import { Secret } from "@capstan/contract";
import type { CreateSimulationV1 } from "@capstan/contract/v1";
import { createAcmeSimulator } from "./acme-cloud.ts";

/** What `capstan up --simulate` loads. */
export const createSimulation: CreateSimulationV1 = async ({ clock, random, log, folder, port, guest }) => {
  const directory = folder("acme");
  const { cloud, api } = await createAcmeSimulator({
    clock,
    random,
    log,
    guest: guest("acme"),
    port: await port("acme"),
    ...(directory === undefined ? {} : { file: join(directory, "account.json") }),
  });
  return {
    contract: "v1",
    name: "acme",
    start: () => cloud.start(),
    stop: () => cloud.stop(),
    get description() {
      return `simulated Acme API at ${api.url}`;
    },
    get urls() {
      return { acme: api.url };
    },
    get cloud() {
      return { endpoint: api.url, token: new Secret("acme-token") };
    },
    get control() {
      return `${api.url}/_simulator`;
    },
    get variables() {
      return { ACME_URL: api.url, ACME_TOKEN: "acme-token" };
    },
  };
};
