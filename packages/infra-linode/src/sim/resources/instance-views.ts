import type { Disk, Instance, InstanceAddress, InstanceAddresses, InstanceConfig } from "@capstan/linode-client";
import { types } from "../seed.ts";
import type { StoredConfig, StoredDisk, StoredInstance } from "../state.ts";
import { apiTime } from "./times.ts";

export const instanceView = (instance: StoredInstance): Instance => {
  const type = types.find(({ id }) => id === instance.type);
  return {
    id: instance.id,
    label: instance.label,
    status: instance.status,
    region: instance.region,
    type: instance.type,
    image: instance.image,
    group: instance.group,
    tags: instance.tags,
    ipv4: instance.hasPrivateIp ? [instance.publicIp, instance.address] : [instance.publicIp],
    ipv6: `${instance.slaac}/128`,
    created: apiTime(instance.created),
    updated: apiTime(instance.updated),
    specs: {
      disk: type?.disk ?? 0,
      memory: type?.memory ?? 0,
      vcpus: type?.vcpus ?? 0,
      gpus: type?.gpus ?? 0,
      transfer: type?.transfer ?? 0,
    },
    backups: { enabled: instance.backupsEnabled, available: false },
    has_user_data: instance.userData !== "",
    host_uuid: "00000000-0000-4000-8000-000000000000",
    hypervisor: "kvm",
    watchdog_enabled: true,
    capabilities: [],
    disk_encryption: instance.diskEncryption,
    interface_generation: instance.generation,
    placement_group: null,
  };
};

export const diskView = (disk: StoredDisk): Disk => ({
  id: disk.id,
  label: disk.label,
  status: disk.status,
  size: disk.size,
  filesystem: disk.filesystem,
  created: apiTime(disk.created),
  updated: apiTime(disk.created),
});

export const configView = (config: StoredConfig): InstanceConfig => ({
  id: config.id,
  label: config.label,
  kernel: config.kernel,
  comments: config.comments,
  memory_limit: config.memory_limit,
  root_device: config.root_device,
  run_level: "default",
  virt_mode: "paravirt",
  helpers: config.helpers as unknown as InstanceConfig["helpers"],
  devices: config.devices,
  interfaces: config.interfaces,
});

export const addressesView = (instance: StoredInstance): InstanceAddresses => {
  const address = (ip: string, type: string, isPublic: boolean, prefix: number): InstanceAddress => ({
    address: ip,
    type,
    public: isPublic,
    prefix,
    region: instance.region,
    linode_id: instance.id,
    gateway: null,
    subnet_mask: "255.255.255.0",
    rdns: null,
  });
  return {
    ipv4: {
      public: [address(instance.publicIp, "ipv4", true, 24)],
      private: instance.hasPrivateIp ? [address(instance.address, "ipv4", false, 17)] : [],
      shared: [],
      reserved: [],
      vpc: instance.vpcAddresses.map(({ address: ip, subnetId, vpcId }) => ({
        address: ip,
        address_range: null,
        subnet_id: subnetId,
        vpc_id: vpcId,
        linode_id: instance.id,
        nat_1_1: instance.publicIp,
        active: true,
      })),
    },
    ipv6: {
      slaac: address(instance.slaac, "ipv6", true, 64),
      link_local: address(`fe80::${instance.id.toString(16).slice(-4)}`, "ipv6", false, 64),
      global: [],
    },
  };
};
