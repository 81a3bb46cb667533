import type { Instance } from "@capstan/linode-client";
import { expect } from "vitest";
import type { Tourist } from "./tourist.ts";

/** Addresses, VLANs, VPCs, placement groups, firewalls and Linode interfaces. */
export const tourNetworking = async (world: Tourist): Promise<void> => {
  const instance = await world.offline("net-node", {
    interfaces: [{ purpose: "vlan", label: "office", ipam_address: "10.2.0.8/24" }],
  });
  const other = await world.offline("net-other");
  await addresses(world, instance, other);
  const subnet = await vpcs(world, instance);
  await placementGroups(world, instance);
  await firewalls(world, instance);
  await interfaces(world, subnet);
  await world.client.instances.delete(instance.id);
  await world.client.instances.delete(other.id);
  await world.clock.advance(1000);
  await world.client.networking.deleteVlan("us-ord", "office");
};

const addresses = async (
  { client: { instances, networking }, refused }: Tourist,
  one: Instance,
  two: Instance,
): Promise<void> => {
  const { address } = await networking.allocateIp({ type: "ipv4", public: true, linode_id: one.id });
  await networking.listIps({ query: { skip_ipv6_rdns: true } });
  await networking.getIp(address);
  await networking.updateIp(address, { rdns: "host.example.org" });
  await networking.assignIps({ region: "us-ord", assignments: [{ address, linode_id: two.id }] });
  await networking.assignIpv4s({ region: "us-ord", assignments: [{ address, linode_id: one.id }] });
  await networking.shareIps({ linode_id: two.id, ips: [address] });
  await networking.shareIpv4s({ linode_id: two.id, ips: [] });
  const { range } = await networking.createIpv6Range({ prefix_length: 64, linode_id: one.id });
  await networking.createIpv6Range({ prefix_length: 56, route_target: two.ipv6!.replace("/128", "") });
  await networking.listIpv6Ranges();
  const plain = range.split("/")[0]!;
  await networking.getIpv6Range(plain);
  await networking.deleteIpv6Range(plain);
  await networking.listIpv6Pools();
  const { address: kept } = await networking.reserveIp({ region: "us-ord", tags: ["kept"] });
  expect((await networking.updateReservedIp(kept, { tags: ["kept", "tour"] })).tags).toEqual(["kept", "tour"]);
  await networking.listReservedIpTypes();
  await refused(404, networking.getIpv6Pool("2001:db8::"));
  await networking.listReservedIps();
  await networking.getReservedIp(kept);
  await instances.addAddress(one.id, { type: "ipv4", public: true, address: kept });
  await networking.updateIp(kept, { reserved: false });
  const other = await networking.allocateIp({ type: "ipv4", public: true, reserved: true, region: "us-ord" });
  await networking.deleteReservedIp(other.address);
  await networking.listVlans();
  await networking.listTransferPrices();
};

/** Interfaces that come with an instance, or with a profile. */
const profilesWith = async (subnet_id: number, { client: { instances }, clock, offline }: Tourist, node: number) => {
  const inside = {
    purpose: "vpc",
    primary: true,
    subnet_id,
    ipv4: { vpc: "10.0.0.77", nat_1_1: "any" },
    ipv6: { slaac: [{ range: "auto" }], ranges: [{ range: "/64" }], is_public: false },
    ip_ranges: ["10.8.0.0/24"],
  } as const;
  const made = await offline("inside", { interfaces: [inside] });
  await instances.delete(made.id);
  await clock.advance(1000);
  const config = await instances.createConfig(node, { label: "inside", devices: {}, interfaces: [inside] });
  await instances.updateConfig(node, config.id, { interfaces: [inside] });
  await instances.deleteConfig(node, config.id);
};

