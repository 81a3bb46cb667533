import { join } from "node:path";
import { CapstanError, Secret } from "@capstan/contract";
import type { SimulationOutsideV1, SimulationV1 } from "@capstan/contract/v1";
import { checkShape, list, object, text, type Refusal, type ValueOf } from "@capstan/simulation";
import { createLinodeSimulator, type LinodeSimulator, type LinodeSimulatorOptions } from "./simulator.ts";

const bucket = "capstan-bootstrap";
const objectStoreKey = { accessKey: "SIMULATEDACCESSKEY00", secretKey: "simulated-secret-key-of-the-object-store" };

/** The zone that the account has at Linode, and at Akamai Edge DNS. */
const zone = "capstan.test";

const ports = { api: "linode", objectStorage: "linode-object-storage", edgeDns: "linode-edge-dns" } as const;

/** As Linode takes the names of domains. */
const zoneName = text({ pattern: /^(?:[a-z0-9-]{1,63}\.)+[a-z]{2,16}$/ });

const seedShape = object({
  token: text({ min: 1 }),
  buckets: list(object({ label: text({ min: 1 }), region: text({ min: 1 }) }, ["label", "region"])),
  keys: list(object({ accessKey: text({ min: 1 }), secretKey: text({ min: 1 }) }, ["accessKey", "secretKey"])),
  domains: list(zoneName),
  edgeZones: list(zoneName),
});

/**
 * Returns the initial contents of an account: the bucket, the key and the zones that its variables name, and the
 * contents of a seed.
 */
const seedOf = (seed: unknown): Pick<LinodeSimulatorOptions, "token" | "seed"> => {
  try {
    if (seed !== undefined) checkShape(seed, seedShape);
  } catch (error) {
    const { field = "", message } = error as Refusal;
    throw new CapstanError({
      code: "linode.simulator_seed",
      reason: "SimulatorSeedInvalid",
      message: `the seed of the simulated Linode account: ${field} ${message}; it may have a token, buckets, each with label and region, and keys, each with accessKey and secretKey, and domains and edgeZones, names of zones`,
      retry: { kind: "never" },
      cause: error,
    });
  }
  const { token, buckets = [], keys = [], domains = [], edgeZones = [] } = (seed ?? {}) as ValueOf<typeof seedShape>;
  return {
    ...(token === undefined ? {} : { token }),
    seed: {
      buckets: [{ label: bucket, region: "us-ord" }, ...buckets],
      keys: [objectStoreKey, ...keys],
      domains: [...new Set([zone, ...domains])],
      edgeZones: [...new Set([zone, ...edgeZones])],
    },
  };
};

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
    edgeDnsPort: await port(ports.edgeDns),
    ...options,
    ...seedOf(seed("linode")),
  });
};

/**
 * A Linode account with its object storage, in which a bucket and a key to it are ready for bootstrap data, and Akamai Edge DNS, with a zone
 * at each for names of endpoints.
 */
export const createSimulation = async (
  outside: SimulationOutsideV1,
  options: Partial<LinodeSimulatorOptions> = {},
): Promise<LinodeSimulation> => {
  const simulator = await simulatorFor(outside, options);
  const { edgeDns, token, objectStorage, proxyFor } = simulator;
  return {
    contract: "v1",
    name: "linode",
    simulator,
    start: () => simulator.start(),
    stop: () => simulator.stop(),
    get description() {
      return `simulated Linode API at ${simulator.url}, object storage at ${objectStorage.url}, Akamai Edge DNS at ${edgeDns.url}`;
    },
    get urls() {
      return { [ports.api]: simulator.url, [ports.objectStorage]: objectStorage.url, [ports.edgeDns]: edgeDns.url };
    },
    get cloud() {
      return { endpoint: simulator.url, token: new Secret(token) };
    },
    proxyFor,
    get control() {
      return `${simulator.url}/_simulator`;
    },
    get variables() {
      return {
        LINODE_TOKEN: token,
        LINODE_URL: simulator.url,
        // As linode-cli has them.
        LINODE_CLI_TOKEN: token,
        LINODE_CLI_API_HOST: new URL(simulator.url).host,
        LINODE_CLI_API_SCHEME: "http",
        OBJECT_STORE_BUCKET: bucket,
        OBJECT_STORE_ENDPOINT: objectStorage.url,
        OBJECT_STORE_ACCESS_KEY: objectStoreKey.accessKey,
        OBJECT_STORE_SECRET_KEY: objectStoreKey.secretKey,
        DNS_ROOT_DOMAIN: zone,
        AKAMAI_HOST: edgeDns.url,
        AKAMAI_ACCESS_TOKEN: edgeDns.client.accessToken,
        AKAMAI_CLIENT_TOKEN: edgeDns.client.clientToken,
        AKAMAI_CLIENT_SECRET: edgeDns.client.clientSecret,
        // As clients of S3 have them.
        AWS_ENDPOINT_URL_S3: objectStorage.url,
        AWS_ACCESS_KEY_ID: objectStoreKey.accessKey,
        AWS_SECRET_ACCESS_KEY: objectStoreKey.secretKey,
      };
    },
  };
};
