import type { ProxyFor } from "@capstan/contract";
import {
  type Faults,
  type Fault,
  type RateLimitRule,
  type Requests,
  type Route,
  type Simulation,
  simulation,
  type SimulationOptions,
} from "@capstan/simulation";
import { s3Service } from "@capstan/simulation/s3";
import type { EdgeGridClient } from "@capstan/linode-client/edge-grid";
import { defaultRateLimits, linodeApi } from "./api/linode-api.ts";
import { edgeDnsService } from "./edge-dns/edge-dns-service.ts";
import { linodeController } from "./controller/linode-controller.ts";
import { instanceModel } from "./machines.ts";
import { catalogueRoutes } from "./resources/catalogue.ts";
import { instanceOperationRoutes } from "./resources/instance-operations.ts";
import { instanceRoutes } from "./resources/instances.ts";
import { nodeBalancerConfigRoutes, openFrontend } from "./resources/node-balancer-configs.ts";
import { nodeBalancerRoutes } from "./resources/node-balancers.ts";
import { placementGroupRoutes } from "./resources/placement-groups.ts";
import { stackScriptRoutes } from "./resources/stack-scripts.ts";
import { vlanRoutes } from "./resources/vlans.ts";
import { vpcRoutes } from "./resources/vpcs.ts";
import type { Quotas } from "./quotas.ts";
import { lockRoutes } from "./resources/locks.ts";
import { profileRoutes } from "./resources/profile.ts";
import { accountRoutes } from "./resources/account.ts";
import { billRoutes } from "./resources/bills.ts";
import { addressRoutes } from "./resources/addresses.ts";
import { bucketContentRoutes } from "./resources/bucket-contents.ts";
import { figureRoutes } from "./resources/figures.ts";
import { defineImageTask, imageRoutes } from "./resources/images.ts";
import { tagRoutes } from "./resources/tags.ts";
import { defineVolumeTask, volumeRoutes } from "./resources/volumes.ts";
import { backupRoutes, defineBackupTask } from "./resources/backups.ts";
import { domainRoutes, newDomain } from "./resources/domains.ts";
import { eventRoutes } from "./resources/events.ts";
import { betaRoutes } from "./resources/betas.ts";
import { firewallRuleSetRoutes } from "./resources/firewall-rule-sets.ts";
import { firewallRoutes, firewallSettingRoutes } from "./resources/firewalls.ts";
import { prefixListRoutes } from "./resources/prefix-lists.ts";
import { shareGroupTokenRoutes } from "./resources/share-group-tokens.ts";
import { shareGroupRoutes } from "./resources/share-groups.ts";
import { defineActivityTask } from "./resources/instance-activity.ts";
import { instanceConfigRoutes } from "./resources/instance-configs.ts";
import { defineDiskTask, instanceDiskRoutes } from "./resources/instance-disks.ts";
import { instanceInterfaceRoutes } from "./resources/instance-interfaces.ts";
import { objectStorageRoutes } from "./resources/object-storage.ts";
import { s3AccountOf } from "./resources/s3-account.ts";
import { reachPublic } from "./resources/reach.ts";
import { linodeState, type SimulatorState, type StoredKey } from "./state.ts";
import type { Delays, World } from "./world.ts";

export interface LinodeSimulatorOptions extends SimulationOptions {
  /** Ports of the API, of the object storage and of Akamai Edge DNS. Default: any free ones. */
  readonly port?: number;
  readonly objectStoragePort?: number;
  readonly edgeDnsPort?: number;
  /** The one token that is accepted. Default `simulated-token`. */
  readonly token?: string;
  /** Defaults in milliseconds: provision 200, boot 300, shutdown 100, delete 100, disk 100, other long operations 300. */
  readonly delays?: Partial<Delays>;
  readonly faults?: readonly Fault[];
  readonly rateLimits?: readonly RateLimitRule[];
  /** Maximum number of things of a kind in the account. Default: unlimited. */
  readonly quotas?: Quotas;
  /** Put into an account that is still empty. */
  readonly seed?: {
    readonly buckets?: readonly { readonly label: string; readonly region: string }[];
    readonly keys?: readonly {
      readonly accessKey: string;
      readonly secretKey: string;
      /** Default: every bucket. */
      readonly bucketAccess?: NonNullable<StoredKey["bucketAccess"]>;
    }[];
    /** Names of zones at Linode. */
    readonly domains?: readonly string[];
    /** Names of zones at Akamai Edge DNS. */
    readonly edgeZones?: readonly string[];
  };
}

/** The zone API of Akamai, and the one client that it accepts. */
interface SimulatedEdgeDns {
  readonly url: string;
  readonly client: EdgeGridClient;
  readonly requests: Requests;
  readonly faults: Faults;
}

/** A simulated Linode account with its API, object storage, network and machines, on loopback. */
export interface LinodeSimulator {
  /** Without the API version. */
  readonly url: string;
  readonly token: string;
  readonly objectStorage: { readonly url: string; readonly requests: Requests; readonly faults: Faults };
  readonly edgeDns: SimulatedEdgeDns;
  /** The way to what is public in the simulated world alone: addresses of instances, and names in the zones of the account. */
  readonly proxyFor: ProxyFor;
  /** The account. Read it in tests; change it only to play events of the outside world. */
  readonly state: SimulatorState;
  readonly faults: Faults;
  readonly requests: Requests;
  /** The newest lines of a machine's serial console. */
  console(id: number): readonly string[];
  /** Loads the state, opens the servers and continues with what was under way. */
  start(): Promise<void>;
  /** Closes everything; machines are shut down but stay in the state. */
  stop(): Promise<void>;
}

