import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SimulationOutsideV1, SimulationV1 } from "@capstan/contract/v1";
import { bootstrapStore, seedOf } from "./seed.ts";
import { type AzureSimulator, type AzureSimulatorOptions, createAzureSimulator } from "./simulator.ts";

/** A simulated Azure subscription for an application, with what lies below for programs that play with it. */
export interface AzureSimulation extends SimulationV1 {
  readonly simulator: AzureSimulator;
}

const ports = { arm: "azure", blobs: "azure-blobs" } as const;

/** What clients of Azure take from the environment, and what scripts do that are written for this simulator. */
const variablesOf = (
  { url, blobs, tenantId, subscriptionId, principals }: AzureSimulator,
  caFile: string,
): Readonly<Record<string, string>> => {
  const [principal] = principals;
  const { clientId, clientSecret } = principal ?? { clientId: "", clientSecret: "" };
  const { account, container, key } = bootstrapStore;
  return {
    AZURE_AUTHORITY_HOST: url,
    AZURE_RESOURCE_MANAGER_ENDPOINT: url,
    AZURE_RESOURCE_MANAGER_AUDIENCE: url,
    AZURE_TENANT_ID: tenantId,
    AZURE_SUBSCRIPTION_ID: subscriptionId,
    AZURE_CLIENT_ID: clientId,
    AZURE_CLIENT_SECRET: clientSecret,
    AZURE_STORAGE_ACCOUNT: account,
    AZURE_STORAGE_KEY: key,
    AZURE_STORAGE_CONTAINER: container,
    AZURE_STORAGE_ENDPOINT: `${blobs.url}/${account}`,
    resourceManager: url,
    authority: url,
    tenantId,
    subscriptionId,
    clientId,
    clientSecret,
    caFile,
  };
};

/** A file with the certificate to trust, for clients that take it from one; in a folder that is removed in the end, where there is none. */
class AuthorityFile {
  readonly #directory: string | undefined;
  #temporary: string | undefined;

  constructor(directory: string | undefined) {
    this.#directory = directory;
  }

  get path(): string {
    return join(this.#directory ?? this.#temporary ?? tmpdir(), "authority.pem");
  }

  write(certificate: string): void {
    if (this.#directory === undefined) this.#temporary ??= mkdtempSync(join(tmpdir(), "capstan-azure-"));
    writeFileSync(this.path, certificate);
  }

  remove(): void {
    if (this.#temporary !== undefined) rmSync(this.#temporary, { recursive: true, force: true });
    this.#temporary = undefined;
  }
}

const simulatorFor = async (
  { clock, random, log, port, guest, seed }: SimulationOutsideV1,
  directory: string | undefined,
  options: Partial<AzureSimulatorOptions>,
): Promise<AzureSimulator> =>
  createAzureSimulator({
    clock,
    random,
    log: log.child({ simulator: "azure" }),
    guest: guest("azure"),
    ...(directory === undefined ? {} : { file: join(directory, "subscription.json") }),
    port: await port(ports.arm),
    blobPort: await port(ports.blobs),
    ...seedOf(seed("azure")),
    ...options,
  });

/** A subscription with its resource manager and its login, an owner who may sign in, and a container that is ready for bootstrap data. */
export const createSimulation = async (
  outside: SimulationOutsideV1,
  options: Partial<AzureSimulatorOptions> = {},
): Promise<AzureSimulation> => {
  const directory = outside.folder("azure");
  const simulator = await simulatorFor(outside, directory, options);
  const authority = new AuthorityFile(directory);
  return {
    contract: "v1",
    name: "azure",
    simulator,
    start: async () => {
      await simulator.start();
      authority.write(simulator.ca);
    },
    stop: async () => {
      await simulator.stop();
      authority.remove();
    },
    get description() {
      return `simulated Azure at ${simulator.url}, blobs at ${simulator.blobs.url}`;
    },
    get urls() {
      return { [ports.arm]: simulator.url, [ports.blobs]: simulator.blobs.url };
    },
    get cloud() {
      return { endpoint: simulator.url, ca: simulator.ca };
    },
    get control() {
      return `${simulator.url}/_simulator`;
    },
    get variables() {
      return variablesOf(simulator, authority.path);
    },
  };
};
