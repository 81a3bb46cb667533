import { given } from "../api/given.ts";
import type {
  AssignedEntity,
  ConfigInterface,
  Disk,
  Instance,
  InstanceAddress,
  InstanceAddresses,
  InstanceConfig,
  InstanceVpcAddress,
  InstanceVpcIpv6,
  IpAddress,
} from "@capstan/linode-client";
import { types } from "../seed.ts";
import type { SimulatorState, StoredConfig, StoredConfigInterface, StoredDisk, StoredInstance } from "../state.ts";
import { runningConfig } from "./running-config.ts";
import { groupOf } from "./placement-groups.ts";
import { locksOf } from "./locks.ts";
import { isReserved, tagsOf } from "./reserved-addresses.ts";
import { apiTime } from "../times.ts";
import { type VpcAddress, vpcAddressesOf } from "./vpc-addresses.ts";

export const instanceView = (instance: StoredInstance, state: SimulatorState): Instance => {
  const type = types.find(({ id }) => id === instance.type);
  return {
    id: instance.id,
    label: instance.label,
    status: instance.activity ?? instance.status,
    region: instance.region,
    type: instance.type,
    image: instance.image,
    group: instance.group,
    tags: instance.tags,
    ipv4: [...publicAddresses(instance), ...(instance.hasPrivateIp ? [instance.address] : [])],
    ipv6: `${instance.slaac}/128`,
    created: apiTime(instance.created),
    updated: apiTime(instance.updated),
    specs: {
      disk: type?.disk ?? 0,
      memory: type?.memory ?? 0,
      vcpus: type?.vcpus ?? 0,
      gpus: type?.gpus ?? 0,
      transfer: type?.transfer ?? 0,
      accelerated_devices: 0,
    },
    backups: {
      enabled: instance.backupsEnabled,
      available: instance.backups.some(({ status }) => status === "successful"),
      last_successful: lastBackup(instance),
      schedule: instance.backupSchedule,
    },
    alerts: { ...instance.alerts, system_alerts: [], user_alerts: [] },
    locks: locksOf("linode", instance.id, state),
    site_type: "core",
    has_user_data: instance.userData !== "",
    host_uuid: "00000000-0000-4000-8000-000000000000",
    hypervisor: "kvm",
    watchdog_enabled: instance.watchdog,
    capabilities: ["Block Storage Encryption", "SMTP Enabled"],
    disk_encryption: instance.diskEncryption,
    interface_generation: instance.generation,
    placement_group: groupOf(instance, state),
    lke_cluster_id: null,
    maintenance_policy: instance.maintenancePolicy,
  };
};

const lastBackup = ({ backups }: StoredInstance): string | null => {
  const found = backups.findLast(({ status }) => status === "successful");
  return found === undefined ? null : apiTime(found.created);
};

/** With Linode interfaces it has a public address only if one of them leads there. */
export const publicAddresses = ({
  generation,
  linodeInterfaces,
  publicIp,
  extraIps,
}: StoredInstance): readonly string[] => {
  const hasOne =
    generation === "legacy_config" ||
    linodeInterfaces.some(
      (each) => given(each.public) || each.vpc?.ipv4?.addresses?.some(({ nat_1_1_address: nat }) => given(nat)),
    );
  return hasOne ? [publicIp, ...extraIps] : extraIps;
};

export const diskView = (disk: StoredDisk, instance: StoredInstance): Disk => ({
  id: disk.id,
  label: disk.label,
  status: disk.status,
  size: disk.size,
  filesystem: disk.filesystem,
  disk_encryption: disk.encryption ?? instance.diskEncryption,
  created: apiTime(disk.created),
  updated: apiTime(disk.created),
});

/** The slots that are shown empty. */
const noDevices = { sda: null, sdb: null, sdc: null, sdd: null, sde: null, sdf: null, sdg: null, sdh: null };

export const configView = (config: StoredConfig, state: SimulatorState): InstanceConfig => ({
  ...config,
  devices: {
    ...noDevices,
    ...Object.fromEntries(Object.entries(config.devices).filter(([, device]) => device !== null)),
  },
  helpers: config.helpers as unknown as InstanceConfig["helpers"],
  interfaces: config.interfaces.map((each) => configInterfaceView(each, config, state)),
  initrd: null,
  ...timesOf(config, state),
});

/** A profile is as old as its instance. */
const timesOf = (config: StoredConfig, { instances }: SimulatorState) => {
  const owner = instances.find(({ configs }) => configs.includes(config));
  const time = apiTime(owner?.created ?? 0);
  return { created: time, updated: time };
};

