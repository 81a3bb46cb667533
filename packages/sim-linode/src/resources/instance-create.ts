import type { AccountSettings, ConfigInterface, CreateInstance } from "@capstan/linode-client";
import { invalid, type ValueOf } from "@capstan/simulation";
import { given } from "../api/given.ts";
import { linodeSubject, note } from "../events.ts";
import type { StoredConfig, StoredDisk, StoredInstance } from "../state.ts";
import type { World } from "../world.ts";
import { publicAddress, slaacAddress } from "./example-addresses.ts";
import { setFirewall } from "./firewalls.ts";
import { checkNewInstance, findBackup, swapSize, typeOf } from "./instance-rules.ts";
import type { createInstanceShape } from "./instance-shapes.ts";
import { deployedScript } from "./stack-scripts.ts";
import { checkConfigInterfaces, guardInterface, newConfigInterface, newLinodeInterface } from "./interfaces.ts";

type Wanted = ValueOf<typeof createInstanceShape>;

/** Makes the instance a creation request asks for and starts provisioning it. */
export const createInstance = (asked: Wanted, world: World): StoredInstance => {
  const wanted = withDefaults(asked, world.state.account.settings);
  checkNewInstance(wanted, world);
  const id = world.newId();
  const disks =
    wanted.backup_id === undefined ? newDisks(wanted, world) : restoredDisks(wanted.backup_id, wanted, world);
  const instance: StoredInstance = {
    ...newMachine(id, wanted, world),
    ...addressesOf(wanted, world),
    generation: wanted.interface_generation,
    linodeInterfaces: [],
    networkHelper: wanted.network_helper,
    userData: wanted.metadata?.user_data ?? "",
    stackScript: deployedScript(wanted, world.state),
    bootAfterProvisioning: wanted.booted ?? (wanted.image !== undefined || wanted.backup_id !== undefined),
    disks,
    configs: disks.length === 0 ? [] : [newConfig(wanted, world, disks)],
  };
  connect(instance, wanted, world);
  world.state.instances.push(instance);
  try {
    guard(instance, wanted, world);
  } catch (error) {
    world.state.instances.pop();
    throw error;
  }
  note(world, "linode_create", linodeSubject(instance), "started");
  world.power.provision(instance);
  return instance;
};

/** Applies the account's settings for new instances to a request that leaves them out. */
const withDefaults = (wanted: Wanted, settings: AccountSettings) => {
  const { interfaces_for_new_linodes: rule = "", backups_enabled: backups, network_helper: helper } = settings;
  const { interface_generation: generation = rule.startsWith("linode_") ? "linode" : "legacy_config" } = wanted;
  const other = generation === "linode" ? "legacy_config_only" : "linode_only";
  if (rule === other) {
    throw invalid(`The account has ${rule} in interfaces_for_new_linodes`, "interface_generation");
  }
  const { maintenance_policy: policy = "linode/migrate" } = settings;
  const given = { network_helper: helper, backups_enabled: backups, maintenance_policy: policy };
  return { ...given, ...wanted, interface_generation: generation };
};

const newMachine = (id: number, wanted: Wanted, { clock }: World) => ({
  id,
  label: wanted.label ?? `linode${id}`,
  region: wanted.region,
  type: wanted.type,
  image: wanted.image ?? null,
  group: wanted.group ?? "",
  tags: wanted.tags ?? [],
  status: "provisioning" as const,
  created: clock.now(),
  updated: clock.now(),
  backupsEnabled: wanted.backups_enabled ?? false,
  backupSchedule: { day: null, window: null },
  backups: [],
  diskEncryption: wanted.disk_encryption ?? ("enabled" as const),
  alerts: { cpu: 90, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 },
  watchdog: true,
  maintenancePolicy: wanted.maintenance_policy ?? "linode/migrate",
  placementGroupId: wanted.placement_group?.id ?? null,
  booted: false,
});

const addressesOf = (
  { private_ip: hasPrivateIp = false, ipv4 = [] }: Pick<Wanted, "private_ip" | "ipv4">,
  world: World,
) => {
  const host = world.state.nextHost;
  const [first = publicAddress(host), ...others] = ipv4;
  return {
    publicIp: first,
    slaac: slaacAddress(host),
    address: world.newAddress(),
    hasPrivateIp,
    extraIps: others,
    sharedIps: [],
  };
};

type WantedInterface = NonNullable<Wanted["interfaces"]>[number];

/** Fields of the other generation of interfaces. */
const refuseFields = (entry: WantedInterface, names: readonly (keyof WantedInterface)[], at: string): void => {
  for (const name of names) {
    if (given(entry[name])) throw invalid(`${name} is for the other generation of interfaces`, `${at}.${name}`);
  }
};

