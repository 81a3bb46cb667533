import type { Open } from "./api.ts";
import type { AssignedEntity } from "./networking.ts";

export type InstanceStatus = Open<
  | "running"
  | "offline"
  | "booting"
  | "busy"
  | "rebooting"
  | "shutting_down"
  | "provisioning"
  | "deleting"
  | "migrating"
  | "rebuilding"
  | "cloning"
  | "restoring"
  | "resizing"
  | "stopped"
  | "billing_suspension"
>;

/** A Linode. Sizes in MB; times without a zone are UTC (`parseLinodeTime`). */
export interface Instance {
  readonly id: number;
  readonly label: string;
  readonly status: InstanceStatus;
  readonly region: string;
  readonly type: string | null;
  readonly image: string | null;
  readonly group: string;
  readonly tags: readonly string[];
  readonly ipv4: readonly string[];
  readonly ipv6: string | null;
  readonly created: string;
  readonly updated: string;
  readonly specs: {
    readonly disk: number;
    readonly memory: number;
    readonly vcpus: number;
    readonly gpus: number;
    readonly transfer: number;
    readonly accelerated_devices?: number;
  };
  readonly backups: {
    readonly enabled: boolean;
    readonly available?: boolean;
    readonly last_successful?: string | null;
    readonly schedule?: { readonly day: string | null; readonly window: string | null };
  };
  readonly alerts?: InstanceAlerts;
  /** Kinds of locks that it has. */
  readonly locks?: readonly string[];
  readonly site_type?: Open<"core" | "distributed">;
  readonly has_user_data?: boolean;
  readonly host_uuid?: string;
  readonly hypervisor?: string;
  readonly watchdog_enabled?: boolean;
  readonly capabilities?: readonly string[];
  readonly disk_encryption?: "enabled" | "disabled";
  readonly interface_generation?: "legacy_config" | "linode";
  readonly lke_cluster_id?: number | null;
  readonly maintenance_policy?: MaintenancePolicy;
  readonly placement_group?: {
    readonly id: number;
    readonly label: string;
    readonly placement_group_type: string;
    readonly placement_group_policy: string;
    readonly migrating_to?: number | null;
  } | null;
}

/** Thresholds of the notices that the account gets, 0 is off; and the alerts that watch the instance. */
export interface InstanceAlerts {
  readonly cpu?: number;
  readonly io?: number;
  readonly network_in?: number;
  readonly network_out?: number;
  readonly transfer_quota?: number;
  readonly system_alerts?: readonly number[];
  readonly user_alerts?: readonly number[];
}

export interface CreateInstance {
  readonly region: string;
  readonly type: string;
  readonly label?: string;
  readonly group?: string;
  readonly image?: string;
  readonly root_pass?: string;
  readonly authorized_keys?: readonly string[];
  readonly authorized_users?: readonly string[];
  readonly backup_id?: number;
  readonly backups_enabled?: boolean;
  /** MB of the boot disk; the rest of the plan stays free for other disks. */
  readonly boot_size?: number;
  readonly booted?: boolean;
  readonly disk_encryption?: "enabled" | "disabled";
  readonly firewall_id?: number;
  readonly interface_generation?: "legacy_config" | "linode";
  readonly interfaces?: readonly (ConfigInterface | LinodeInterface)[];
  /** A public address of the account that no instance has. */
  readonly ipv4?: readonly string[];
  readonly kernel?: string;
  readonly maintenance_policy?: MaintenancePolicy;
  /** `user_data` is base64. */
  readonly metadata?: { readonly user_data?: string };
  readonly network_helper?: boolean;
  readonly placement_group?: PlacementGroupMembership;
  readonly private_ip?: boolean;
  readonly stackscript_id?: number;
  readonly stackscript_data?: Readonly<Record<string, string>>;
  readonly swap_size?: number;
  readonly tags?: readonly string[];
}

/** Treatment of an instance during maintenance of its host. */
export interface MaintenancePolicyChoice {
  readonly slug: MaintenancePolicy;
  readonly label: string;
  readonly description: string;
  readonly type: Open<"migrate" | "power_off_on">;
  readonly notification_period_sec: number;
  readonly is_default: boolean;
}

export type MaintenancePolicy = Open<"linode/migrate" | "linode/power_off_on">;

/** The group that an instance joins; with `compliant_only` not where it would break the rules of the group. */
export interface PlacementGroupMembership {
  readonly id: number;
  readonly compliant_only?: boolean;
}

export interface UpdateInstance {
  readonly label?: string;
  readonly group?: string;
  readonly alerts?: InstanceAlerts;
  readonly maintenance_policy?: MaintenancePolicy;
  readonly backups?: { readonly schedule?: { readonly day?: string | null; readonly window?: string | null } };
  readonly tags?: readonly string[];
  readonly watchdog_enabled?: boolean;
}

