import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SimulationOutsideV1, SimulationV1 } from "@capstan/contract/v1";
import { bootstrapStore, seedOf } from "./seed.ts";
import type { Principal } from "./world.ts";
import { type AzureSimulator, type AzureSimulatorOptions, createAzureSimulator } from "./simulator.ts";

/** A simulated Azure subscription for an application, with what lies below for programs that play with it. */
export interface AzureSimulation extends SimulationV1 {
  readonly simulator: AzureSimulator;
}

const ports = { arm: "azure", blobs: "azure-blobs" } as const;

/** Returns the environment variables of Azure clients, and the variables of scripts written for this simulator. */
const variablesOf = (
  { url, blobs, identity, tenantId, subscriptionId, principals }: AzureSimulator,
  files: ClientFiles,
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
    AZURE_CLIENT_ID_USER_ASSIGNED_IDENTITY: clientId,
    AZURE_FEDERATED_TOKEN_FILE: files.token,
    AZURE_POD_IDENTITY_AUTHORITY_HOST: identity.url,
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
    caFile: files.authority,
  };
};

/** A token by which a pod in a cluster would prove who it is; it does not end. */
const federatedToken = ({ clientId }: Principal): string => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none", typ: "JWT" })}.${part({ sub: clientId, exp: 253_402_300_799 })}.simulated`;
};

/** Files for clients: the certificate to trust, and a federated token. In a folder that is removed in the end, where there is none. */
class ClientFiles {
  readonly #directory: string | undefined;
  #temporary: string | undefined;

  constructor(directory: string | undefined) {
    this.#directory = directory;
  }

  get authority(): string {
    return this.#path("authority.pem");
  }

  get token(): string {
    return this.#path("federated-token");
  }

  write({ ca, principals: [principal] }: AzureSimulator): void {
    if (this.#directory === undefined) this.#temporary ??= mkdtempSync(join(tmpdir(), "capstan-azure-"));
    writeFileSync(this.authority, ca);
    if (principal !== undefined) writeFileSync(this.token, federatedToken(principal), { mode: 0o600 });
  }

  remove(): void {
    if (this.#temporary !== undefined) rmSync(this.#temporary, { recursive: true, force: true });
    this.#temporary = undefined;
  }

  #path(name: string): string {
    return join(this.#directory ?? this.#temporary ?? tmpdir(), name);
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
  const files = new ClientFiles(directory);
  return {
    contract: "v1",
    name: "azure",
    simulator,
    proxyFor: simulator.proxyFor,
    start: async () => {
      await simulator.start();
      files.write(simulator);
    },
    stop: async () => {
      await simulator.stop();
      files.remove();
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
      return variablesOf(simulator, files);
    },
  };
};
