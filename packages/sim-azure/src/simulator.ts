import type { ProxyFor } from "@capstan/contract";
import {
  type Fault,
  type Faults,
  json,
  type Requests,
  type Simulation,
  simulation,
  type SimulationOptions,
  text,
} from "@capstan/simulation";
import { type StorageAccount } from "@capstan/simulation/blob";
import { armApi } from "./arm/arm-api.ts";
import { azureController } from "./controller/azure-controller.ts";
import { defineProvisioningTimeout, vmModel } from "./compute/machines.ts";
import { type GivenIdentity, giveIdentities } from "./authorization/given-identities.ts";
import { defineExtensionTimeout, resumeExtensions } from "./compute/extension-runner.ts";
import { kinds, routes } from "./kinds.ts";
import { lastingToken } from "./login/tokens.ts";
import { identityEndpoint } from "./login/identity-endpoint.ts";
import { loginApi } from "./login/login-api.ts";
import { openFrontends } from "./network/data-plane.ts";
import { reachInside } from "./network/inside.ts";
import { Operations } from "./operations/operations.ts";
import { registry } from "./resources/registry.ts";
import { azureState, type AzureState } from "./state.ts";
import { blobsOf } from "./storage.ts";
import type { Delays, Policy, Principal, World } from "./world.ts";

export interface AzureSimulatorOptions extends SimulationOptions {
  /** Ports of the resource manager with its login, and of the blobs. Default: any free ones. */
  readonly port?: number;
  readonly blobPort?: number;
  readonly tenantId?: string;
  readonly subscriptionId?: string;
  /** Who may sign in. Default: one owner. */
  readonly principals?: readonly Principal[];
  /**
   * Defaults in milliseconds: network 100, provision 200, boot 300, delete 100, group 100, tags 0, principal 0; until it is given up that a system is
   * up 20 minutes, and that an extension says anything 90 minutes.
   */
  readonly delays?: Partial<Delays>;
  readonly faults?: readonly Fault[];
  /**
   * Name of public IP addresses with a DNS label: the address itself (the default), which needs no name resolution, or
   * `<label>.<location>.cloudapp.azure.com`, for clients that resolve such names themselves.
   */
  readonly dnsNames?: "address" | "azure";
  /** True if it is an Azure Stack Hub: older versions of the APIs, and no zones, NAT gateways and the like. Default false. */
  readonly azureStack?: boolean;
  /** Factor by which the rate limits are larger than those of Azure. Default 1. */
  readonly rateLimitScale?: number;
  /** IDs of images that are there beside those of the marketplace and of Cluster API's community gallery. */
  readonly images?: readonly string[];
  /** Cores that may be in use in a region, by family, and as `cores` of all and of families that are not named. Default: any number. */
  readonly quotas?: Readonly<Record<string, number>>;
  /** Machines of a size that there is room for in a region, or in a zone of it (`Standard_D2s_v3/1`). Default: any number. */
  readonly capacity?: Readonly<Record<string, number>>;
  /** Default: none. */
  readonly policies?: readonly Policy[];
  /** Put into a subscription that has none yet. */
  readonly storageAccounts?: readonly StorageAccount[];
  /** User-assigned identities, put with their groups into a subscription in which there is nothing yet. */
  readonly identities?: readonly GivenIdentity[];
}

/** A simulated Azure subscription on loopback: Azure Resource Manager, its login, network, machines and blobs. */
export interface AzureSimulator {
  /** `https://localhost:<port>`: of the resource manager and of the login. */
  readonly url: string;
  /** The certificate, PEM, to trust there. Known once it has started. */
  readonly ca: string;
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly principals: readonly Principal[];
  /** The subscription. Read it in tests; change it only to play events of the outside world. */
  readonly state: AzureState;
  /** Faults of the resource manager. */
  readonly faults: Faults;
  readonly requests: Requests;
  readonly login: { readonly faults: Faults; readonly requests: Requests };
  /** The endpoint of managed identities, over HTTP: the value of `AZURE_POD_IDENTITY_AUTHORITY_HOST` for Azure's libraries. */
  readonly identity: { readonly url: string; readonly faults: Faults; readonly requests: Requests };
  /** Blobs of its storage accounts, over HTTP; the account is the first part of the path. */
  readonly blobs: { readonly url: string; readonly faults: Faults; readonly requests: Requests };
  /** Planned behaviour of guests, as set through the control interface. */
  readonly guestPlans: Simulation<AzureState>["guestPlans"];
  /** Where the private frontend of a load balancer listens on this computer, by its address in the virtual network or its name in a private zone. */
  reach(host: string): string | undefined;
  /** The way to what `reach` knows for those who are outside of the virtual networks. */
  readonly proxyFor: ProxyFor;
  /** A bearer token of the first principal that does not end, for clients on a virtual clock. Known once it has started. */
  lastingToken(): string;
  /** The newest lines of a machine's serial console, by the machine's name. */
  console(name: string): readonly string[];
  /** Loads the state, opens the servers and continues with what was under way. */
  start(): Promise<void>;
  /** Closes everything; machines are shut down but stay in the state. */
  stop(): Promise<void>;
}

