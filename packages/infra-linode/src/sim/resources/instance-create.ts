import type { ConfigInterface, CreateInstance, LinodeInterface } from "@capstan/linode-client";
import { invalid } from "@capstan/simulation";
import type { StoredConfig, StoredDisk, StoredInstance, StoredVpcAddress } from "../state.ts";
import type { World } from "../world.ts";
import { checkNewInstance, swapSize, typeOf } from "./instance-rules.ts";
import { takeSubnetAddress } from "./networking.ts";

/** Makes the instance a creation request asks for and starts provisioning it. */
export const createInstance = (wanted: CreateInstance, world: World): StoredInstance => {
  checkNewInstance(wanted, world);
  const id = world.newId();
  const created = world.clock.now();
  const host = world.state.nextHost;
  const generation = wanted.interface_generation ?? "legacy_config";
  const disks = newDisks(wanted, world, created);
  const instance: StoredInstance = {
    id,
    label: wanted.label ?? `linode${id}`,
    region: wanted.region,
    type: wanted.type,
    image: wanted.image ?? null,
    group: wanted.group ?? "",
    tags: wanted.tags ?? [],
    status: "provisioning",
    created,
    updated: created,
    publicIp: `198.18.${Math.floor(host / 254) % 256}.${(host % 254) + 1}`,
    slaac: `2001:db8::f03c:${host.toString(16)}`,
    address: world.newAddress(),
    hasPrivateIp: wanted.private_ip ?? false,
    vpcAddresses: (wanted.interfaces ?? []).flatMap((entry) => vpcAddress(entry, wanted.region, world)),
    generation,
    linodeInterfaces: generation === "linode" ? ((wanted.interfaces ?? []) as readonly LinodeInterface[]) : [],
    userData: wanted.metadata?.user_data ?? "",
    backupsEnabled: wanted.backups_enabled ?? false,
    diskEncryption: wanted.disk_encryption ?? "enabled",
    bootAfterProvisioning: wanted.booted ?? wanted.image !== undefined,
    firewallIds: wanted.firewall_id === undefined ? [] : [wanted.firewall_id],
    disks,
    config: newConfig(wanted, world, disks),
    booted: false,
  };
  world.state.instances.push(instance);
  world.power.provision(instance);
  return instance;
};

const vpcAddress = (
  entry: ConfigInterface | LinodeInterface,
  region: string,
  world: World,
): readonly StoredVpcAddress[] => {
  if ("purpose" in entry) {
    if (entry.purpose !== "vpc") return [];
    if (typeof entry.subnet_id !== "number") throw invalid("subnet_id is required for vpc interfaces", "interfaces");
    return [takeSubnetAddress(entry.subnet_id, region, world)];
  }
  return entry.vpc === undefined ? [] : [takeSubnetAddress(entry.vpc.subnet_id, region, world)];
};

/** An image gets a boot disk and swap, as large as the plan allows unless `boot_size` says less. */
const newDisks = (wanted: CreateInstance, world: World, created: number): StoredDisk[] => {
  if (wanted.image === undefined) return [];
  const swap = wanted.swap_size ?? swapSize;
  const boot = wanted.boot_size ?? typeOf(wanted.type).disk - swap;
  const disk = (label: string, filesystem: string, size: number): StoredDisk => ({
    id: world.newId(),
    label,
    filesystem,
    size,
    created,
    status: "ready",
  });
  const bootDisk = disk(`${wanted.image} Disk`, "ext4", boot);
  return swap === 0 ? [bootDisk] : [bootDisk, disk(`${swap} MB Swap Image`, "swap", swap)];
};

const newConfig = (wanted: CreateInstance, world: World, disks: readonly StoredDisk[]): StoredConfig => ({
  id: world.newId(),
  label: `My ${wanted.image ?? "empty"} Disk Profile`,
  kernel: "linode/grub2",
  comments: "",
  memory_limit: 0,
  root_device: "/dev/sda",
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
  interfaces: wanted.interface_generation === "linode" ? [] : ((wanted.interfaces ?? []) as readonly ConfigInterface[]),
});
