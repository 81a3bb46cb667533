import { maintenancePolicies } from "../seed.ts";
import { boolean, type Fields, integer, list, object, readOnly, text } from "@capstan/simulation";
import { tags } from "../api/shapes.ts";
import { deviceSlots } from "./device-slots.ts";

const instanceLabel = text({
  min: 3,
  max: 64,
  pattern: /^[a-zA-Z0-9](?:(?!--|__|\.\.)[a-zA-Z0-9-_.])*[a-zA-Z0-9]$/,
});

const range = object({ range: text() }, ["range"]);
const nullableText = text({ nullable: true });
const nullableId = { type: "integer", nullable: true } as const;
const password = text({ min: 7, max: 128 });
const nat = object({ vpc: text({ nullable: true, format: "ipv4" }), nat_1_1: nullableText });
const vpcIpv6 = object({ slaac: list(range), ranges: list(range), is_public: boolean });
const orNull = <const S extends object>(shape: S) => ({ ...shape, nullable: true }) as const;

const configInterfaceFields = {
  purpose: text({ enum: ["public", "vlan", "vpc"] }),
  label: text({ nullable: true, max: 64, pattern: /^[a-zA-Z0-9-]*$/ }),
  ipam_address: nullableText,
  primary: boolean,
  subnet_id: nullableId,
  ipv4: nat,
  ipv6: vpcIpv6,
  ip_ranges: orNull(list(text({ format: "network" }))),
} satisfies Fields;

/** An interface of a configuration profile. */
export const configInterfaceShape = object(configInterfaceFields, ["purpose"]);
export const updateConfigInterfaceShape = object({
  primary: boolean,
  ipv4: nat,
  ipv6: vpcIpv6,
  ip_ranges: orNull(list(text({ format: "network" }))),
});

const vpcFields = {
  subnet_id: integer,
  ipv4: orNull(
    object({
      addresses: orNull(
        list(object({ address: text(), primary: boolean, nat_1_1_address: nullableText }, ["address"])),
      ),
      ranges: orNull(list(range)),
    }),
  ),
  ipv6: orNull(object({ slaac: orNull(list(range)), ranges: orNull(list(range)), is_public: boolean })),
} satisfies Fields;

const newInterfaceFields = {
  firewall_id: nullableId,
  default_route: orNull(object({ ipv4: boolean, ipv6: boolean })),
  public: orNull(
    object({
      ipv4: orNull(object({ addresses: orNull(list(object({ address: text(), primary: boolean }, ["address"]))) })),
      ipv6: orNull(object({ ranges: orNull(list(range)) })),
    }),
  ),
  vpc: orNull(object(vpcFields, ["subnet_id"])),
  vlan: orNull(object({ vlan_label: text({ min: 1, max: 64 }), ipam_address: nullableText }, ["vlan_label"])),
} satisfies Fields;

/** An interface of the newer generation, which belongs to the instance itself. */
export const newInterfaceShape = object(newInterfaceFields);
const { firewall_id: _firewall, ...changeable } = newInterfaceFields;
/** Shape of an update: fields that are not given stay unchanged. */
export const updateInterfaceShape = object({ ...changeable, vpc: orNull(object(vpcFields)) });

/** Interface of either generation: `interface_generation` says which. */
const anyInterface = object({ ...configInterfaceFields, ...newInterfaceFields });

const access = {
  root_pass: password,
  authorized_keys: list(text()),
  authorized_users: list(text()),
} satisfies Fields;

const deployment = {
  ...access,
  image: text(),
  metadata: object({ user_data: text({ nullable: true }) }),
  stackscript_id: integer,
  stackscript_data: { type: "strings" },
  booted: boolean,
} satisfies Fields;

const diskEncryption = text({ enum: ["enabled", "disabled"] });
const placementGroup = object({ id: integer, compliant_only: boolean }, ["id"]);

const policy = text({ enum: maintenancePolicies.map(({ slug }) => slug) });