/** Every operation of the simulated API. */
export const linodeRoutes: readonly Route<World>[] = [
  ...catalogueRoutes,
  ...profileRoutes,
  ...lockRoutes,
  ...instanceRoutes,
  ...instanceOperationRoutes,
  ...instanceConfigRoutes,
  ...instanceDiskRoutes,
  ...instanceInterfaceRoutes,
  ...backupRoutes,
  ...vlanRoutes,
  ...nodeBalancerRoutes,
  ...nodeBalancerConfigRoutes,
  ...vpcRoutes,
  ...firewallRoutes,
  ...firewallSettingRoutes,
  ...firewallRuleSetRoutes,
  ...prefixListRoutes,
  ...placementGroupRoutes,
  ...domainRoutes,
  ...stackScriptRoutes,
  ...eventRoutes,
  ...objectStorageRoutes,
  ...bucketContentRoutes,
  ...volumeRoutes,
  ...imageRoutes,
  ...shareGroupRoutes,
  ...shareGroupTokenRoutes,
  ...addressRoutes,
  ...tagRoutes,
  ...accountRoutes,
  ...billRoutes,
  ...betaRoutes,
  ...figureRoutes,
];

const edgeGridClient: EdgeGridClient = {
  accessToken: "simulated-access-token",
  clientToken: "simulated-client-token",
  clientSecret: "simulated-client-secret",
};

export const createLinodeSimulator = async (options: LinodeSimulatorOptions): Promise<LinodeSimulator> => {
  const { faults = [], rateLimits = defaultRateLimits, token = "simulated-token" } = options;
  const cloud = await simulation({ name: "linode", state: linodeState }, options);
  const { state, clock, random, log, timers, balancers } = cloud;
  const apiServer = cloud.server({ port: options.port ?? 0 });
  const store = cloud.server({ port: options.objectStoragePort ?? 0 });
  const proxyFor = cloud.wayIn((host) => reachPublic(host, state));
  const power = cloud.machines(instanceModel(cloud), options.delays);
  const world: World = {
    state,
    clock,
    random,
    log,
    timers,
    balancers,
    diskMs: options.delays?.diskMs ?? 100,
    operationMs: options.delays?.operationMs ?? 300,
    quotas: options.quotas ?? {},
    power,
    objectStorageUrl: () => store.url,
    newId: () => cloud.newId(),
    newAddress: () => cloud.newAddress(),
  };
  defineDiskTask(world);
  defineBackupTask(world);
  defineActivityTask(world);
  defineVolumeTask(world);
  defineImageTask(world);
  cloud.beforeStart(() => openFrontends(world));
  options.guest?.connect?.(linodeController(world, { token, save: () => cloud.save() }));
  seed(world, options);
  const api = apiServer.serve("api", linodeApi({ routes: linodeRoutes, world, cloud, rateLimits, token }), { faults });
  return {
    token,
    state,
    faults: api.faults,
    requests: api.requests,
    objectStorage: store.serve("object-storage", s3Service({ account: s3AccountOf(state), cloud })),
    edgeDns: serveEdgeDns(cloud, options),
    proxyFor,
    get url() {
      return api.url;
    },
    console: (id) => power.console(String(id)),
    start: () => cloud.start(),
    stop: () => cloud.stop(),
  };
};

const serveEdgeDns = (
  cloud: Simulation<SimulatorState>,
  { edgeDnsPort = 0 }: LinodeSimulatorOptions,
): SimulatedEdgeDns => {
  const service = edgeDnsService({ world: cloud, cloud, client: edgeGridClient });
  const served = cloud.server({ port: edgeDnsPort }).serve("edge-dns", service);
  return {
    get url() {
      return served.url;
    },
    client: edgeGridClient,
    requests: served.requests,
    faults: served.faults,
  };
};

const openFrontends = async (world: World): Promise<void> => {
  for (const balancer of world.state.nodeBalancers) {
    for (const config of balancer.configs) await openFrontend(balancer, config, world);
  }
};

const seed = (
  world: World,
  { seed: { buckets = [], domains = [], edgeZones = [], keys = [] } = {} }: LinodeSimulatorOptions,
): void => {
  const { state, clock, newId } = world;
  if (state.buckets.length > 0 || state.keys.length > 0) return;
  for (const domain of domains) {
    state.domains.push(newDomain({ domain, type: "master", soa_email: `hostmaster@${domain}` }, world));
  }
  for (const zone of edgeZones) state.edgeZones.push({ zone, recordsets: [] });
  for (const bucket of buckets) {
    state.buckets.push({
      ...bucket,
      created: clock.now(),
      acl: "private",
      cors: true,
      objectAcls: {},
      hasCertificate: false,
    });
  }
  for (const { accessKey, secretKey, bucketAccess = null } of keys) {
    state.keys.push({ id: newId(), label: "seed", accessKey, secretKey, bucketAccess, regions: [] });
  }
};
