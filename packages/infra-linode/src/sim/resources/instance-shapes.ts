import { boolean, integer, list, object, text } from "@capstan/simulation";
import { tags } from "../api/shapes.ts";

const instanceLabel = text({
  min: 3,
  max: 64,
  pattern: /^[a-zA-Z0-9](?:(?!--|__|\.\.)[a-zA-Z0-9-_.])*[a-zA-Z0-9]$/,
});

const range = object({ range: text() }, ["range"]);
const nullableText = text({ nullable: true });
const nullableId = { type: "integer", nullable: true } as const;

/** An interface of either generation: the API distinguishes them by `purpose`. */
const newInterface = object({
  purpose: text({ enum: ["public", "vlan", "vpc"] }),
  label: nullableText,
  ipam_address: nullableText,
  primary: boolean,
  subnet_id: nullableId,
  ipv4: object({ vpc: nullableText, nat_1_1: nullableText }),
  ipv6: object({ slaac: list(range), ranges: list(range), is_public: boolean }),
  ip_ranges: list(text()),
  firewall_id: nullableId,
  default_route: object({ ipv4: boolean, ipv6: boolean }),
  public: object({
    ipv4: object({ addresses: list(object({ address: text(), primary: boolean }, ["address"])) }),
    ipv6: object({ ranges: list(range) }),
  }),
  vpc: object(
    {
      subnet_id: integer,
      ipv4: object({
        addresses: list(object({ address: text(), primary: boolean, nat_1_1_address: text() }, ["address"])),
        ranges: list(range),
      }),
      ipv6: object({ slaac: list(range), ranges: list(range), is_public: boolean }),
    },
    ["subnet_id"],
  ),
  vlan: object({ vlan_label: text({ min: 1, max: 64 }), ipam_address: text() }, ["vlan_label"]),
});

export const createInstanceShape = object(
  {
    region: text(),
    type: text(),
    label: instanceLabel,
    group: text(),
    image: text(),
    root_pass: text({ min: 7, max: 128 }),
    authorized_keys: list(text()),
    authorized_users: list(text()),
    backup_id: integer,
    backups_enabled: boolean,
    boot_size: { type: "integer", min: 1 },
    booted: boolean,
    disk_encryption: text({ enum: ["enabled", "disabled"] }),
    firewall_id: integer,
    interface_generation: text({ enum: ["legacy_config", "linode"] }),
    interfaces: list(newInterface, 3),
    metadata: object({ user_data: text() }),
    network_helper: boolean,
    placement_group: object({ id: integer }, ["id"]),
    private_ip: boolean,
    stackscript_id: integer,
    stackscript_data: { type: "strings" },
    swap_size: { type: "integer", min: 0 },
    tags,
  },
  ["region", "type"],
);

export const updateInstanceShape = object({ label: instanceLabel, group: text(), tags, watchdog_enabled: boolean });

const device = { ...object({ disk_id: nullableId, volume_id: nullableId }), nullable: true } as const;

export const updateConfigShape = object({
  label: text({ min: 1, max: 48 }),
  comments: text(),
  kernel: text(),
  memory_limit: integer,
  root_device: text(),
  helpers: object({
    devtmpfs_automount: boolean,
    distro: boolean,
    modules_dep: boolean,
    network: boolean,
    updatedb_disabled: boolean,
  }),
  devices: object({
    sda: device,
    sdb: device,
    sdc: device,
    sdd: device,
    sde: device,
    sdf: device,
    sdg: device,
    sdh: device,
  }),
  interfaces: list(newInterface, 3),
});

export const createDiskShape = object(
  {
    label: text({ min: 1, max: 48 }),
    size: { type: "integer", min: 1 },
    filesystem: text({ enum: ["raw", "swap", "ext3", "ext4", "initrd"] }),
    image: text(),
    root_pass: text({ min: 7, max: 128 }),
    authorized_keys: list(text()),
    authorized_users: list(text()),
  },
  ["label", "size"],
);
