import type { CreateDisk, Instance } from "@capstan/linode-client";
import { deviceSlots } from "../../src/resources/device-slots.ts";
import type { Tourist } from "./tourist.ts";

const key = "ssh-ed25519 AAAA";
const userData = Buffer.from("#cloud-config\n").toString("base64");

/** Instances: made, changed, their profiles, disks, backups, addresses and operations. */
export const tourInstances = async (world: Tourist): Promise<void> => {
  const instance = await made(world);
  await profiles(world, instance);
  await disks(world, instance);
  await power(world, instance);
  await backups(world, instance);
  await operations(world, instance);
  await figures(world, instance);
  await world.client.instances.delete(instance.id);
  await world.clock.advance(1000);
};

const script = {
  label: "hello",
  description: "says hello",
  images: ["any/all"],
  is_public: false,
  rev_note: "first",
  script: '#!/bin/bash\n# <UDF name="who" label="Who?" default="world" example="me"/>\necho "hello $WHO"\n',
};

const made = async ({ client, clock }: Tourist): Promise<Instance> => {
  const { instances, stackScripts, placementGroups, firewalls } = client;
  const { id: stackscript_id } = await stackScripts.create(script);
  await stackScripts.list();
  await stackScripts.get(stackscript_id);
  await stackScripts.update(stackscript_id, { ...script, rev_note: "second" });
  const group = await placementGroups.create({
    label: "apart",
    region: "us-ord",
    placement_group_type: "anti_affinity:local",
    placement_group_policy: "strict",
  });
  const rules = { inbound: [], outbound: [], inbound_policy: "DROP", outbound_policy: "ACCEPT" } as const;
  const wall = await firewalls.create({ label: "wall-of-web", rules });
  const { id } = await instances.create({
    region: "us-ord",
    type: "g6-standard-2",
    label: "web",
    group: "old",
    image: "linode/debian13",
    root_pass: "a-long-root-password",
    authorized_keys: [key],
    authorized_users: ["simulator"],
    backups_enabled: true,
    boot_size: 20_000,
    swap_size: 512,
    booted: false,
    disk_encryption: "enabled",
    firewall_id: wall.id,
    interface_generation: "legacy_config",
    interfaces: [{ purpose: "public" }],
    kernel: "linode/grub2",
    maintenance_policy: "linode/migrate",
    metadata: { user_data: userData },
    network_helper: true,
    placement_group: { id: group.id, compliant_only: true },
    private_ip: true,
    tags: ["web-tier"],
  });
  await clock.advance(1000);
  await instances.list();
  const scripted = await instances.create({
    region: "us-ord",
    type: "g6-standard-1",
    image: "linode/debian13",
    root_pass: "a-long-root-password",
    stackscript_id,
    stackscript_data: { who: "you" },
    booted: false,
  });
  await clock.advance(1000);
  await instances.rebuild(scripted.id, {
    image: "linode/debian12",
    root_pass: "another-long-password",
    authorized_keys: [key],
    authorized_users: ["simulator"],
    booted: false,
    disk_encryption: "enabled",
    metadata: { user_data: userData },
    stackscript_id,
    stackscript_data: { who: "them" },
    type: "g6-standard-2",
  });
  await clock.advance(1000);
  await instances.delete(scripted.id);
  return instances.get(id);
};

const profiles = async ({ client: { instances } }: Tourist, { id }: Instance): Promise<void> => {
  const [first] = await instances.listConfigs(id);
  const disk = { disk_id: first!.devices.sda!.disk_id!, volume_id: null };
  const devices = { ...Object.fromEntries(deviceSlots.map((slot) => [slot, null])), sda: disk };
  const all = {
    label: "second",
    comments: "for tests",
    kernel: "linode/grub2",
    memory_limit: 0,
    root_device: "/dev/sda",
    run_level: "default",
    virt_mode: "paravirt",
    helpers: { devtmpfs_automount: true, distro: true, modules_dep: true, network: true, updatedb_disabled: true },
    devices,
    interfaces: [
      { purpose: "public", primary: true, label: "", ipam_address: "" },
      { purpose: "vlan", label: "lan", ipam_address: "10.1.0.1/24", primary: false },
    ],
  } as const;
  const { id: config } = await instances.createConfig(id, all);
  await instances.getConfig(id, config);
  await instances.updateConfig(id, config, { ...all, label: "third", root_device: "/dev/sdb" });
  const [shown] = await instances.listConfigInterfaces(id, config);
  await instances.getConfigInterface(id, config, shown!.id!);
  const added = await instances.addConfigInterface(id, config, { purpose: "vlan", label: "lan-2" });
  await instances.updateConfigInterface(id, config, shown!.id!, { primary: true, ip_ranges: null });
  const ids = (await instances.listConfigInterfaces(id, config)).map((each) => each.id!);
  await instances.orderConfigInterfaces(id, config, { ids: ids.toReversed() });
  await instances.deleteConfigInterface(id, config, added.id!);
  await instances.deleteConfig(id, config);
};

