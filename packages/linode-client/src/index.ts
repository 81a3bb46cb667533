export type { ResponseCache } from "./cache.ts";
export type { Call, Calls, ListCall } from "./call.ts";
export { createLinodeClient } from "./client.ts";
export type { LinodeClient } from "./client.ts";
export { linodeFiles, linodeOptions } from "./config.ts";
export type { Env, LinodeFiles } from "./config.ts";
export { hasStatus, isNotFound, LinodeError } from "./error.ts";
export type { ErrorReason, LinodeErrorOptions } from "./error.ts";
export { filter } from "./filter.ts";
export type { Operation } from "./operation.ts";
export type {
  AttemptReport,
  CallDescription,
  DebugEntry,
  Hooks,
  IncomingResponse,
  LinodeClientOptions,
  OutgoingRequest,
} from "./options.ts";
export { WaitTimeoutError } from "./poll.ts";
export type { WaitOptions } from "./poll.ts";
export { RateBudget } from "./rate-limit.ts";
export type { RateLimit, RateLimits } from "./rate-limit.ts";
export { busyReason } from "./retry.ts";
export type { Attempt, RetryOptions } from "./retry.ts";
export { parseLinodeTime, realSystem } from "./system.ts";
export type { System } from "./system.ts";
export { operations } from "./tables/all.ts";
export type {
  Account,
  AccountContact,
  AccountNotification,
  AccountSettings,
  AccountTransfer,
  Agreements,
  CreateOAuthClient,
  CreatePaymentMethod,
  CreateServiceTransfer,
  CreateUser,
  CreditCard,
  EntityGrants,
  Grants,
  Invoice,
  InvoiceItem,
  Login,
  Maintenance,
  OAuthClient,
  Payment,
  PaymentMethod,
  PromoCredit,
  ProxyToken,
  RegionServices,
  ServiceTransfer,
  Transfer,
  UpdateAccount,
  UpdateAccountSettings,
  UpdateGrants,
  User,
} from "./types/account.ts";
export type { CallOptions, Filter, ListOptions, Open, Page } from "./types/api.ts";
export type {
  CloneDomain,
  Domain,
  DomainRecord,
  ImportDomain,
  WriteDomain,
  WriteDomainRecord,
} from "./types/domains.ts";
export type {
  Backup,
  Backups,
  BootInstance,
  CloneInstance,
  InstanceStats,
  InterfaceHistory,
  InterfaceSettings,
  MigrateInstance,
  MonthlyTransfer,
  RebuildInstance,
  RescueInstance,
  ResizeInstance,
  RestoreBackup,
  UpdateInterfaceSettings,
  UpgradedInterfaces,
} from "./types/instance-operations.ts";
export type {
  ConfigDevice,
  ConfigHelpers,
  ConfigInterface,
  CreateDisk,
  CreateInstance,
  CreateInstanceConfig,
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
  MaintenancePolicy,
  PlacementGroupMembership,
  UpdateConfigInterface,
  UpdateDisk,
  UpdateInstance,
  UpdateInstanceConfig,
} from "./types/instances.ts";
export type {
  AllocateIp,
  AssignIps,
  CreateFirewall,
  CreateIpv6Range,
  CreateNodeBalancer,
  CreateNodeBalancerConfig,
  CreateNodeBalancerNode,
  CreatePlacementGroup,
  CreateVpc,
  CreateVpcSubnet,
  DefaultFirewalls,
  Firewall,
  FirewallDevice,
  FirewallRule,
  FirewallRules,
  FirewallTemplate,
  IpAddress,
  Ipv6Range,
  NodeBalancer,
  NodeBalancerConfig,
  NodeBalancerNode,
  NodeBalancerStats,
  NodeBalancerVpc,
  PlacementGroup,
  PlacementGroupMembers,
  RebuildNodeBalancerConfig,
  ShareIps,
  UpdateFirewall,
  UpdateNodeBalancer,
  UpdateNodeBalancerConfig,
  UpdateNodeBalancerNode,
  UpdateVpc,
  Vlan,
  Vpc,
  VpcIp,
  VpcSubnet,
} from "./types/networking.ts";
export type {
  Bucket,
  BucketAccess,
  BucketAcl,
  CreateBucket,
  CreateObjectStorageKey,
  CreateObjectUrl,
  ListObjects,
  ObjectAcl,
  ObjectList,
  ObjectStorageCluster,
  ObjectStorageEndpoint,
  ObjectStorageKey,
  ObjectStorageQuota,
  StoredObjectSummary,
  WriteBucketAccess,
} from "./types/object-storage.ts";
export type {
  AccountEvent,
  AttachVolume,
  CreateImage,
  CreateStackScript,
  CreateTag,
  CreateVolume,
  EventStatus,
  Image,
  ImageUpload,
  InstanceType,
  Kernel,
  PricedType,
  Region,
  RegionAvailability,
  StackScript,
  Tag,
  TaggedObject,
  UpdateImage,
  UpdateStackScript,
  UploadImage,
  Volume,
} from "./types/services.ts";
export type { Entity, EventPoller, Waiters } from "./waiters.ts";