/** Gives it its interfaces. */
const connect = (
  instance: StoredInstance,
  { interfaces = [], interface_generation: generation }: Wanted,
  world: World,
) => {
  if (generation === "linode") {
    for (const [index, entry] of interfaces.entries()) {
      const field = `interfaces.${index}`;
      refuseFields(
        entry,
        ["purpose", "label", "ipam_address", "primary", "subnet_id", "ipv4", "ipv6", "ip_ranges"],
        field,
      );
      instance.linodeInterfaces.push(newLinodeInterface(entry, instance, instance.linodeInterfaces, world, field));
    }
    return;
  }
  const wanted = interfaces.map((entry, index) => {
    if (entry.purpose === undefined) throw invalid("purpose is required.", `interfaces.${index}.purpose`);
    refuseFields(entry, ["firewall_id", "default_route", "public", "vpc", "vlan"], `interfaces.${index}`);
    return entry as ConfigInterface;
  });
  checkConfigInterfaces(wanted);
  const [config] = instance.configs;
  for (const [index, entry] of wanted.entries()) {
    config?.interfaces.push(newConfigInterface(entry, instance, world, `interfaces.${index}`));
  }
};

/** Puts it, or its interfaces, behind firewalls. */
const guard = ({ id, generation, linodeInterfaces }: StoredInstance, wanted: Wanted, world: World): void => {
  const usual = generation === "linode" ? null : world.state.defaultFirewalls.linode;
  setFirewall("linode", id, wanted.firewall_id ?? usual, world, "firewall_id");
  for (const [index, each] of linodeInterfaces.entries()) {
    guardInterface(each.id, wanted.interfaces![index]!, world, `interfaces.${index}.firewall_id`);
  }
};

type WantedDisks = Pick<CreateInstance, "image" | "boot_size" | "swap_size"> & { readonly type: string };

/** An image gets a boot disk and swap, as large as the plan allows unless `boot_size` says less. */
export const newDisks = (wanted: WantedDisks, world: World): StoredDisk[] => {
  if (wanted.image === undefined) return [];
  const swap = wanted.swap_size ?? swapSize;
  const boot = wanted.boot_size ?? typeOf(wanted.type).disk - swap;
  const bootDisk = newDisk({ label: `${wanted.image} Disk`, filesystem: "ext4", size: boot }, world);
  if (swap === 0) return [bootDisk];
  return [bootDisk, newDisk({ label: `${swap} MB Swap Image`, filesystem: "swap", size: swap }, world)];
};

/** A disk that is ready. */
export const newDisk = (
  { label, filesystem, size, encryption }: Pick<StoredDisk, "label" | "filesystem" | "size" | "encryption">,
  world: World,
): StoredDisk => ({
  label,
  filesystem,
  size,
  ...(encryption === undefined ? {} : { encryption }),
  id: world.newId(),
  created: world.clock.now(),
  status: "ready",
});

const restoredDisks = (backupId: number, { type }: Wanted, world: World): StoredDisk[] => {
  const { disks } = findBackup(backupId, world, "backup_id");
  const size = disks.reduce((sum, disk) => sum + disk.size, 0);
  if (size > typeOf(type).disk) throw invalid("The plan is too small for this backup", "type");
  return disks.map((disk) => newDisk(disk, world));
};

/** The profile that an instance gets with its disks. */
export const newConfig = (
  wanted: Pick<Wanted, "image" | "network_helper" | "kernel">,
  world: World,
  disks: readonly StoredDisk[],
): StoredConfig => ({
  id: world.newId(),
  label: `My ${wanted.image ?? "restored"} Disk Profile`,
  kernel: wanted.kernel ?? "linode/grub2",
  comments: "",
  memory_limit: 0,
  root_device: "/dev/sda",
  run_level: "default",
  virt_mode: "paravirt",
  helpers: {
    devtmpfs_automount: true,
    distro: true,
    modules_dep: true,
    network: wanted.network_helper ?? true,
    updatedb_disabled: true,
  },
  devices: {
    ...(disks[0] === undefined ? {} : { sda: { disk_id: disks[0].id, volume_id: null } }),
    ...(disks[1] === undefined ? {} : { sdb: { disk_id: disks[1].id, volume_id: null } }),
  },
  interfaces: [],
});

/** Puts copies of disks, and of the profiles that use them, into an instance. */
export const copyDisks = (
  { disks, configs }: Pick<StoredInstance, "disks" | "configs">,
  target: StoredInstance,
  world: World,
): void => {
  const copies = new Map(disks.map((disk) => [disk.id, newDisk(disk, world)]));
  target.disks.push(...copies.values());
  for (const config of configs) {
    const devices = Object.entries(config.devices).map(([slot, device]) => {
      const copy = copies.get(device?.disk_id ?? 0);
      return [slot, copy === undefined ? null : { disk_id: copy.id, volume_id: null }] as const;
    });
    target.configs.push({ ...config, id: world.newId(), devices: Object.fromEntries(devices), interfaces: [] });
  }
};
