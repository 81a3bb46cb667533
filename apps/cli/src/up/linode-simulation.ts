import { createGuestHost, type GuestHost } from "@capstan/guest";
import {
  createLinodeSimulator,
  type GuestHost as LinodeGuestHost,
  type LinodeSimulator,
  type LinodeSimulatorOptions,
} from "@capstan/infra-linode/sim";
import { rememberedPort, rememberPort } from "./remembered-port.ts";
import type { Simulation, SimulationEnvironment } from "./simulators.ts";

const bucket = "capstan-bootstrap";
const objectStoreKey = { accessKey: "SIMULATEDACCESSKEY00", secretKey: "simulated-secret-key-of-the-object-store" };

/** A Linode account with its object storage. `wrapGuest` stands between the cloud and the inside of its machines. */
export const linodeSimulation = async (
  { clock, random, log, data }: SimulationEnvironment,
  options: {
    readonly wrapGuest?: (guest: GuestHost) => LinodeGuestHost;
    /** Default: those of the real API. */
    readonly rateLimits?: LinodeSimulatorOptions["rateLimits"];
    readonly faults?: LinodeSimulatorOptions["faults"];
  } = {},
): Promise<Simulation & { readonly simulator: LinodeSimulator }> => {
  const guest = createGuestHost({
    clock,
    random,
    log: log.child({ simulator: "guest" }),
    directory: data.folder("linode", "guests"),
  });
  const simulator = await createLinodeSimulator({
    clock,
    random,
    log: log.child({ simulator: "linode" }),
    guest: options.wrapGuest?.(guest) ?? guest,
    ...(options.rateLimits === undefined ? {} : { rateLimits: options.rateLimits }),
    ...(options.faults === undefined ? {} : { faults: options.faults }),
    file: data.file("linode", "account.json"),
    port: await rememberedPort("linode", { data, random }),
    objectStoragePort: await rememberedPort("linode-object-storage", { data, random }),
    seed: { buckets: [{ label: bucket, region: "us-ord" }], keys: [objectStoreKey] },
  });
  await simulator.start();
  rememberPort(data, "linode", simulator.url);
  rememberPort(data, "linode-object-storage", simulator.objectStorage.url);
  return {
    name: "linode",
    simulator,
    description: `simulated Linode API at ${simulator.url}, object storage at ${simulator.objectStorage.url}`,
    variables: {
      LINODE_TOKEN: simulator.token,
      LINODE_URL: simulator.url,
      OBJECT_STORE_BUCKET: bucket,
      OBJECT_STORE_ENDPOINT: simulator.objectStorage.url,
      OBJECT_STORE_ACCESS_KEY: objectStoreKey.accessKey,
      OBJECT_STORE_SECRET_KEY: objectStoreKey.secretKey,
    },
    stop: async () => {
      await simulator.stop();
      await guest.stop();
    },
  };
};
