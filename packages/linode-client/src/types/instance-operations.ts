import type { Open } from "./api.ts";
import type { ConfigDevice, CreateInstance, InstanceInterface } from "./instances.ts";

/** The configuration profile to boot with. */
export interface BootInstance {
  readonly config_id?: number | null;
}

export interface ResizeInstance {
  readonly type: string;
  /** Let the one disk grow or shrink with the plan. Default true. */
  readonly allow_auto_disk_resize?: boolean;
  readonly migration_type?: "warm" | "cold";
}

export interface RebuildInstance extends Pick<
  CreateInstance,
  "authorized_keys" | "authorized_users" | "booted" | "metadata" | "root_pass" | "stackscript_id" | "stackscript_data"
> {
  readonly image: string;
  readonly type?: string;
  readonly disk_encryption?: "enabled" | "disabled";
}

export interface MigrateInstance {
  readonly region?: string;
  readonly type?: "warm" | "cold";
  readonly upgrade?: boolean;
  readonly placement_group?: CreateInstance["placement_group"];
}

/** Into a new instance (`region`, `type`), or into another one (`linode_id`). */
export interface CloneInstance extends Pick<
  CreateInstance,
  "backups_enabled" | "group" | "label" | "metadata" | "placement_group" | "private_ip"
> {
  readonly region?: string;
  readonly type?: string;
  readonly linode_id?: number;
  readonly disks?: readonly number[];
  readonly configs?: readonly number[];
}

type RescueSlot = "sda" | "sdb" | "sdc" | "sdd" | "sde" | "sdf" | "sdg";

export interface RescueInstance {
  readonly devices?: Readonly<Partial<Record<RescueSlot, ConfigDevice | null>>>;
}

export interface Backup {
  readonly id: number;
  readonly type: Open<"auto" | "snapshot">;
  readonly label: string | null;
  readonly status: Open<
    "paused" | "pending" | "running" | "needsPostProcessing" | "successful" | "failed" | "userAborted"
  >;
  readonly available: boolean;
  readonly region?: string;
  readonly configs: readonly string[];
  readonly disks: readonly { readonly label: string; readonly size: number; readonly filesystem: string }[];
  readonly created: string;
  readonly updated: string;
  readonly finished: string | null;
}

export interface Backups {
  readonly automatic: readonly Backup[];
  readonly snapshot: { readonly current: Backup | null; readonly in_progress: Backup | null };
}

export interface RestoreBackup {
  readonly linode_id: number;
  /** Deletes what is there first. Default false. */
  readonly overwrite?: boolean;
}

type Series = readonly (readonly number[])[];

/** Pairs of a time, in milliseconds since the epoch, and a value. */
export interface InstanceStats {
  readonly title: string;
  readonly data: {
    readonly cpu: Series;
    readonly io: { readonly io: Series; readonly swap: Series };
    readonly netv4: {
      readonly in: Series;
      readonly out: Series;
      readonly private_in: Series;
      readonly private_out: Series;
    };
    readonly netv6: {
      readonly in: Series;
      readonly out: Series;
      readonly private_in: Series;
      readonly private_out: Series;
    };
  };
}

export interface MonthlyTransfer {
  readonly bytes_in: number;
  readonly bytes_out: number;
  readonly bytes_total: number;
}

export interface InterfaceSettings {
  readonly network_helper: boolean;
  readonly default_route: {
    readonly ipv4_interface_id: number | null;
    readonly ipv4_eligible_interface_ids: readonly number[];
    readonly ipv6_interface_id: number | null;
    readonly ipv6_eligible_interface_ids: readonly number[];
  };
}

export interface UpdateInterfaceSettings {
  readonly network_helper?: boolean;
  readonly default_route?: { readonly ipv4_interface_id?: number | null; readonly ipv6_interface_id?: number | null };
}

export interface UpgradedInterfaces {
  readonly config_id: number;
  readonly dry_run: boolean;
  readonly interfaces: readonly InstanceInterface[];
}

export interface InterfaceHistory {
  readonly interface_history_id: number;
  readonly interface_id: number;
  readonly linode_id: number;
  readonly event_id: number;
  readonly version: number;
  readonly interface_data: unknown;
  readonly created: string;
}