const vpcs = async (world: Tourist, { id: node }: Instance): Promise<number> => {
  const { vpcs: calls, instances } = world.client;
  const { id, subnets } = await calls.create({
    label: "backbone",
    region: "us-ord",
    description: "where all is",
    vpc_type: "regular",
    ipv4: [{ range: "10.0.0.0/8" }],
    ipv6: [{ range: "/52", allocation_class: "default" }],
    subnets: [{ label: "first", ipv4: "10.0.0.0/24", ipv6: [{ range: "auto" }] }],
  });
  await calls.defaultRanges();
  const [subnet] = subnets;
  const second = await calls.createSubnet(id, { label: "second", ipv4: "10.0.1.0/24", ipv6: [{ range: "/56" }] });
  await calls.list();
  await calls.get(id);
  await calls.update(id, { label: "spine", description: "still", ipv4: [{ range: "10.0.0.0/8" }] });
  await calls.listSubnets(id);
  await calls.getSubnet(id, second.id);
  await calls.updateSubnet(id, second.id, { label: "other" });
  const [config] = await instances.listConfigs(node);
  const { id: own } = await instances.addConfigInterface(node, config!.id, {
    purpose: "vpc",
    primary: true,
    label: null,
    ipam_address: null,
    subnet_id: subnet!.id,
    ipv4: { vpc: "10.0.0.5", nat_1_1: "any" },
    ipv6: { slaac: [{ range: "auto" }], ranges: [{ range: "/64" }], is_public: false },
    ip_ranges: ["10.9.0.0/24"],
  });
  await instances.updateConfigInterface(node, config!.id, own!, {
    ipv4: { vpc: "10.0.0.6", nat_1_1: null },
    ipv6: { slaac: [{ range: "auto" }], ranges: [], is_public: true },
  });
  await profilesWith(subnet!.id, world, node);
  await calls.listIps(id);
  await calls.listAllIps();
  await calls.listIpv6s(id);
  await calls.listAllIpv6s();
  await instances.addresses(node);
  await instances.deleteConfigInterface(node, config!.id, own!);
  await calls.deleteSubnet(id, second.id);
  const gone = await calls.create({ label: "short-lived", region: "us-ord" });
  await calls.delete(gone.id);
  return subnet!.id;
};

const placementGroups = async ({ client: { placementGroups: calls } }: Tourist, { id: node }: Instance) => {
  const { id } = await calls.create({
    label: "spread",
    region: "us-ord",
    placement_group_type: "anti_affinity:local",
    placement_group_policy: "flexible",
  });
  await calls.list();
  await calls.assign(id, { linodes: [node], compliant_only: true });
  await calls.get(id);
  await calls.update(id, { label: "spread-2" });
  await calls.unassign(id, { linodes: [node] });
  await calls.delete(id);
};

const rule = {
  action: "ACCEPT",
  protocol: "TCP",
  label: "ssh",
  description: "from anywhere",
  ports: "22",
  addresses: { ipv4: ["0.0.0.0/0"], ipv6: ["::/0"] },
} as const;
const rules = { inbound: [rule], outbound: [rule], inbound_policy: "DROP", outbound_policy: "ACCEPT" } as const;

/** Rules and addresses under one name, in the rules of a firewall. */
const ruleSets = async ({ firewalls: calls, networking }: Tourist["client"], firewall: number): Promise<void> => {
  const [list] = await networking.listPrefixLists();
  const { name } = await networking.getPrefixList(list!.id);
  const named = { ...rule, addresses: { ipv4: [name], ipv6: [name] } };
  const set = { label: "shared", description: "of all", rules: [named] };
  const { id } = await calls.createRuleSet({ ...set, type: "inbound" });
  await calls.listRuleSets();
  await calls.getRuleSet(id);
  await calls.updateRuleSet(id, { ...set, label: "shared-2" });
  const out = await calls.createRuleSet({ ...set, type: "outbound" });
  const references = { ...rules, inbound: [{ ruleset: id }, named], outbound: [{ ruleset: out.id }, rule] };
  await calls.updateRules(firewall, references);
  const { id: second } = await calls.create({ label: "of-sets", rules: references });
  const { inbound } = await calls.expandedRules(second);
  expect(inbound.map(({ addresses }) => addresses)).toEqual([1, 2].map(() => ({ ipv4: list!.ipv4, ipv6: list!.ipv6 })));
  await calls.delete(second);
  await calls.updateRules(firewall, rules);
  await calls.deleteRuleSet(id);
  await calls.deleteRuleSet(out.id);
};