export const createInstanceShape = object(
  {
    ...deployment,
    region: text(),
    type: text(),
    label: instanceLabel,
    group: text(),
    backup_id: integer,
    backups_enabled: boolean,
    boot_size: { type: "integer", min: 1 },
    disk_encryption: diskEncryption,
    firewall_id: integer,
    interface_generation: text({ enum: ["legacy_config", "linode"] }),
    interfaces: list(anyInterface, 3),
    kernel: text(),
    ipv4: list(text()),
    maintenance_policy: policy,
    network_helper: boolean,
    placement_group: placementGroup,
    private_ip: boolean,
    swap_size: { type: "integer", min: 0 },
    tags,
  },
  ["region", "type"],
);

const threshold = { type: "integer", min: 0 } as const;

export const updateInstanceShape = object({
  label: instanceLabel,
  group: text(),
  tags,
  watchdog_enabled: boolean,
  maintenance_policy: policy,
  alerts: object({
    cpu: threshold,
    io: threshold,
    network_in: threshold,
    network_out: threshold,
    transfer_quota: threshold,
  }),
  backups: object({
    available: readOnly(boolean),
    enabled: readOnly(boolean),
    last_successful: readOnly(nullableText),
    schedule: object({
      day: text({
        nullable: true,
        enum: ["Scheduling", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
      }),
      window: text({
        nullable: true,
        enum: ["Scheduling", ...Array.from({ length: 12 }, (_, index) => `W${index * 2}`)],
      }),
    }),
  }),
});

export const rebuildShape = object({ ...deployment, type: text(), disk_encryption: diskEncryption }, ["image"]);
export const resizeShape = object(
  { type: text(), allow_auto_disk_resize: boolean, migration_type: text({ enum: ["warm", "cold"] }) },
  ["type"],
);
export const migrateShape = object({
  region: text(),
  type: text({ enum: ["warm", "cold"] }),
  upgrade: boolean,
  placement_group: placementGroup,
});
export const cloneShape = object({
  region: text(),
  type: text(),
  linode_id: integer,
  label: instanceLabel,
  group: text(),
  backups_enabled: boolean,
  disks: list(integer),
  configs: list(integer),
  private_ip: boolean,
  metadata: object({ user_data: text({ nullable: true }) }),
  placement_group: placementGroup,
});

const device = orNull(object({ disk_id: nullableId, volume_id: nullableId }));
const seven = { sda: device, sdb: device, sdc: device, sdd: device, sde: device, sdf: device, sdg: device };

export const rescueShape = object({ devices: object(seven) });

const configFields = {
  label: text({ min: 1, max: 48 }),
  comments: nullableText,
  kernel: text(),
  memory_limit: threshold,
  root_device: text({ pattern: /^[a-zA-Z0-9/_-]+$/ }),
  run_level: text({ enum: ["default", "single", "binbash"] }),
  virt_mode: text({ enum: ["paravirt", "fullvirt"] }),
  helpers: object({
    devtmpfs_automount: boolean,
    distro: boolean,
    modules_dep: boolean,
    network: boolean,
    updatedb_disabled: boolean,
  }),
  devices: object(Object.fromEntries(deviceSlots.map((slot) => [slot, device]))),
  // linodego sends null for what it does not change.
  interfaces: orNull(list(configInterfaceShape, 3)),
  init_rd: readOnly(nullableId),
} satisfies Fields;

export const createConfigShape = object(configFields, ["label", "devices"]);
export const updateConfigShape = object(configFields);

export const diskLabel = text({ min: 1, max: 48 });
export const diskSize = { type: "integer", min: 1 } as const;

export const createDiskShape = object(
  {
    ...access,
    label: diskLabel,
    size: diskSize,
    filesystem: text({ enum: ["raw", "swap", "ext3", "ext4", "initrd"] }),
    image: text(),
    stackscript_id: integer,
    stackscript_data: { type: "strings" },
    disk_encryption: diskEncryption,
  },
  ["size"],
);
