import type {
  AccountEvent,
  ConfigDevice,
  DefaultFirewalls,
  DeviceSlot,
  Domain,
  DomainRecord,
  FirewallRules,
  Image,
  InstanceInterface,
  Ipv6Range,
  Lock,
  MaintenancePolicy,
  NewShareGroupToken,
  PersonalToken,
  PlacementGroup,
  Profile,
  RuleSet,
  ShareGroup,
  ShareGroupMember,
  SshKey,
  StackScript,
  Vlan,
  Volume,
} from "@capstan/linode-client";
import type { SimulatedState, StateDefinition } from "@capstan/simulation";
import type { StoredObject } from "@capstan/simulation/s3";
import type { StoredZone } from "./edge-dns/record-sets.ts";
import { newAccount, type StoredAccount } from "./stored-account.ts";

/** As the API shows it, but to be changed. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface StoredDisk {
  readonly id: number;
  label: string;
  readonly filesystem: string;
  /** MB. */
  size: number;
  /** Default: that of its instance. */
  readonly encryption?: "enabled" | "disabled";
  readonly created: number;
  status: "ready" | "not ready" | "deleting";
}

/** An interface of a configuration profile. */
export interface StoredConfigInterface {
  readonly id: number;
  readonly purpose: "public" | "vlan" | "vpc";
  readonly label: string | null;
  readonly ipam_address: string | null;
  primary: boolean;
  readonly subnet_id: number | null;
  readonly vpc_id: number | null;
  ipv4?: { readonly vpc: string; readonly nat_1_1: string | null };
  ipv6?: {
    readonly slaac: readonly { readonly range: string; readonly address: string }[];
    readonly ranges: readonly { readonly range: string }[];
    readonly is_public: boolean;
  };
  ip_ranges: readonly string[];
}

export interface StoredConfig {
  readonly id: number;
  label: string;
  kernel: string;
  comments: string;
  memory_limit: number;
  root_device: string;
  run_level: string;
  virt_mode: string;
  helpers: Record<string, boolean>;
  devices: Partial<Record<DeviceSlot, ConfigDevice | null>>;
  interfaces: StoredConfigInterface[];
}

export type StoredStatus = "provisioning" | "offline" | "booting" | "running" | "shutting_down" | "deleting";

/** A long operation during which an instance does nothing else. */
export type Activity = "resizing" | "rebuilding" | "migrating" | "cloning" | "restoring" | "rebooting";

export interface StoredBackup {
  readonly id: number;
  readonly type: "auto" | "snapshot";
  readonly label: string | null;
  readonly created: number;
  status: "pending" | "successful";
  /** The disks at the time it was made. */
  readonly disks: readonly Pick<StoredDisk, "label" | "size" | "filesystem">[];
}

export interface StoredInstance {
  readonly id: number;
  region: string;
  type: string;
  image: string | null;
  readonly created: number;
  readonly publicIp: string;
  readonly slaac: string;
  /** The loopback address that stands for the machine; also its private address if it has one. */
  readonly address: string;
  hasPrivateIp: boolean;
  /** Public addresses that it got later. */
  extraIps: string[];
  /** Addresses of others that it answers for. */
  sharedIps: readonly string[];
  generation: "legacy_config" | "linode";
  linodeInterfaces: Mutable<InstanceInterface>[];
  networkHelper: boolean;
  /** User-data for the metadata service: base64 as given; empty if none was. */
  userData: string;
  /** The StackScript that it was deployed with, and the values of its fields. */
  stackScript?:
    | {
        readonly id: number;
        readonly label: string;
        readonly data: Readonly<Record<string, string>>;
        /** It is the one of the provider, whose effect is played. */
        readonly isPlayed: boolean;
      }
    | undefined;
  backupsEnabled: boolean;
  backupSchedule: { readonly day: string | null; readonly window: string | null };
  backups: StoredBackup[];
  diskEncryption: "enabled" | "disabled";
  /** Boot as soon as it is provisioned. */
  bootAfterProvisioning: boolean;
  label: string;
  group: string;
  tags: readonly string[];
  status: StoredStatus;
  activity?: Activity;
  /** State to reach once the activity is over; with `restart` it runs meanwhile. */
  after?: {
    readonly boot: boolean;
    readonly restart?: boolean;
    readonly type?: string;
    readonly region?: string;
  };
  alerts: Readonly<Record<string, number>>;
  watchdog: boolean;
  maintenancePolicy: MaintenancePolicy;
  updated: number;
  placementGroupId: number | null;
  disks: StoredDisk[];
  configs: StoredConfig[];
  /** The profile it was booted with by name. Default: its first. */
  configId?: number;
  /** It runs the rescue system instead of what is on its disks. */
  rescued?: boolean;
  /** Volumes that it has until it boots again. */
  volumesUntilBoot?: readonly number[];
  /** It has run at least once. */
  booted: boolean;
}

export interface StoredNode {
  readonly id: number;
  label: string;
  address: string;
  mode: string;
  weight: number;
  vpcConfigId: number | null;
}

export interface StoredNodeBalancerConfig {
  readonly id: number;
  port: number;
  protocol: string;
  algorithm: string;
  stickiness: string;
  check: string;
  check_interval: number;
  check_timeout: number;
  check_attempts: number;
  check_path: string;
  check_body: string;
  check_passive: boolean;
  proxy_protocol: string;
  cipher_suite: string;
  ssl_fingerprint: string;
  ssl_commonname: string;
  nodes: StoredNode[];
}

