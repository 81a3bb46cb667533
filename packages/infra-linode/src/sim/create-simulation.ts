import { join } from "node:path";
import { Secret } from "@capstan/contract";
import type { SimulationOutsideV1, SimulationV1 } from "@capstan/contract/v1";
import { createLinodeSimulator, type LinodeSimulator, type LinodeSimulatorOptions } from "./simulator.ts";

const bucket = "capstan-bootstrap";
const objectStoreKey = { accessKey: "SIMULATEDACCESSKEY00", secretKey: "simulated-secret-key-of-the-object-store" };

const ports = { api: "linode", objectStorage: "linode-object-storage" } as const;

/** A simulated Linode account for an application, with what lies below for programs that play with it. */
export interface LinodeSimulation extends SimulationV1 {
  readonly simulator: LinodeSimulator;
}

const simulatorFor = async (
  { clock, random, log, folder, port, guest, seed }: SimulationOutsideV1,
  options: Partial<LinodeSimulatorOptions>,
): Promise<LinodeSimulator> => {
  const directory = folder("linode");
  return createLinodeSimulator({
    clock,
    random,
    log: log.child({ simulator: "linode" }),
    guest: guest("linode"),
    ...(directory === undefined ? {} : { file: join(directory, "account.json") }),
    port: await port(ports.api),
    objectStoragePort: await port(ports.objectStorage),
    ...options,
    seed: {
      buckets: [{ label: bucket, region: "us-ord" }],
      keys: [objectStoreKey],
      ...(seed("linode") as LinodeSimulatorOptions["seed"]),
    },
  });
};

/** A Linode account with its object storage, in which a bucket and a key to it are ready for bootstrap data. */
export const createSimulation = async (
  outside: SimulationOutsideV1,
  options: Partial<LinodeSimulatorOptions> = {},
): Promise<LinodeSimulation> => {
  const simulator = await simulatorFor(outside, options);
  const { token, objectStorage } = simulator;
  return {
    contract: "v1",
    name: "linode",
    simulator,
    start: () => simulator.start(),
    stop: () => simulator.stop(),
    get description() {
      return `simulated Linode API at ${simulator.url}, object storage at ${objectStorage.url}`;
    },
    get urls() {
      return { [ports.api]: simulator.url, [ports.objectStorage]: objectStorage.url };
    },
    get cloud() {
      return { endpoint: simulator.url, token: new Secret(token) };
    },
    get variables() {
      return {
        LINODE_TOKEN: token,
        LINODE_URL: simulator.url,
        OBJECT_STORE_BUCKET: bucket,
        OBJECT_STORE_ENDPOINT: objectStorage.url,
        OBJECT_STORE_ACCESS_KEY: objectStoreKey.accessKey,
        OBJECT_STORE_SECRET_KEY: objectStoreKey.secretKey,
      };
    },
  };
};
