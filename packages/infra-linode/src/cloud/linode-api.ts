import type {
  CreateDisk,
  CreateInstance,
  CreateNodeBalancer,
  CreateNodeBalancerConfig,
  CreateNodeBalancerNode,
  Disk,
  Image,
  Instance,
  InstanceAddresses,
  InstanceConfig,
  InstanceType,
  NodeBalancer,
  NodeBalancerConfig,
  NodeBalancerNode,
  Region,
  UpdateInstanceConfig,
  Vpc,
} from "@capstan/linode-client";

/** Passed on to every call. */
export interface Call {
  readonly signal: AbortSignal;
}

/** Room for one creation, taken before anything is prepared for it. */
export interface CreateSlot {
  /** The creation is over, or was not begun. */
  release(): void;
}

/** What the provider asks of Linode. Failures are `CapstanError`s of cloud/errors.ts; what is missing is `undefined`. */
export interface LinodeApi extends InstanceCalls, BalancerCalls, CatalogueCalls {}

/** Instances, and what goes into making them. */
export interface InstanceCalls {
  listInstances(call: Call): Promise<readonly Instance[]>;
  getInstance(id: number, call: Call): Promise<Instance | undefined>;
  findInstance(label: string, call: Call): Promise<Instance | undefined>;
  /** Throws `linode.rate_limited` when the token may not create at `now`, milliseconds since the epoch. */
  reserveCreate(now: number): CreateSlot;
  /** Throws `linode.label_taken` when another instance has the label. */
  createInstance(body: CreateInstance, call: Call): Promise<Instance>;
  setTags(id: number, tags: readonly string[], call: Call): Promise<void>;
  /** Already booting or running is success. */
  boot(id: number, call: Call): Promise<void>;
  /** Already gone is success. */
  deleteInstance(id: number, call: Call): Promise<void>;
  addresses(id: number, call: Call): Promise<InstanceAddresses>;
  /** The configuration profile it boots with. */
  config(id: number, call: Call): Promise<InstanceConfig | undefined>;
  updateConfig(id: number, configId: number, body: UpdateInstanceConfig, call: Call): Promise<void>;
  disks(id: number, call: Call): Promise<readonly Disk[]>;
  /** Throws `linode.busy` while the instance does something else. */
  createDisk(id: number, body: CreateDisk, call: Call): Promise<void>;
  firewallIds(id: number, call: Call): Promise<readonly number[]>;
  setFirewalls(id: number, firewallIds: readonly number[], call: Call): Promise<void>;
  /** MB. */
  planDiskSize(type: string, call: Call): Promise<number>;
  vpc(id: number, call: Call): Promise<Vpc | undefined>;
}

/** NodeBalancers, their ports and the machines behind them. */
export interface BalancerCalls {
  getBalancer(id: number, call: Call): Promise<NodeBalancer | undefined>;
  findBalancer(
    by: { readonly tag: string } | { readonly label: string },
    call: Call,
  ): Promise<NodeBalancer | undefined>;
  /** Throws `linode.label_taken` when another NodeBalancer has the label. */
  createBalancer(body: CreateNodeBalancer, call: Call): Promise<NodeBalancer>;
  /** Already gone is success. */
  deleteBalancer(id: number, call: Call): Promise<void>;
  balancerConfigs(id: number, call: Call): Promise<readonly NodeBalancerConfig[]>;
  createBalancerConfig(id: number, body: CreateNodeBalancerConfig, call: Call): Promise<void>;
  backends(id: number, configId: number, call: Call): Promise<readonly NodeBalancerNode[]>;
  createBackend(id: number, configId: number, body: CreateNodeBalancerNode, call: Call): Promise<void>;
  /** Already gone is success. */
  deleteBackend(id: number, configId: number, nodeId: number, call: Call): Promise<void>;
}

/** What the cloud offers. */
export interface CatalogueCalls {
  types(call: Call): Promise<readonly InstanceType[]>;
  regions(call: Call): Promise<readonly Region[]>;
  image(id: string, call: Call): Promise<Image | undefined>;
}