/** An interface of a profile; it is active while an instance runs with it. */
export const configInterfaceView = (
  each: StoredConfigInterface,
  config: StoredConfig,
  { instances }: SimulatorState,
): ConfigInterface => {
  const owner = instances.find(({ configs }) => configs.includes(config));
  return { ipv4: null, ipv6: null, ...each, active: owner?.status === "running" && runningConfig(owner) === config };
};

/** The first address of its network; of version 6, where the network itself answers. */
export const gatewayOf = (ip: string): string => (ip.includes(":") ? "fe80::1" : ip.replace(/\.\d+$/, ".1"));

const entityOf = ({ id, label }: StoredInstance): AssignedEntity => ({
  id,
  label,
  type: "linode",
  url: `/v4/linode/instances/${id}`,
});

/** An address of an instance, about which nothing special is known. */
const addressOf =
  (instance: StoredInstance) =>
  (address: string, type: string, isPublic: boolean, prefix: number): InstanceAddress => ({
    address,
    type,
    public: isPublic,
    prefix,
    region: instance.region,
    linode_id: instance.id,
    gateway: prefix === 17 ? null : gatewayOf(address),
    subnet_mask: prefix === 17 ? "255.255.128.0" : "255.255.255.0",
    rdns: null,
    reserved: false,
    interface_id: null,
    vpc_nat_1_1: null,
    assigned_entity: entityOf(instance),
    tags: [],
  });

const natOf = (ip: string, inVpcs: readonly VpcAddress[]): NonNullable<IpAddress["vpc_nat_1_1"]> | null => {
  const found = inVpcs.find(({ nat_1_1: nat }) => nat === ip);
  if (typeof found?.address !== "string") return null;
  return { address: found.address, subnet_id: found.subnet_id, vpc_id: found.vpc_id };
};

const ipv4InVpc = ({ address, ipv6: _ipv6, ...entry }: VpcAddress): readonly InstanceVpcAddress[] => {
  if (address === null) return [];
  const network = { gateway: gatewayOf(address), prefix: 24, subnet_mask: "255.255.255.0" };
  return [{ ...entry, address, address_range: null, ...network, nodebalancer_id: null, database_id: null }];
};

const ipv6InVpc = ({ ipv6, ...entry }: VpcAddress): readonly InstanceVpcIpv6[] => {
  if (ipv6 === undefined) return [];
  const { subnet_id, vpc_id, linode_id, config_id, interface_id, active } = entry;
  const place = { subnet_id, vpc_id, linode_id, config_id, interface_id, active };
  const ipv6_addresses = ipv6.slaac.map((slaac_address) => ({ slaac_address }));
  return [{ ipv6_range: ipv6.range, ipv6_is_public: ipv6.is_public, ipv6_addresses, ...place }];
};

/** The name of a public address that was given none. */
const usualName = (ip: string): string => `${ip.replaceAll(".", "-")}.ip.linodeusercontent.com`;

export const addressesView = (instance: StoredInstance, state: SimulatorState): InstanceAddresses => {
  const address = addressOf(instance);
  const inVpcs = vpcAddressesOf(instance);
  const ofPublic = publicAddresses(instance).map((ip) => ({
    ...address(ip, "ipv4", true, 24),
    vpc_nat_1_1: natOf(ip, inVpcs),
    reserved: isReserved(ip, state),
    rdns: usualName(ip),
    tags: tagsOf(ip, state),
  }));
  return {
    ipv4: {
      public: ofPublic,
      private: instance.hasPrivateIp ? [address(instance.address, "ipv4", false, 17)] : [],
      shared: instance.sharedIps.map((ip) => ({ ...address(ip, "ipv4", true, 24), rdns: usualName(ip) })),
      reserved: ofPublic.filter(({ reserved }) => reserved),
      vpc: inVpcs.flatMap(ipv4InVpc),
    },
    ipv6: {
      slaac: address(instance.slaac, "ipv6", true, 64),
      link_local: address(`fe80::${instance.id.toString(16).slice(-4)}`, "ipv6", false, 64),
      global: state.ipv6Ranges
        .filter(({ linodes }) => linodes?.includes(instance.id) === true)
        .map(({ range, prefix, region, route_target = null }) => ({ range, prefix, region, route_target })),
      vpc: inVpcs.flatMap(ipv6InVpc),
    },
  };
};