/** Who signs in where nothing else is said. */
const owner: Principal = {
  clientId: "11111111-1111-1111-1111-111111111111",
  objectId: "22222222-2222-2222-2222-222222222222",
  clientSecret: "simulated-client-secret",
  role: "Owner",
};

const minute = 60_000;

const defaultDelays: Delays = {
  networkMs: 100,
  provisionMs: 200,
  bootMs: 300,
  deleteMs: 100,
  groupMs: 100,
  tagsMs: 0,
  osProvisioningMs: 20 * minute,
  extensionMs: 90 * minute,
  principalMs: 0,
};

interface Places {
  readonly url: () => string;
  readonly blobUrl: () => string;
  readonly stopped: AbortSignal;
}

const worldOf = (
  cloud: Simulation<AzureState>,
  options: AzureSimulatorOptions,
  { url, blobUrl, stopped }: Places,
): World => {
  const { state, clock, random, log, timers, balancers, guestPlans } = cloud;
  const all = registry(kinds);
  const delays = { ...defaultDelays, ...options.delays };
  const { bootMs, deleteMs, provisionMs } = delays;
  const operations = new Operations({ state, clock, timers, newUuid: () => cloud.newUuid() }, (operation) =>
    all.finish(operation, world),
  );
  const world: World = {
    state,
    clock,
    random,
    log,
    timers,
    balancers,
    guestPlans,
    delays,
    operations,
    url,
    blobUrl,
    stopped,
    power: cloud.machines(
      vmModel(() => world),
      { bootMs, deleteMs, provisionMs },
    ),
    guest: options.guest,
    tenantId: options.tenantId ?? "00000000-0000-0000-0000-0000000000aa",
    subscriptionId: options.subscriptionId ?? "00000000-0000-0000-0000-000000000000",
    principals: options.principals ?? [owner],
    dnsNames: options.dnsNames ?? "address",
    isStack: options.azureStack ?? false,
    open: new Set(),
    images: options.images ?? [],
    quotas: options.quotas ?? {},
    capacity: options.capacity ?? {},
    policies: options.policies ?? [],
    newId: () => cloud.newId(),
    newUuid: () => cloud.newUuid(),
    newAddress: () => cloud.newAddress(),
    save: () => cloud.save(),
    viewOf: (id) => all.viewOf(id, world),
    remove: (resource) => all.remove(resource, world),
  };
  defineProvisioningTimeout(world);
  defineExtensionTimeout(world);
  return world;
};

/** Returns whether a fault is for what is in a resource group. */
const inGroup = ({ group, path = "" }: Fault, name: string): boolean => {
  const text = (typeof path === "string" ? path : path.source).replaceAll("\\", "").toLowerCase();
  return group === name || text.includes(`resourcegroups/${name.toLowerCase()}`);
};

/** A plan for the inside of machines may say this beside what all simulators understand. */
const control = {
  inGroup,
  machineField: "vm",
  guestFields: { agent: text({ enum: ["missing"] }), sentinel: text({ enum: ["missing"] }), extension: json },
} as const;

export const createAzureSimulator = async (options: AzureSimulatorOptions): Promise<AzureSimulator> => {
  const cloud = await simulation({ name: "azure", state: azureState, control }, options);
  const { state } = cloud;
  if (state.key === "") state.key = Buffer.from(cloud.random.bytes(32)).toString("base64url");
  if (state.storageAccounts.length === 0) state.storageAccounts.push(...(options.storageAccounts ?? []));
  const server = cloud.server({ port: options.port ?? 0, tls: true, hostname: "localhost" });
  const blobServer = cloud.server({ port: options.blobPort ?? 0 });
  const stopped = new AbortController();
  const places = { url: () => server.url, blobUrl: () => blobServer.url, stopped: stopped.signal };
  const world = worldOf(cloud, options, places);
  giveIdentities(options.identities ?? [], world);
  cloud.beforeStart(() => openFrontends(world));
  options.guest?.connect?.(azureController(world));
  const reach = (host: string): string | undefined => reachInside(host, world);
  const proxyFor = cloud.wayIn(reach);
  const { faults = [], rateLimitScale = 1 } = options;
  const arm = server.serve("arm", armApi({ cloud, world, routes, rateLimitScale }), { faults });
  const login = server.serve("login", loginApi(cloud, world));
  const identity = blobServer.serve("identity", identityEndpoint(cloud, world));
  const blobs = blobServer.serve("blobs", blobsOf(cloud, world));
  const { tenantId, subscriptionId, principals } = world;
  return {
    tenantId,
    subscriptionId,
    principals,
    state,
    faults: arm.faults,
    requests: arm.requests,
    login,
    identity,
    blobs,
    guestPlans: cloud.guestPlans,
    get url() {
      return server.url;
    },
    get ca() {
      return cloud.certificateAuthority ?? "";
    },
    reach,
    proxyFor,
    lastingToken: () => lastingToken(principals[0] ?? owner, world),
    console: (name) => {
      const machine = state.resources.find((each) => each.machine !== undefined && each.name === name);
      return machine === undefined ? [] : world.power.console(machine.guid);
    },
    start: async () => {
      await cloud.start();
      resumeExtensions(world);
    },
    stop: async () => {
      stopped.abort();
      await cloud.stop();
    },
  };
};
