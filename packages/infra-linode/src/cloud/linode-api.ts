import type { Turn } from "@capstan/kit";
import type {
  Bucket,
  BucketAccess,
  BucketAcl,
  CreateBucket,
  CreateDisk,
  CreateFirewall,
  CreateInstance,
  CreateNodeBalancer,
  CreateNodeBalancerConfig,
  CreateNodeBalancerNode,
  CreateObjectStorageKey,
  CreatePlacementGroup,
  CreateStackScript,
  CreateVpc,
  CreateVpcSubnet,
  Disk,
  Domain,
  DomainRecord,
  Firewall,
  FirewallRules,
  Image,
  Instance,
  InstanceAddresses,
  InstanceConfig,
  InstanceInterface,
  InstanceType,
  PricedType,
  NodeBalancer,
  NodeBalancerConfig,
  NodeBalancerNode,
  ObjectStorageKey,
  PlacementGroup,
  Region,
  UpdateInstanceConfig,
  UpdateVpc,
  Vpc,
  WriteDomainRecord,
} from "@capstan/linode-client";

/** Passed on to every call. */
export interface Call {
  readonly signal: AbortSignal;
  /** The visit that it is part of. */
  readonly turn?: Turn;
}

/** A VLAN: of one label there is one in each region. */
export interface Vlan {
  readonly label: string;
  readonly region: string;
}

/** Room for one creation, taken before anything is prepared for it. */
export interface CreateSlot {
  /** The creation is over, or was not begun. */
  release(): void;
}

/**
 * Calls that the provider makes to Linode. Failures are `CapstanError`s of cloud/errors.ts; a missing thing is
 * `undefined`.
 */
export interface LinodeApi
  extends
    InstanceCalls,
    BalancerCalls,
    CatalogueCalls,
    VpcCalls,
    FirewallCalls,
    PlacementGroupCalls,
    ObjectStorageCalls,
    DomainCalls {}

/** Instances, and what goes into making them. */
export interface InstanceCalls {
  listInstances(call: Call): Promise<readonly Instance[]>;
  getInstance(id: number, call: Call): Promise<Instance | undefined>;
  findInstance(label: string, call: Call): Promise<Instance | undefined>;
  /** Throws `linode.rate_limited` when the token may not create for some seconds. */
  reserveCreate(call: Call): Promise<CreateSlot>;
  /** Throws `linode.label_taken` when another instance has the label. `slot`: what `reserveCreate` gave; of use for one try. */
  createInstance(body: CreateInstance, call: Call, slot: CreateSlot): Promise<Instance>;
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
  labelDisk(id: number, diskId: number, label: string, call: Call): Promise<void>;
  firewallIds(id: number, call: Call): Promise<readonly number[]>;
  /** Those of the newer generation. */
  interfaces(id: number, call: Call): Promise<readonly InstanceInterface[]>;
  interfaceFirewalls(id: number, interfaceId: number, call: Call): Promise<readonly number[]>;
  /** Already behind it is success. */
  guardInterface(firewallId: number, interfaceId: number, call: Call): Promise<void>;
  /** Not behind it is success. */
  unguardInterface(firewallId: number, interfaceId: number, call: Call): Promise<void>;
  setFirewalls(id: number, firewallIds: readonly number[], call: Call): Promise<void>;
  /** Ids of the instances in a VLAN. */
  vlanMembers(vlan: Vlan, call: Call): Promise<readonly number[]>;
  /** Addresses that an instance has in a VLAN, with their prefixes; none where it is gone. */
  vlanAddresses(id: number, vlan: Vlan, call: Call): Promise<readonly string[]>;
  /** The account's StackScript of that label: the one that is there, or a new one. */
  stackScript(body: CreateStackScript, call: Call): Promise<number>;
  /** MB. */
  planDiskSize(type: string, call: Call): Promise<number>;
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
  setBalancerTags(id: number, tags: readonly string[], call: Call): Promise<void>;
  balancerFirewallIds(id: number, call: Call): Promise<readonly number[]>;
  setBalancerFirewalls(id: number, firewallIds: readonly number[], call: Call): Promise<void>;
  balancerConfigs(id: number, call: Call): Promise<readonly NodeBalancerConfig[]>;
  createBalancerConfig(id: number, body: CreateNodeBalancerConfig, call: Call): Promise<void>;
  /** Already gone is success. */
  deleteBalancerConfig(id: number, configId: number, call: Call): Promise<void>;
  backends(id: number, configId: number, call: Call): Promise<readonly NodeBalancerNode[]>;
  createBackend(id: number, configId: number, body: CreateNodeBalancerNode, call: Call): Promise<void>;
  /** Already gone is success. */
  deleteBackend(id: number, configId: number, nodeId: number, call: Call): Promise<void>;
}

