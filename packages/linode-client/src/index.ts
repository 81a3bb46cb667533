export type { ResponseCache } from "./cache.ts";
export { createLinodeClient } from "./client.ts";
export type { LinodeClient } from "./client.ts";
export { linodeFiles, linodeOptions } from "./config.ts";
export type { Env, LinodeFiles } from "./config.ts";
export { hasStatus, isNotFound, LinodeError } from "./error.ts";
export type { ErrorReason, LinodeErrorOptions } from "./error.ts";
export { filter } from "./filter.ts";
export type { DebugEntry, Hooks, IncomingResponse, LinodeClientOptions, OutgoingRequest } from "./options.ts";
export { WaitTimeoutError } from "./poll.ts";
export type { WaitOptions } from "./poll.ts";
export type { RateLimit, RateLimits } from "./rate-limit.ts";
export type { Listing } from "./resource.ts";
export type { InstancesApi } from "./resources/instances.ts";
export type { FirewallsApi, PlacementGroupsApi, VpcsApi } from "./resources/networking.ts";
export type { NodeBalancersApi } from "./resources/node-balancers.ts";
export type {
  BucketsApi,
  DomainsApi,
  EventsApi,
  ImagesApi,
  KernelsApi,
  ObjectStorageApi,
  ObjectStorageKeysApi,
  RegionsApi,
  StackScriptsApi,
  TypesApi,
  VolumesApi,
} from "./resources/services.ts";
export { busyReason } from "./retry.ts";
export type { Attempt, RetryOptions } from "./retry.ts";
export { parseLinodeTime, realSystem } from "./system.ts";
export type { System } from "./system.ts";
export type { CallOptions, Filter, ListOptions, Open, Page } from "./types/api.ts";
export type {
  ConfigDevice,
  ConfigHelpers,
  ConfigInterface,
  CreateDisk,
  CreateInstance,
  DeviceSlot,
  Disk,
  Instance,
  InstanceAddress,
  InstanceAddresses,
  InstanceConfig,
  InstanceInterface,
  InstanceStatus,
  InstanceVpcAddress,
  InstanceVpcIpv6,
  LinodeInterface,
  UpdateInstance,
  UpdateInstanceConfig,
} from "./types/instances.ts";
export type {
  CreateFirewall,
  CreateNodeBalancer,
  CreateNodeBalancerConfig,
  CreateNodeBalancerNode,
  CreatePlacementGroup,
  CreateVpc,
  CreateVpcSubnet,
  Firewall,
  FirewallDevice,
  FirewallRule,
  FirewallRules,
  NodeBalancer,
  NodeBalancerConfig,
  NodeBalancerNode,
  PlacementGroup,
  UpdateFirewall,
  UpdateNodeBalancer,
  UpdateVpc,
  Vpc,
  VpcSubnet,
} from "./types/networking.ts";
export type {
  AccountEvent,
  Bucket,
  BucketAccess,
  BucketAcl,
  CreateBucket,
  CreateObjectStorageKey,
  CreateStackScript,
  Domain,
  DomainRecord,
  EventStatus,
  Image,
  InstanceType,
  Kernel,
  ObjectStorageKey,
  Region,
  RegionAvailability,
  StackScript,
  Volume,
  WriteDomain,
  WriteDomainRecord,
} from "./types/services.ts";
export type { Entity, EventPoller, Waiters } from "./waiters.ts";