const firewalls = async ({ client }: Tourist, { id: node }: Instance): Promise<void> => {
  const { firewalls: calls } = client;
  const devices = { linodes: [node], nodebalancers: [], linode_interfaces: [] };
  const { id } = await calls.create({ label: "front", tags: ["walls"], rules, devices });
  await calls.list();
  await calls.get(id);
  await calls.update(id, { label: "front-2", tags: ["walls"], status: "enabled" });
  await calls.getRules(id);
  await calls.updateRules(id, { ...rules, inbound: [] });
  await calls.history(id);
  await calls.rulesOfVersion(id, 1);
  const [device] = await calls.listDevices(id);
  await calls.getDevice(id, device!.id);
  await calls.deleteDevice(id, device!.id);
  await calls.createDevice(id, { id: node, type: "linode" });
  await calls.settings();
  await calls.updateSettings({
    default_firewall_ids: { linode: id, nodebalancer: id, public_interface: id, vpc_interface: id },
  });
  const none = { linode: null, nodebalancer: null, public_interface: null, vpc_interface: null };
  await calls.updateSettings({ default_firewall_ids: none });
  await ruleSets(client, id);
  await calls.listTemplates();
  await calls.getTemplate("public");
  await calls.delete(id);
};

const outwards = {
  default_route: { ipv4: true, ipv6: true },
  public: { ipv4: { addresses: [{ address: "auto", primary: true }] }, ipv6: { ranges: [{ range: "/64" }] } },
};

const inVpc = (subnet_id: number, firewall_id: number) => ({
  firewall_id,
  default_route: { ipv4: false, ipv6: false },
  vpc: {
    subnet_id,
    ipv4: {
      addresses: [{ address: "auto", primary: true, nat_1_1_address: null }],
      ranges: [{ range: "10.20.0.0/24" }],
    },
    ipv6: { slaac: [{ range: "auto" }], ranges: [{ range: "/64" }], is_public: false },
  },
});

const interfaces = async ({ client, clock, offline }: Tourist, subnet_id: number): Promise<void> => {
  const { instances, firewalls: walls } = client;
  const old = await offline("upgraded", { private_ip: false });
  const [config] = await instances.listConfigs(old.id);
  await instances.upgradeInterfaces(old.id, { config_id: config!.id, dry_run: false });
  const wall = await walls.create({ label: "of-interfaces", rules });
  const { id } = await offline("new-style", {
    private_ip: undefined,
    interface_generation: "linode",
    interfaces: [{ ...outwards, firewall_id: wall.id }],
  });
  const vpc = await instances.addInterface(id, inVpc(subnet_id, wall.id));
  const given = await offline("given", {
    private_ip: undefined,
    interface_generation: "linode",
    interfaces: [inVpc(subnet_id, wall.id), { vlan: { vlan_label: "office", ipam_address: "10.2.0.9/24" } }],
  });
  await instances.addInterface(given.id, { ...outwards, firewall_id: wall.id });
  const vlan = await instances.addInterface(id, { vlan: { vlan_label: "office", ipam_address: "10.2.0.1/24" } });
  const [outside] = await instances.listInterfaces(id);
  await instances.getInterface(id, vpc.id);
  await instances.updateInterface(id, outside!.id, outwards);
  await instances.updateInterface(id, vpc.id, {
    vpc: {
      subnet_id,
      ipv4: {
        addresses: [{ address: "auto", primary: true, nat_1_1_address: "auto" }],
        ranges: [{ range: "10.21.0.0/24" }],
      },
      ipv6: { slaac: [{ range: "auto" }], ranges: [{ range: "/64" }], is_public: true },
    },
  });
  await instances.updateInterface(id, vlan.id, { vlan: { vlan_label: "office", ipam_address: "10.2.0.2/24" } });
  await instances.listInterfaceFirewalls(id, vpc.id);
  await instances.listInterfaceHistory(id);
  await instances.interfaceSettings(id);
  await instances.updateInterfaceSettings(id, {
    network_helper: false,
    default_route: { ipv4_interface_id: outside!.id, ipv6_interface_id: outside!.id },
  });
  await instances.addresses(id);
  await instances.deleteInterface(id, vlan.id);
  for (const each of [id, given.id, old.id]) await instances.delete(each);
  await clock.advance(1000);
};
