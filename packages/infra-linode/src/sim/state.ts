import type { ConfigDevice, ConfigInterface, DeviceSlot, FirewallRules, LinodeInterface } from "@capstan/linode-client";
import type { SimulatedState, StateDefinition } from "@capstan/simulation";
import type { StoredObject } from "@capstan/simulation/s3";

export interface StoredDisk {
  readonly id: number;
  readonly label: string;
  readonly filesystem: string;
  /** MB. */
  readonly size: number;
  readonly created: number;
  status: "ready" | "not ready";
}

export interface StoredConfig {
  readonly id: number;
  label: string;
  kernel: string;
  comments: string;
  memory_limit: number;
  root_device: string;
  helpers: Record<string, boolean>;
  devices: Partial<Record<DeviceSlot, ConfigDevice | null>>;
  interfaces: readonly ConfigInterface[];
}

export type StoredStatus = "provisioning" | "offline" | "booting" | "running" | "shutting_down" | "deleting";

export interface StoredVpcAddress {
  readonly address: string;
  readonly subnetId: number;
  readonly vpcId: number;
}

export interface StoredInstance {
  readonly id: number;
  readonly region: string;
  readonly type: string;
  readonly image: string | null;
  readonly created: number;
  readonly publicIp: string;
  readonly slaac: string;
  /** The loopback address that stands for the machine; also its private address if it has one. */
  readonly address: string;
  readonly hasPrivateIp: boolean;
  readonly vpcAddresses: readonly StoredVpcAddress[];
  readonly generation: "legacy_config" | "linode";
  readonly linodeInterfaces: readonly LinodeInterface[];
  /** Base64 as given; empty if none was. */
  readonly userData: string;
  readonly backupsEnabled: boolean;
  readonly diskEncryption: "enabled" | "disabled";
  /** Boot as soon as it is provisioned. */
  readonly bootAfterProvisioning: boolean;
  label: string;
  group: string;
  tags: readonly string[];
  status: StoredStatus;
  updated: number;
  firewallIds: readonly number[];
  disks: StoredDisk[];
  config: StoredConfig;
  /** It has run at least once. */
  booted: boolean;
}

export interface StoredNode {
  readonly id: number;
  readonly label: string;
  readonly address: string;
  readonly mode: string;
  readonly weight: number;
}

export interface StoredNodeBalancerConfig {
  readonly id: number;
  readonly port: number;
  readonly protocol: string;
  readonly algorithm: string;
  readonly stickiness: string;
  readonly check: string;
  nodes: StoredNode[];
}

export interface StoredNodeBalancer {
  readonly id: number;
  readonly region: string;
  readonly ipv4: string;
  readonly created: number;
  label: string;
  tags: readonly string[];
  firewallId: number | null;
  throttle: number;
  updated: number;
  configs: StoredNodeBalancerConfig[];
}

export interface StoredVpc {
  readonly id: number;
  readonly label: string;
  readonly description: string;
  readonly region: string;
  readonly created: number;
  subnets: { readonly id: number; readonly label: string; readonly ipv4: string; nextHost: number }[];
}

export interface StoredFirewall {
  readonly id: number;
  readonly label: string;
  readonly tags: readonly string[];
  readonly rules: FirewallRules;
  readonly created: number;
}

export interface StoredBucket {
  readonly label: string;
  readonly region: string;
  readonly created: number;
  acl: string;
  cors: boolean;
}

export interface StoredKey {
  readonly id: number;
  readonly label: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** `null`: every bucket of the account. */
  readonly bucketAccess:
    | readonly {
        readonly bucket_name: string;
        readonly permissions: "read_only" | "read_write";
        readonly region: string;
      }[]
    | null;
}

/** Everything the simulated account holds; plain JSON, saved as it is. */
export interface SimulatorState extends SimulatedState {
  readonly version: 1;
  instances: StoredInstance[];
  nodeBalancers: StoredNodeBalancer[];
  vpcs: StoredVpc[];
  firewalls: StoredFirewall[];
  buckets: StoredBucket[];
  keys: StoredKey[];
  /** By bucket label. */
  objects: Record<string, StoredObject[]>;
}

export const linodeState: StateDefinition<SimulatorState> = {
  version: 1,
  firstId: 70_000_001,
  empty: () => ({ instances: [], nodeBalancers: [], vpcs: [], firewalls: [], buckets: [], keys: [], objects: {} }),
};