/** Calls for the offers of the cloud. */
export interface CatalogueCalls {
  types(call: Call): Promise<readonly InstanceType[]>;
  balancerTypes(call: Call): Promise<readonly PricedType[]>;
  regions(call: Call): Promise<readonly Region[]>;
  image(id: string, call: Call): Promise<Image | undefined>;
}

/** VPCs and their subnets. */
export interface VpcCalls {
  vpc(id: number, call: Call): Promise<Vpc | undefined>;
  findVpc(label: string, call: Call): Promise<Vpc | undefined>;
  vpcs(call: Call): Promise<readonly Vpc[]>;
  /** Throws `linode.label_taken` when another VPC has the label. */
  createVpc(body: CreateVpc, call: Call): Promise<void>;
  updateVpc(id: number, body: UpdateVpc, call: Call): Promise<void>;
  /** Already gone is success. */
  deleteVpc(id: number, call: Call): Promise<void>;
  createSubnet(vpcId: number, body: CreateVpcSubnet, call: Call): Promise<void>;
  /** Already gone is success. */
  deleteSubnet(vpcId: number, subnetId: number, call: Call): Promise<void>;
}

/** Firewalls and their rules. */
export interface FirewallCalls {
  firewall(id: number, call: Call): Promise<Firewall | undefined>;
  findFirewall(by: { readonly tag: string } | { readonly label: string }, call: Call): Promise<Firewall | undefined>;
  /** Throws `linode.label_taken` when another firewall has the label. */
  createFirewall(body: CreateFirewall, call: Call): Promise<void>;
  setFirewallStatus(id: number, status: "enabled" | "disabled", call: Call): Promise<void>;
  setFirewallTags(id: number, tags: readonly string[], call: Call): Promise<void>;
  setFirewallRules(id: number, rules: FirewallRules, call: Call): Promise<void>;
  /** Already gone is success. */
  deleteFirewall(id: number, call: Call): Promise<void>;
}

/** Placement groups. */
export interface PlacementGroupCalls {
  placementGroup(id: number, call: Call): Promise<PlacementGroup | undefined>;
  findPlacementGroup(label: string, call: Call): Promise<PlacementGroup | undefined>;
  /** Throws `linode.label_taken` when another group has the label. */
  createPlacementGroup(body: CreatePlacementGroup, call: Call): Promise<void>;
  /** Already gone is success. */
  deletePlacementGroup(id: number, call: Call): Promise<void>;
}

/** Buckets, and keys for them. */
export interface ObjectStorageCalls {
  bucket(region: string, label: string, call: Call): Promise<Bucket | undefined>;
  bucketAccess(region: string, label: string, call: Call): Promise<BucketAccess>;
  createBucket(body: CreateBucket, call: Call): Promise<void>;
  setBucketAccess(
    region: string,
    label: string,
    body: { readonly acl?: BucketAcl; readonly cors_enabled?: boolean },
    call: Call,
  ): Promise<void>;
  /** Already gone is success. */
  deleteBucket(region: string, label: string, call: Call): Promise<void>;
  storageKeys(call: Call): Promise<readonly ObjectStorageKey[]>;
  /** The only answer with the secret key. */
  createStorageKey(body: CreateObjectStorageKey, call: Call): Promise<ObjectStorageKey>;
  /** Already gone is success. */
  deleteStorageKey(id: number, call: Call): Promise<void>;
}

/** Zones of DNS and their records. */
export interface DomainCalls {
  findDomain(domain: string, call: Call): Promise<Domain | undefined>;
  /** Those of one name. */
  domainRecords(id: number, name: string, call: Call): Promise<readonly DomainRecord[]>;
  createDomainRecord(id: number, body: WriteDomainRecord, call: Call): Promise<void>;
  setRecordTtl(id: number, recordId: number, ttlSeconds: number, call: Call): Promise<void>;
  /** Already gone is success. */
  deleteDomainRecord(id: number, recordId: number, call: Call): Promise<void>;
}