export interface StoredNodeBalancer {
  readonly id: number;
  readonly region: string;
  readonly ipv4: string;
  readonly created: number;
  label: string;
  tags: readonly string[];
  throttle: number;
  /** Default 0. */
  udpThrottle?: number;
  /** Default `common`. */
  readonly type?: string;
  updated: number;
  configs: StoredNodeBalancerConfig[];
  readonly vpcs: readonly {
    readonly id: number;
    readonly vpc_id: number;
    readonly subnet_id: number;
    readonly ipv4_range: string;
    readonly ipv6_range?: string;
  }[];
}

export interface Range {
  readonly range: string;
}

export interface StoredSubnet {
  readonly id: number;
  label: string;
  readonly ipv4: string;
  readonly ipv6: readonly Range[];
  readonly created: string;
  updated: string;
}

export interface StoredVpc {
  readonly id: number;
  label: string;
  description: string;
  readonly region: string;
  ipv4: readonly Range[];
  readonly ipv6: readonly Range[];
  readonly created: string;
  updated: string;
  subnets: StoredSubnet[];
}

/** Entity that a firewall protects. */
export interface StoredDevice {
  readonly id: number;
  readonly type: "linode" | "nodebalancer" | "linode_interface";
  readonly entityId: number;
  readonly created: string;
}

export interface StoredFirewall {
  readonly id: number;
  label: string;
  status: "enabled" | "disabled";
  tags: readonly string[];
  rules: FirewallRules;
  /** Rules that were, the newest last. */
  history: { readonly rules: FirewallRules; readonly updated: string }[];
  devices: StoredDevice[];
  readonly created: string;
  updated: string;
}

export type StoredPlacementGroup = Mutable<Omit<PlacementGroup, "members" | "is_compliant">>;

export type StoredVlan = Omit<Vlan, "linodes">;

export type StoredDomain = Mutable<Domain> & { readonly records: Mutable<DomainRecord>[] };

export interface StoredBucket {
  readonly label: string;
  readonly region: string;
  readonly created: number;
  acl: string;
  cors: boolean;
  /** By name of the object. */
  readonly objectAcls: Record<string, string>;
  hasCertificate: boolean;
}

export interface StoredKey {
  readonly id: number;
  label: string;
  regions: readonly string[];
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

/** An image of the account in a share group. */
export interface StoredSharedImage {
  /** Begins with `shared/`. */
  readonly id: string;
  /** The image itself. */
  readonly source: string;
  label: string;
  description: string;
  updated?: string;
}

export interface StoredShareGroup extends Omit<ShareGroup, "images_count" | "members_count" | "expiry"> {
  images: StoredSharedImage[];
  members: Mutable<ShareGroupMember>[];
}

export type StoredShareToken = Mutable<NewShareGroupToken>;

/** Everything the simulated account holds; plain JSON, saved as it is. */
export interface SimulatorState extends SimulatedState {
  readonly version: 4;
  instances: StoredInstance[];
  nodeBalancers: StoredNodeBalancer[];
  vpcs: StoredVpc[];
  firewalls: StoredFirewall[];
  defaultFirewalls: DefaultFirewalls["default_firewall_ids"];
  placementGroups: StoredPlacementGroup[];
  domains: StoredDomain[];
  /** Zones at Akamai Edge DNS. */
  edgeZones: StoredZone[];
  stackScripts: Mutable<StackScript>[];
  volumes: Mutable<Volume>[];
  /** Those of the account. */
  images: Mutable<Image>[];
  /** The image that is uploaded with a secret. */
  imageUploads: Record<string, string>;
  /** Tags that were made by themselves. */
  tags: string[];
  ipv6Ranges: Ipv6Range[];
  /** IPv4 addresses that stay the account's when no instance has them. */
  reservedIps: { readonly address: string; readonly region: string; tags?: readonly string[] }[];
  /** Kept until they are deleted, also without an interface in them. */
  vlans: StoredVlan[];
  /** Names of addresses. */
  rdns: Record<string, string>;
  account: StoredAccount;
  buckets: StoredBucket[];
  keys: StoredKey[];
  /** By bucket label. */
  objects: Record<string, StoredObject[]>;
  /** The newest last. */
  events: Mutable<AccountEvent>[];
  /** Files of earlier releases have none of these. */
  ruleSets?: Mutable<RuleSet>[];
  shareGroups?: StoredShareGroup[];
  shareTokens?: StoredShareToken[];
  locks?: Lock[];
  profile?: Partial<Profile>;
  sshKeys?: Mutable<SshKey>[];
  tokens?: Mutable<PersonalToken>[];
}

export const linodeState: StateDefinition<SimulatorState> = {
  version: 4,
  firstId: 70_000_001,
  empty: () => ({
    instances: [],
    nodeBalancers: [],
    vpcs: [],
    firewalls: [],
    defaultFirewalls: { linode: null, nodebalancer: null, public_interface: null, vpc_interface: null },
    placementGroups: [],
    domains: [],
    edgeZones: [],
    stackScripts: [],
    volumes: [],
    images: [],
    imageUploads: {},
    tags: [],
    ipv6Ranges: [],
    reservedIps: [],
    vlans: [],
    rdns: {},
    account: newAccount(),
    buckets: [],
    keys: [],
    objects: {},
    events: [],
  }),
};