/** An interface of a configuration profile (generation `legacy_config`). */
export interface ConfigInterface {
  /** In answers. */
  readonly id?: number;
  readonly vpc_id?: number | null;
  readonly active?: boolean;
  readonly purpose: "public" | "vlan" | "vpc";
  readonly label?: string | null;
  readonly ipam_address?: string | null;
  readonly primary?: boolean;
  readonly subnet_id?: number | null;
  readonly ipv4?: { readonly vpc?: string | null; readonly nat_1_1?: string | null } | null;
  readonly ipv6?: {
    readonly slaac?: readonly { readonly range: string; readonly address?: string }[];
    readonly ranges?: readonly { readonly range: string }[];
    readonly is_public?: boolean;
  } | null;
  readonly ip_ranges?: readonly string[] | null;
}

/** An interface of generation `linode`. */
export interface LinodeInterface {
  readonly firewall_id?: number | null;
  readonly default_route?: { readonly ipv4?: boolean; readonly ipv6?: boolean };
  readonly public?: {
    readonly ipv4?: { readonly addresses?: readonly { readonly address: string; readonly primary?: boolean }[] };
    readonly ipv6?: { readonly ranges?: readonly { readonly range: string }[] };
  };
  readonly vpc?: {
    readonly subnet_id: number;
    readonly ipv4?: {
      readonly addresses?: readonly {
        readonly address: string;
        readonly primary?: boolean;
        readonly nat_1_1_address?: string | null;
      }[];
      readonly ranges?: readonly { readonly range: string }[];
    };
    readonly ipv6?: {
      readonly slaac?: readonly { readonly range: string }[];
      readonly ranges?: readonly { readonly range: string }[];
      readonly is_public?: boolean;
    };
  };
  readonly vlan?: { readonly vlan_label: string; readonly ipam_address?: string };
}

/** Fields that are left out stay as they are. */
export interface UpdateLinodeInterface extends Omit<LinodeInterface, "firewall_id" | "vpc"> {
  readonly vpc?: Partial<NonNullable<LinodeInterface["vpc"]>>;
}

/** A stored interface of generation `linode`; of `public`, `vpc` and `vlan` it has one. */
export interface InstanceInterface {
  readonly id: number;
  readonly version?: number;
  readonly mac_address?: string;
  readonly created?: string;
  readonly updated?: string;
  readonly default_route?: { readonly ipv4?: boolean; readonly ipv6?: boolean };
  readonly public?: {
    readonly ipv4?: { readonly addresses?: readonly { readonly address: string; readonly primary?: boolean }[] };
    readonly ipv6?: {
      readonly slaac?: readonly { readonly address: string; readonly prefix: number }[];
      readonly ranges?: readonly { readonly range: string; readonly route_target?: string | null }[];
    };
  } | null;
  readonly vpc?: {
    readonly vpc_id?: number;
    readonly subnet_id: number;
    readonly ipv4?: {
      readonly addresses?: readonly {
        readonly address: string;
        readonly primary?: boolean;
        readonly nat_1_1_address?: string | null;
      }[];
      readonly ranges?: readonly { readonly range: string }[];
    };
    readonly ipv6?: {
      readonly slaac?: readonly { readonly range: string; readonly address?: string }[];
      readonly ranges?: readonly { readonly range: string }[];
      readonly is_public?: boolean;
    };
  } | null;
  readonly vlan?: { readonly vlan_label: string; readonly ipam_address?: string | null } | null;
}

type AtoL = "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | "i" | "j" | "k" | "l";
type AtoZ = AtoL | "m" | "n" | "o" | "p" | "q" | "r" | "s" | "t" | "u" | "v" | "w" | "x" | "y" | "z";

/** `sda` to `sdz`, then `sdaa` to `sdbl`: 64. Plans with little memory have no more than the first eight. */
export type DeviceSlot = `sd${AtoZ}` | `sda${AtoZ}` | `sdb${AtoL}`;

export interface ConfigDevice {
  readonly disk_id?: number | null;
  readonly volume_id?: number | null;
}

export interface ConfigHelpers {
  readonly devtmpfs_automount?: boolean;
  readonly distro?: boolean;
  readonly modules_dep?: boolean;
  readonly network?: boolean;
  readonly updatedb_disabled?: boolean;
}

export interface InstanceConfig {
  readonly id: number;
  readonly label: string;
  readonly kernel: string;
  readonly comments: string | null;
  readonly memory_limit: number;
  readonly root_device: string;
  readonly run_level: Open<"default" | "single" | "binbash">;
  readonly virt_mode: Open<"paravirt" | "fullvirt">;
  readonly helpers: Readonly<Required<ConfigHelpers>>;
  readonly devices: Readonly<Partial<Record<DeviceSlot, ConfigDevice | null>>>;
  readonly interfaces: readonly ConfigInterface[] | null;
  /** Its initial RAM disk, the id of a disk. */
  readonly initrd?: number | null;
  readonly created?: string;
  readonly updated?: string;
}

