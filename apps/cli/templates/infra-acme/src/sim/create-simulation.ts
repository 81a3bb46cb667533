import { join } from "node:path";
import { Secret } from "@capstan/contract";
import type { CreateSimulationV1 } from "@capstan/contract/v1";
import { createAcmeSimulator } from "./simulator.ts";

/** A simulated account as the command loads it, with `--simulate`. */
export const createSimulation: CreateSimulationV1 = async ({ clock, random, log, folder, port, guest }) => {
  const directory = folder("acme");
  const simulator = await createAcmeSimulator({
    clock,
    random,
    log: log.child({ simulator: "acme" }),
    guest: guest("acme"),
    port: await port("acme"),
    ...(directory !== undefined && { file: join(directory, "account.json") }),
  });
  const { api, token } = simulator;
  return {
    contract: "v1",
    name: "acme",
    start: () => simulator.start(),
    stop: () => simulator.stop(),
    get description() {
      return `simulated Acme API at ${api.url}`;
    },
    get urls() {
      return { acme: api.url };
    },
    get cloud() {
      return { endpoint: api.url, token: new Secret(token) };
    },
    get control() {
      return `${api.url}/_simulator`;
    },
    get variables() {
      return { ACME_TOKEN: token, ACME_URL: api.url };
    },
  };
};