const disks = async ({ client: { instances, stackScripts }, clock }: Tourist, { id }: Instance): Promise<void> => {
  const [first] = await stackScripts.list();
  const wanted: CreateDisk = {
    label: "data",
    size: 10_000,
    filesystem: "ext4",
    image: "linode/debian13",
    root_pass: "a-long-root-password",
    authorized_keys: [key],
    authorized_users: ["simulator"],
    stackscript_id: first!.id,
    stackscript_data: { who: "disk" },
    disk_encryption: "enabled",
  };
  const disk = await instances.createDisk(id, wanted);
  await clock.advance(1000);
  await instances.listDisks(id);
  await instances.getDisk(id, disk.id);
  await instances.updateDisk(id, disk.id, { label: "more-data" });
  await instances.resizeDisk(id, disk.id, { size: 12_000 });
  await clock.advance(1000);
  await instances.resetDiskPassword(id, disk.id, { password: "a-long-disk-password" });
  const copy = await instances.cloneDisk(id, disk.id);
  await clock.advance(1000);
  await instances.deleteDisk(id, copy.id);
  await instances.deleteDisk(id, disk.id);
  await stackScripts.delete(first!.id);
};

const power = async ({ client: { instances }, clock }: Tourist, { id }: Instance): Promise<void> => {
  const [config] = await instances.listConfigs(id);
  await instances.boot(id, { config_id: config!.id });
  await clock.advance(1000);
  await instances.reboot(id, { config_id: config!.id });
  await clock.advance(2000);
  await instances.shutdown(id);
  await clock.advance(1000);
  await instances.resetPassword(id, { root_pass: "another-long-password" });
  const none = { sda: null, sdb: null, sdc: null, sdd: null, sde: null, sdf: null, sdg: null };
  const [disk] = await instances.listDisks(id);
  await instances.rescue(id, { devices: { ...none, sda: { disk_id: disk!.id, volume_id: null } } });
  await clock.advance(2000);
  await instances.shutdown(id);
  await clock.advance(1000);
};

const backups = async ({ client: { instances }, clock, offline }: Tourist, { id }: Instance): Promise<void> => {
  await instances.enableBackups(id);
  const { id: backup } = await instances.createSnapshot(id, { label: "before" });
  await instances.backups(id);
  await clock.advance(1000);
  await instances.getBackup(id, backup);
  await instances.backups(id);
  await instances.restoreBackup(id, backup, { linode_id: id, overwrite: true });
  await clock.advance(1000);
  const { id: copy } = await offline("from-backup", {
    backup_id: backup,
    image: undefined,
    authorized_keys: undefined,
  });
  await instances.delete(copy);
  await instances.cancelBackups(id);
};

const operations = async (world: Tourist, { id, label }: Instance): Promise<void> => {
  const { client, clock, refused } = world;
  const { instances, placementGroups } = client;
  await instances.update(id, {
    label: `${label}-2`,
    group: "older",
    tags: ["web-tier", "blue"],
    watchdog_enabled: false,
    maintenance_policy: "linode/power_off_on",
    alerts: { cpu: 80, io: 5000, network_in: 5, network_out: 5, transfer_quota: 70 },
    backups: { schedule: { day: "Sunday", window: "W2" } },
  });
  await instances.resize(id, { type: "g6-standard-4", allow_auto_disk_resize: true, migration_type: "cold" });
  await clock.advance(1000);
  await refused(400, instances.upgrade(id, { allow_auto_disk_resize: true }));
  const old = await world.offline("old-plan", { type: "g5-standard-1" });
  await instances.upgrade(old.id, { allow_auto_disk_resize: true });
  await clock.advance(1000);
  await refused(400, instances.create({ region: "us-ord", type: "g6-standard-1", ipv4: ["192.0.2.9"] }));
  await instances.listMaintenancePolicies();
  const [group] = await placementGroups.list();
  await refused(400, instances.migrate(id, { upgrade: true, type: "cold" }));
  const older = await world.offline("older-plan", { type: "g5-standard-1" });
  await instances.migrate(older.id, { upgrade: true, type: "cold" });
  await clock.advance(1000);
  await placementGroups.unassign(group!.id, { linodes: [id] });
  await instances.migrate(id, { region: "us-ord", placement_group: { id: group!.id, compliant_only: false } });
  await clock.advance(1000);
  const [disk] = await instances.listDisks(id);
  const [config] = await instances.listConfigs(id);
  await placementGroups.unassign(group!.id, { linodes: [id] });
  const copy = await instances.clone(id, {
    region: "us-ord",
    type: "g6-standard-8",
    label: "copy",
    group: "old",
    backups_enabled: false,
    private_ip: true,
    disks: [disk!.id],
    configs: [config!.id],
    metadata: { user_data: userData },
    placement_group: { id: group!.id, compliant_only: true },
  });
  await clock.advance(2000);
  await instances.clone(id, { linode_id: copy.id, disks: [], configs: [] });
  await clock.advance(2000);
  await instances.delete(copy.id);
  await clock.advance(1000);
  await placementGroups.delete(group!.id);
};

const figures = async ({ client, clock }: Tourist, { id }: Instance): Promise<void> => {
  const { instances, firewalls } = client;
  await instances.stats(id);
  await instances.monthlyStats(id, 2026, 1);
  await instances.transfer(id);
  await instances.monthlyTransfer(id, 2026, 1);
  await instances.listVolumes(id);
  await instances.listNodeBalancers(id);
  await instances.addresses(id);
  const { address } = await instances.addAddress(id, { type: "ipv4", public: true });
  await instances.getAddress(id, address);
  await instances.updateAddress(id, address, { rdns: "web.example.org" });
  await instances.deleteAddress(id, address);
  const [wall] = await instances.listFirewalls(id);
  await instances.updateFirewalls(id, { firewall_ids: [] });
  await instances.applyFirewalls(id);
  await firewalls.delete(wall!.id);
  await clock.advance(100);
};
