import {
  type Fault,
  type Faults,
  type Requests,
  type Simulation,
  simulation,
  type SimulationOptions,
} from "@capstan/simulation";
import { armApi } from "./arm/arm-api.ts";
import { loginApi } from "./login/login-api.ts";
import { Operations } from "./operations/operations.ts";
import { openFrontends } from "./network/data-plane.ts";
import { loadBalancers } from "./network/load-balancers.ts";
import { natGateways } from "./network/nat-gateways.ts";
import { networkInterfaces } from "./network/network-interfaces.ts";
import { publicIps } from "./network/public-ips.ts";
import { routeTables } from "./network/route-tables.ts";
import { securityGroups } from "./network/security-groups.ts";
import { virtualNetworks } from "./network/virtual-networks.ts";
import { operationRoutes } from "./operations/operation-routes.ts";
import { groupRoutes } from "./resources/groups.ts";
import { registry } from "./resources/registry.ts";
import type { ResourceKind } from "./resources/resource-kind.ts";
import { resourceRoutes } from "./resources/resource-routes.ts";
import { subscriptionRoutes } from "./resources/subscriptions.ts";
import { azureState, type AzureState } from "./state.ts";
import type { Delays, Principal, World } from "./world.ts";

export interface AzureSimulatorOptions extends SimulationOptions {
  /** Default: any free one. */
  readonly port?: number;
  readonly tenantId?: string;
  readonly subscriptionId?: string;
  /** Who may sign in. Default: one owner. */
  readonly principals?: readonly Principal[];
  /** Defaults in milliseconds: network 100, provision 200, boot 300, delete 100, group 100. */
  readonly delays?: Partial<Delays>;
  readonly faults?: readonly Fault[];
  /**
   * What public IP addresses with a DNS label have as their name: the address itself (the default), which is reached without more ado, or
   * `<label>.<location>.cloudapp.azure.com`, for those who resolve such names themselves.
   */
  readonly dnsNames?: "address" | "azure";
  /** How many times larger than at Azure the limits of requests are. Default 1. */
  readonly rateLimitScale?: number;
}

/** A simulated Azure subscription on loopback: Azure Resource Manager, its login, network and machines. */
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
  /** Of the resource manager. */
  readonly faults: Faults;
  readonly requests: Requests;
  readonly login: { readonly faults: Faults; readonly requests: Requests };
  /** Loads the state, opens the servers and goes on with what was under way. */
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

const kinds: readonly ResourceKind[] = [
  virtualNetworks,
  securityGroups,
  routeTables,
  publicIps,
  natGateways,
  loadBalancers,
  networkInterfaces,
];

const defaultDelays: Delays = { networkMs: 100, provisionMs: 200, bootMs: 300, deleteMs: 100, groupMs: 100 };

const worldOf = (cloud: Simulation<AzureState>, options: AzureSimulatorOptions, url: () => string): World => {
  const { state, clock, random, log, timers, balancers } = cloud;
  const all = registry(kinds);
  const world: World = {
    state,
    clock,
    random,
    log,
    timers,
    balancers,
    url,
    tenantId: options.tenantId ?? "00000000-0000-0000-0000-0000000000aa",
    subscriptionId: options.subscriptionId ?? "00000000-0000-0000-0000-000000000000",
    principals: options.principals ?? [owner],
    delays: { ...defaultDelays, ...options.delays },
    dnsNames: options.dnsNames ?? "address",
    open: new Set(),
    operations: new Operations({ state, clock, timers, newUuid: () => cloud.newUuid() }, (operation) =>
      all.finish(operation, world),
    ),
    newId: () => cloud.newId(),
    newUuid: () => cloud.newUuid(),
    newAddress: () => cloud.newAddress(),
    viewOf: (id) => all.viewOf(id, world),
    remove: (resource) => all.remove(resource, world),
  };
  return world;
};

export const createAzureSimulator = async (options: AzureSimulatorOptions): Promise<AzureSimulator> => {
  const cloud = await simulation({ name: "azure", state: azureState }, options);
  const { state } = cloud;
  if (state.key === "") state.key = Buffer.from(cloud.random.bytes(32)).toString("base64url");
  const server = cloud.server({ port: options.port ?? 0, tls: true, hostname: "localhost" });
  const world = worldOf(cloud, options, () => server.url);
  const routes = [
    ...subscriptionRoutes,
    ...groupRoutes,
    ...operationRoutes,
    ...kinds.flatMap((kind) => resourceRoutes(kind)),
  ];
  cloud.beforeStart(() => openFrontends(world));
  const { faults = [], rateLimitScale = 1 } = options;
  const login = server.serve("login", loginApi(cloud, world));
  const arm = server.serve("arm", armApi({ cloud, world, routes, rateLimitScale }), { faults });
  const { tenantId, subscriptionId, principals } = world;
  return {
    tenantId,
    subscriptionId,
    principals,
    state,
    faults: arm.faults,
    requests: arm.requests,
    login,
    get url() {
      return server.url;
    },
    get ca() {
      return cloud.certificateAuthority ?? "";
    },
    start: () => cloud.start(),
    stop: () => cloud.stop(),
  };
};