/** Only the fields given are sent, so nothing else changes. */
export interface UpdateInstanceConfig {
  readonly label?: string;
  readonly comments?: string;
  readonly kernel?: string;
  readonly memory_limit?: number;
  readonly root_device?: string;
  readonly run_level?: "default" | "single" | "binbash";
  readonly virt_mode?: "paravirt" | "fullvirt";
  readonly helpers?: ConfigHelpers;
  readonly devices?: Readonly<Partial<Record<DeviceSlot, ConfigDevice | null>>>;
  readonly interfaces?: readonly ConfigInterface[] | null;
  /** Its initial RAM disk, the id of a disk. */
  readonly init_rd?: number | null;
}

export interface Disk {
  readonly id: number;
  readonly label: string;
  readonly status: Open<"ready" | "not ready" | "deleting">;
  /** MB. */
  readonly size: number;
  readonly filesystem: Open<"raw" | "swap" | "ext3" | "ext4" | "initrd">;
  readonly disk_encryption?: Open<"enabled" | "disabled">;
  readonly created: string;
  readonly updated: string;
}

export interface CreateDisk {
  readonly label: string;
  /** MB. */
  readonly size: number;
  readonly filesystem?: "raw" | "swap" | "ext3" | "ext4" | "initrd";
  readonly image?: string;
  readonly root_pass?: string;
  readonly authorized_keys?: readonly string[];
  readonly authorized_users?: readonly string[];
  readonly stackscript_id?: number;
  readonly stackscript_data?: Readonly<Record<string, string>>;
  readonly disk_encryption?: "enabled" | "disabled";
}

export interface InstanceAddress {
  readonly address: string;
  readonly type: string;
  readonly public: boolean;
  readonly prefix: number;
  readonly region: string;
  readonly linode_id: number;
  readonly gateway: string | null;
  readonly subnet_mask: string;
  readonly rdns: string | null;
  /** The address in a VPC that it stands for. */
  readonly vpc_nat_1_1?: { readonly address: string; readonly subnet_id: number; readonly vpc_id: number } | null;
  readonly reserved?: boolean;
  readonly interface_id?: number | null;
  readonly assigned_entity?: AssignedEntity | null;
  readonly tags?: readonly string[];
}

export interface AddInstanceAddress {
  readonly type: "ipv4";
  readonly public: boolean;
  /** A reserved one of its region. Default: a new one. */
  readonly address?: string;
}

export interface InstanceVpcAddress {
  readonly address: string | null;
  readonly address_range: string | null;
  readonly subnet_id: number;
  readonly vpc_id: number;
  readonly region?: string;
  readonly linode_id: number;
  readonly nat_1_1: string | null;
  readonly active: boolean;
  readonly config_id?: number | null;
  readonly interface_id?: number | null;
  readonly nodebalancer_id?: number | null;
  readonly database_id?: number | null;
  readonly gateway?: string | null;
  readonly prefix?: number;
  readonly subnet_mask?: string;
}

export interface InstanceVpcIpv6 {
  readonly ipv6_range?: string | null;
  readonly ipv6_is_public?: boolean;
  readonly ipv6_addresses?: readonly { readonly slaac_address: string }[];
  readonly subnet_id?: number;
  readonly vpc_id?: number;
}

export interface InstanceAddresses {
  readonly ipv4: {
    readonly public: readonly InstanceAddress[];
    readonly private: readonly InstanceAddress[];
    readonly shared: readonly InstanceAddress[];
    readonly reserved: readonly InstanceAddress[];
    readonly vpc?: readonly InstanceVpcAddress[];
  };
  readonly ipv6: {
    readonly slaac: InstanceAddress | null;
    readonly link_local: InstanceAddress | null;
    readonly global: readonly {
      readonly range: string;
      readonly prefix: number;
      readonly region: string;
      readonly route_target: string | null;
    }[];
    readonly vpc?: readonly InstanceVpcIpv6[];
  } | null;
}

export interface UpdateDisk {
  readonly label?: string;
}

export interface CreateInstanceConfig extends UpdateInstanceConfig {
  readonly label: string;
  readonly devices: Readonly<Partial<Record<DeviceSlot, ConfigDevice | null>>>;
}

export interface UpdateConfigInterface {
  readonly primary?: boolean;
  readonly ipv4?: ConfigInterface["ipv4"];
  readonly ipv6?: ConfigInterface["ipv6"];
  readonly ip_ranges?: readonly string[] | null;
}
