import { acts, deletes, lists, of, posts, puts, reads } from "../operation.ts";
import type { Page } from "../types/api.ts";
import type {
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
} from "../types/instance-operations.ts";
import type {
  AddInstanceAddress,
  ConfigInterface,
  CreateDisk,
  CreateInstance,
  CreateInstanceConfig,
  Disk,
  Instance,
  InstanceAddress,
  InstanceAddresses,
  InstanceConfig,
  InstanceInterface,
  LinodeInterface,
  MaintenancePolicyChoice,
  UpdateConfigInterface,
  UpdateDisk,
  UpdateInstance,
  UpdateInstanceConfig,
  UpdateLinodeInterface,
} from "../types/instances.ts";
import type { Transfer } from "../types/account.ts";
import type { Firewall } from "../types/firewalls.ts";
import type { NodeBalancer } from "../types/networking.ts";
import type { Volume } from "../types/services.ts";

const one = "linode/instances/:id" as const;

/** Linodes with their profiles, disks, addresses, interfaces and backups. */
export const instances = {
  list: lists("linode/instances", of<Instance>),
  get: reads(one, of<Instance>),
  create: posts("linode/instances", of<CreateInstance>, of<Instance>),
  update: puts(one, of<UpdateInstance>, of<Instance>),
  delete: deletes(one),
  /** The values of `maintenance_policy`. */
  listMaintenancePolicies: lists("maintenance/policies", of<MaintenancePolicyChoice>),

  boot: posts(`${one}/boot`, of<BootInstance>),
  reboot: posts(`${one}/reboot`, of<BootInstance>),
  shutdown: acts(`${one}/shutdown`),
  resize: posts(`${one}/resize`, of<ResizeInstance>),
  rebuild: posts(`${one}/rebuild`, of<RebuildInstance>, of<Instance>),
  migrate: posts(`${one}/migrate`, of<MigrateInstance>),
  /** Moves it to the newest hardware of its plan. */
  upgrade: posts(`${one}/mutate`, of<{ readonly allow_auto_disk_resize?: boolean }>),
  clone: posts(`${one}/clone`, of<CloneInstance>, of<Instance>),
  rescue: posts(`${one}/rescue`, of<RescueInstance>),
  resetPassword: posts(`${one}/password`, of<{ readonly root_pass: string }>),
  stats: reads(`${one}/stats`, of<InstanceStats>),
  monthlyStats: reads(`${one}/stats/:year/:month`, of<InstanceStats>),
  transfer: reads(`${one}/transfer`, of<Transfer>),
  monthlyTransfer: reads(`${one}/transfer/:year/:month`, of<MonthlyTransfer>),
  listVolumes: lists(`${one}/volumes`, of<Volume>),
  listNodeBalancers: lists(`${one}/nodebalancers`, of<NodeBalancer>),

  addresses: reads(`${one}/ips`, of<InstanceAddresses>),
  getAddress: reads(`${one}/ips/$address`, of<InstanceAddress>),
  addAddress: posts(`${one}/ips`, of<AddInstanceAddress>, of<InstanceAddress>),
  updateAddress: puts(`${one}/ips/$address`, of<{ readonly rdns: string | null }>, of<InstanceAddress>),
  deleteAddress: deletes(`${one}/ips/$address`),

  listConfigs: lists(`${one}/configs`, of<InstanceConfig>),
  getConfig: reads(`${one}/configs/:config`, of<InstanceConfig>),
  createConfig: posts(`${one}/configs`, of<CreateInstanceConfig>, of<InstanceConfig>),
  /** Sends the given fields only. */
  updateConfig: puts(`${one}/configs/:config`, of<UpdateInstanceConfig>, of<InstanceConfig>),
  deleteConfig: deletes(`${one}/configs/:config`),
  listConfigInterfaces: reads(`${one}/configs/:config/interfaces`, of<readonly ConfigInterface[]>),
  getConfigInterface: reads(`${one}/configs/:config/interfaces/:interface`, of<ConfigInterface>),
  addConfigInterface: posts(`${one}/configs/:config/interfaces`, of<ConfigInterface>, of<ConfigInterface>),
  updateConfigInterface: puts(
    `${one}/configs/:config/interfaces/:interface`,
    of<UpdateConfigInterface>,
    of<ConfigInterface>,
  ),
  deleteConfigInterface: deletes(`${one}/configs/:config/interfaces/:interface`),
  orderConfigInterfaces: posts(`${one}/configs/:config/interfaces/order`, of<{ readonly ids: readonly number[] }>),

  listDisks: lists(`${one}/disks`, of<Disk>),
  getDisk: reads(`${one}/disks/:disk`, of<Disk>),
  createDisk: posts(`${one}/disks`, of<CreateDisk>, of<Disk>),
  updateDisk: puts(`${one}/disks/:disk`, of<UpdateDisk>, of<Disk>),
  deleteDisk: deletes(`${one}/disks/:disk`),
  /** MB. */
  resizeDisk: posts(`${one}/disks/:disk/resize`, of<{ readonly size: number }>),
  cloneDisk: acts(`${one}/disks/:disk/clone`, of<Disk>),
  resetDiskPassword: posts(`${one}/disks/:disk/password`, of<{ readonly password: string }>),

  backups: reads(`${one}/backups`, of<Backups>),
  getBackup: reads(`${one}/backups/:backup`, of<Backup>),
  createSnapshot: posts(`${one}/backups`, of<{ readonly label: string }>, of<Backup>),
  restoreBackup: posts(`${one}/backups/:backup/restore`, of<RestoreBackup>),
  enableBackups: acts(`${one}/backups/enable`),
  /** Deletes all backups there are. */
  cancelBackups: acts(`${one}/backups/cancel`),

  listFirewalls: lists(`${one}/firewalls`, of<Firewall>),
  /** Replaces the firewalls of an instance. */
  updateFirewalls: puts(`${one}/firewalls`, of<{ readonly firewall_ids: readonly number[] }>, of<Page<Firewall>>),
  /** Applies firewalls again that did not take effect. */
  applyFirewalls: acts(`${one}/firewalls/apply`),

  /** Interfaces of generation `linode`. */
  listInterfaces: reads(`${one}/interfaces`, of<readonly InstanceInterface[]>, { field: "interfaces" }),
  getInterface: reads(`${one}/interfaces/:interface`, of<InstanceInterface>),
  addInterface: posts(`${one}/interfaces`, of<LinodeInterface>, of<InstanceInterface>),
  updateInterface: puts(`${one}/interfaces/:interface`, of<UpdateLinodeInterface>, of<InstanceInterface>),
  deleteInterface: deletes(`${one}/interfaces/:interface`),
  listInterfaceFirewalls: lists(`${one}/interfaces/:interface/firewalls`, of<Firewall>),
  listInterfaceHistory: lists(`${one}/interfaces/history`, of<InterfaceHistory>),
  interfaceSettings: reads(`${one}/interfaces/settings`, of<InterfaceSettings>),
  updateInterfaceSettings: puts(`${one}/interfaces/settings`, of<UpdateInterfaceSettings>, of<InterfaceSettings>),
  /** From the interfaces of a profile to those of generation `linode`; tries it only, unless `dry_run` is false. */
  upgradeInterfaces: posts(
    `${one}/upgrade-interfaces`,
    of<{ readonly config_id?: number; readonly dry_run?: boolean }>,
    of<UpgradedInterfaces>,
  ),
};
