import { stackScript } from "@capstan/infra-linode/stack-script";
import { describe, expect, it } from "vitest";
import { filter } from "@capstan/linode-client";
import { only, reasonOf, simulate, smallInstance } from "../src/testing.ts";

const rules = { inbound: [], outbound: [], inbound_policy: "DROP", outbound_policy: "ACCEPT" } as const;

describe("VPCs", () => {
  it("have subnets in both families, and go when nothing is in them", async () => {
    await using simulation = await simulate();
    const { client, clock, simulator } = simulation;
    const vpc = await client.vpcs.create({
      label: "net",
      region: "us-ord",
      ipv6: [{ range: "auto" }],
      subnets: [{ label: "first", ipv4: "10.0.0.0/24", ipv6: [{ range: "auto" }] }],
    });
    const first = only(vpc.subnets);
    expect([vpc.ipv6, first.ipv6]).toEqual([[{ range: "2001:db8:4000::/52" }], [{ range: "2001:db8:4000::/56" }]]);
    const second = await client.vpcs.createSubnet(vpc.id, {
      label: "second",
      ipv4: "10.0.1.0/24",
      ipv6: [{ range: "/56" }],
    });
    expect(second.ipv6).toEqual([{ range: "2001:db8:4000:100::/56" }]);
    expect((await client.vpcs.update(vpc.id, { label: "renamed" })).label).toBe("renamed");

    const { id } = await client.instances.create({
      ...smallInstance,
      interfaces: [
        {
          purpose: "vpc",
          subnet_id: first.id,
          ipv4: { nat_1_1: "any" },
          ipv6: { slaac: [{ range: "auto" }], is_public: true },
        },
      ],
    });
    const addresses = await client.instances.addresses(id);
    expect(addresses.ipv4.vpc).toMatchObject([{ address: "10.0.0.2", vpc_id: vpc.id, nat_1_1: expect.any(String) }]);
    expect(addresses.ipv6?.vpc).toMatchObject([
      {
        ipv6_range: "2001:db8:4000::/64",
        ipv6_is_public: true,
        ipv6_addresses: [{ slaac_address: expect.any(String) }],
      },
    ]);
    expect((await client.vpcs.getSubnet(vpc.id, first.id)).linodes).toMatchObject([
      { id, interfaces: [{ active: false }] },
    ]);
    expect(await reasonOf(client.vpcs.deleteSubnet(vpc.id, first.id))).toContain("Cannot delete a subnet");
    expect(await reasonOf(client.vpcs.delete(vpc.id))).toContain("must be empty");
    await client.instances.delete(id);
    await clock.advance(100);
    await client.vpcs.deleteSubnet(vpc.id, first.id);
    await client.vpcs.delete(vpc.id);
    expect(await client.vpcs.list()).toEqual([]);
    expect(simulator.requests.violations).toEqual([]);
  });

  const refusals: readonly (readonly [name: string, subnet: object, reason: string])[] = [
    ["a range outside of the private ones", { ipv4: "8.8.8.0/24" }, "[ipv4]"],
    ["the network of private addresses", { ipv4: "192.168.128.0/24" }, "192.168.128.0/17"],
    ["a range that overlaps", { ipv4: "10.0.0.128/25" }, "overlap with the subnet first"],
    ["a range of its own in a VPC without IPv6", { ipv4: "10.1.0.0/24", ipv6: [{ range: "auto" }] }, "[ipv6]"],
    ["a range with host bits", { ipv4: "10.1.0.1/24" }, "[ipv4]"],
    ["too small a range", { ipv4: "10.1.0.0/30" }, "prefix of 1 to 29"],
    ["a label twice", { label: "first", ipv4: "10.1.0.0/24" }, "[label] Label must be unique"],
  ];
  it.each(refusals)("refuse %s", async (_name, subnet, reason) => {
    await using simulation = await simulate();
    const { vpcs } = simulation.client;
    const vpc = await vpcs.create({
      label: "net",
      region: "us-ord",
      subnets: [{ label: "first", ipv4: "10.0.0.0/24" }],
    });
    expect(await reasonOf(vpcs.createSubnet(vpc.id, { label: "other", ...subnet }))).toContain(reason);
    expect((await vpcs.get(vpc.id)).subnets).toHaveLength(1);
  });
});

describe("firewalls", () => {
  it("keep rules with versions, and know what they are in front of", async () => {
    await using simulation = await simulate();
    const { client, clock, simulator } = simulation;
    const { firewalls, instances, nodeBalancers } = client;
    const { id } = await instances.create(smallInstance);
    const balancer = await nodeBalancers.create({ region: "us-ord", label: "front" });
    const wall = await firewalls.create({ label: "wall", rules, devices: { linodes: [id] } });
    expect(wall.entities).toMatchObject([{ id, type: "linode", label: "node-1" }]);
    const { data } = await instances.updateFirewalls(id, { firewall_ids: [wall.id] });
    expect(data).toEqual(await instances.listFirewalls(id));
    const open = { action: "ACCEPT", protocol: "TCP", ports: "22, 6443", addresses: { ipv4: ["0.0.0.0/0"] } } as const;
    expect(await firewalls.updateRules(wall.id, { ...rules, inbound: [open] })).toMatchObject({
      version: 2,
      inbound: [open],
    });
    const device = await firewalls.createDevice(wall.id, { id: balancer.id, type: "nodebalancer" });
    expect(await nodeBalancers.listFirewalls(balancer.id)).toMatchObject([{ id: wall.id }]);
    await firewalls.deleteDevice(wall.id, device.id);
    expect(await nodeBalancers.listFirewalls(balancer.id)).toEqual([]);
    expect((await firewalls.update(wall.id, { status: "disabled" })).status).toBe("disabled");
    await instances.delete(id);
    await clock.advance(100);
    expect(await firewalls.listDevices(wall.id)).toEqual([]);
    await firewalls.delete(wall.id);
    expect(simulator.requests.violations).toEqual([]);
  });

  it("take so many rules and no more, with addresses that are some", async () => {
    await using simulation = await simulate();
    const { firewalls } = simulation.client;
    const wall = await firewalls.create({ label: "wall", rules });
    const rule = { action: "ACCEPT", protocol: "TCP" } as const;
    const many = Array.from({ length: 13 }, () => rule);
    const tooMany = firewalls.updateRules(wall.id, { ...rules, inbound: many, outbound: many });
    expect(await reasonOf(tooMany)).toContain("at most 25 rules");
    const bad = [{ ...rule, addresses: { ipv4: ["300.0.0.1/8"] } }];
    expect(await reasonOf(firewalls.updateRules(wall.id, { ...rules, inbound: bad }))).toContain(
      "inbound.0.addresses.ipv4.0",
    );
    const icmp = [{ action: "ACCEPT", protocol: "ICMP", ports: "1" } as const];
    expect(await reasonOf(firewalls.updateRules(wall.id, { ...rules, inbound: icmp }))).toContain("inbound.0.ports");
  });
});

describe("placement groups", () => {
  it("take five instances of their region", async () => {
    await using simulation = await simulate({ rateLimits: [] });
    const { client, clock } = simulation;
    const { placementGroups, instances } = client;
    const group = await placementGroups.create({
      label: "apart",
      region: "us-ord",
      placement_group_type: "anti_affinity:local",
      placement_group_policy: "strict",
    });
    const placed = { ...smallInstance, placement_group: { id: group.id } };
    for (let index = 0; index < 5; index += 1) await instances.create({ ...placed, label: `node-${index}` });
    expect(await reasonOf(instances.create({ ...placed, label: "node-5" }))).toContain("at most 5 Linodes");
    const [first] = (await placementGroups.get(group.id)).members;
    expect(await instances.get(first!.linode_id)).toMatchObject({ placement_group: { id: group.id, label: "apart" } });
    expect(await reasonOf(placementGroups.delete(group.id))).toContain("must be empty");
    const left = await placementGroups.unassign(group.id, { linodes: [first!.linode_id] });
    expect(left.members).toHaveLength(4);
    const again = placementGroups.assign(group.id, { linodes: [left.members[0]!.linode_id] });
    expect(await reasonOf(again)).toContain("in a Placement Group already");
    for (const { id } of await instances.list()) await instances.delete(id);
    await clock.advance(100);
    await placementGroups.delete(group.id);
    expect(await placementGroups.list()).toEqual([]);
  });
});

describe("interfaces of instances", () => {
  it("are of the newer generation with firewalls of their own", async () => {
    await using simulation = await simulate();
    const { client, clock, simulator } = simulation;
    const { instances, vpcs, firewalls } = client;
    const wall = await firewalls.create({ label: "wall", rules });
    const vpc = await vpcs.create({
      label: "net",
      region: "us-ord",
      subnets: [{ label: "only", ipv4: "10.0.0.0/24" }],
    });
    const { private_ip: _private, ...plain } = smallInstance;
    const { id } = await instances.create({
      ...plain,
      interface_generation: "linode",
      interfaces: [
        {
          firewall_id: wall.id,
          vpc: {
            subnet_id: only(vpc.subnets).id,
            ipv4: { addresses: [{ address: "auto", primary: true, nat_1_1_address: "auto" }] },
          },
        },
        { vlan: { vlan_label: "quiet", ipam_address: "10.9.0.1/24" } },
      ],
    });
    const [inVpc, inVlan] = await instances.listInterfaces(id);
    expect(inVpc).toMatchObject({
      vpc: { vpc_id: vpc.id, ipv4: { addresses: [{ address: "10.0.0.2" }] } },
      public: null,
    });
    expect(inVlan).toMatchObject({ vlan: { vlan_label: "quiet" } });
    expect(await instances.listInterfaceFirewalls(id, inVpc!.id)).toMatchObject([{ id: wall.id }]);
    expect(await firewalls.listDevices(wall.id)).toMatchObject([
      { entity: { type: "linode_interface", id: inVpc!.id } },
    ]);
    expect((await instances.addresses(id)).ipv4.public).toHaveLength(1);
    expect(await reasonOf(instances.updateFirewalls(id, { firewall_ids: [wall.id] }))).toContain("[firewall_ids]");
    await instances.delete(id);
    await clock.advance(100);
    expect(await firewalls.listDevices(wall.id)).toEqual([]);
    expect(simulator.requests.violations).toEqual([]);
  });

  const mistakes: readonly (readonly [name: string, change: object, reason: string])[] = [
    ["two kinds in one", { interfaces: [{ public: {}, vlan: { vlan_label: "x" } }] }, "Exactly one of"],
    ["the same kind twice", { interfaces: [{ public: {} }, { public: {} }] }, "Only one public interface"],
    [
      "a VLAN twice",
      { interfaces: [{ vlan: { vlan_label: "x" } }, { vlan: { vlan_label: "x" } }] },
      "in this VLAN already",
    ],
    ["a purpose", { interfaces: [{ purpose: "public" }] }, "[interfaces.0.purpose]"],
    ["a private address", { private_ip: true }, "[private_ip]"],
    ["a firewall of the instance", { firewall: true }, "[firewall_id]"],
    ["a region without them", { region: "us-west" }, "[interface_generation]"],
  ];
  it.each(mistakes)(
    "of the newer generation refuse %s",
    async (_name, { firewall = false, ...change }: { firewall?: boolean }, reason) => {
      await using simulation = await simulate();
      const { client, simulator } = simulation;
      const wall = await client.firewalls.create({ label: "wall", rules });
      const { private_ip: _private, ...plain } = smallInstance;
      const body = {
        ...plain,
        interface_generation: "linode" as const,
        ...(firewall ? { firewall_id: wall.id } : {}),
        ...change,
      };
      expect(await reasonOf(client.instances.create(body))).toContain(reason);
      expect(simulator.state.instances).toEqual([]);
    },
  );
});

describe("VLANs", () => {
  it("are made by interfaces, ten in a region, and deleted when nothing is in them", async () => {
    await using simulation = await simulate();
    const { client, clock } = simulation;
    const vlan = (label: string, address = "10.0.0.1/24") => ({
      purpose: "vlan" as const,
      label,
      ipam_address: address,
    });
    const { id } = await client.instances.create({ ...smallInstance, interfaces: [vlan("net-0")] });
    expect(await client.networking.listVlans()).toMatchObject([{ label: "net-0", region: "us-ord", linodes: [id] }]);
    expect(await reasonOf(client.networking.deleteVlan("us-ord", "net-0"))).toContain("attached");
    const config = only(await client.instances.listConfigs(id));
    const add = (...given: Parameters<typeof vlan>) =>
      reasonOf(client.instances.addConfigInterface(id, config.id, vlan(...given)));
    expect(await add("net--1")).toContain("[label]");
    expect(await add("net-1", "10.0.0.1")).toContain("[ipam_address]");
    await clock.advance(200);
    await client.instances.delete(id);
    await clock.advance(100);
    for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
      const label = `node-${number}`;
      const made = client.instances.create({ ...smallInstance, label, interfaces: [vlan(`net-${number}`)] });
      expect(await reasonOf(made)).toMatch(number === 10 ? "interfaces.0.label" : "ok");
    }
    await client.networking.deleteVlan("us-ord", "net-0");
    expect(await reasonOf(client.networking.deleteVlan("us-ord", "net-0"))).toBe("[404] Not found");
  });
});

describe("interfaces of profiles", () => {
  it("change their addresses within their subnet", async () => {
    await using simulation = await simulate();
    const { client } = simulation;
    const vpc = await client.vpcs.create({
      label: "net",
      region: "us-ord",
      subnets: [{ label: "one", ipv4: "10.0.0.0/24" }],
    });
    const { id: subnet_id } = only(vpc.subnets);
    const node = await client.instances.create({ ...smallInstance, interfaces: [{ purpose: "vpc", subnet_id }] });
    const other = { ...smallInstance, label: "node-2", interfaces: [{ purpose: "vpc" as const, subnet_id }] };
    await client.instances.create(other);
    const config = only(await client.instances.listConfigs(node.id));
    const own = only(config.interfaces ?? []);
    const change = (ipv4: { readonly vpc?: string; readonly nat_1_1?: string }) =>
      client.instances.updateConfigInterface(node.id, config.id, own.id!, { ipv4 });
    expect((await change({ vpc: "10.0.0.9", nat_1_1: "any" })).ipv4).toEqual({
      vpc: "10.0.0.9",
      nat_1_1: node.ipv4[0],
    });
    const [outside] = (await client.instances.addresses(node.id)).ipv4.public;
    expect(outside?.vpc_nat_1_1).toEqual({ address: "10.0.0.9", subnet_id, vpc_id: vpc.id });
    expect(await client.networking.getIp(node.ipv4[0]!)).toMatchObject({ vpc_nat_1_1: { address: "10.0.0.9" } });
    expect((await change({ nat_1_1: "" })).ipv4).toEqual({ vpc: "10.0.0.9", nat_1_1: null });
    expect(await reasonOf(change({ vpc: "10.0.0.3" }))).toContain("[ipv4.vpc]");
    expect(await reasonOf(change({ nat_1_1: "192.0.2.1" }))).toContain("[ipv4.nat_1_1]");
  });
});

describe("domains", () => {
  it("have records that can be found by name", async () => {
    await using simulation = await simulate();
    const { domains } = simulation.client;
    const domain = await domains.create({ domain: "example.org", type: "master", soa_email: "a@example.org" });
    const record = await domains.createRecord(domain.id, { type: "A", name: "prod", target: "192.0.2.1", ttl_sec: 31 });
    expect(record.ttl_sec).toBe(30);
    await domains.createRecord(domain.id, { type: "TXT", name: "prod", target: "mine" });
    const byName = filter.and(filter.eq("name", "prod"), filter.eq("type", "A"));
    expect(await domains.listRecords(domain.id, { filter: byName })).toMatchObject([
      { id: record.id, target: "192.0.2.1" },
    ]);
    expect(await reasonOf(domains.createRecord(domain.id, { type: "A", name: "x", target: "::1" }))).toContain(
      "[target]",
    );
    expect(await domains.updateRecord(domain.id, record.id, { target: "192.0.2.2" })).toMatchObject({
      target: "192.0.2.2",
    });
    await domains.deleteRecord(domain.id, record.id);
    expect(await domains.listRecords(domain.id)).toHaveLength(1);
    expect(await domains.list({ filter: filter.eq("domain", "example.org") })).toHaveLength(1);
    expect(await reasonOf(domains.create({ domain: "example.org", type: "master", soa_email: "a@b.c" }))).toContain(
      "[domain]",
    );
    await domains.delete(domain.id);
    expect(await domains.list()).toEqual([]);
    expect(simulation.simulator.requests.violations).toEqual([]);
  });
});

describe("StackScripts", () => {
  const script =
    '#!/bin/bash\n# <UDF name="userdata" label="User data"/>\n# <UDF name="host" label="Host" default="web"/>\n';

  it("ask for their fields, and say on the console that they are not run", async () => {
    const booted: string[] = [];
    const guest = {
      boot: async ({ userData }: { userData: string }) => void booted.push(userData),
      shutdown: async () => undefined,
    };
    await using simulation = await simulate({ guest });
    const { client, clock, simulator } = simulation;
    const { id, user_defined_fields: fields } = await client.stackScripts.create({
      label: "start",
      images: ["any/all"],
      script,
    });
    expect(fields).toEqual([
      { name: "userdata", label: "User data" },
      { name: "host", label: "Host", default: "web" },
    ]);
    const body = { ...smallInstance, image: "linode/slackware15.0", stackscript_id: id, booted: true };
    expect(await reasonOf(client.instances.create(body))).toContain("[stackscript_data.userdata]");
    const tooMuch = { userdata: "a".repeat(65_535) };
    expect(await reasonOf(client.instances.create({ ...body, stackscript_data: tooMuch }))).toContain(
      "[stackscript_data]",
    );
    const made = await client.instances.create({ ...body, stackscript_data: { userdata: "YQ==" } });
    await clock.advance(500);
    await clock.settle();
    expect(booted).toEqual([""]);
    expect(simulator.console(made.id)).toEqual([
      expect.stringMatching(
        /^StackScript \d+ \(start\) was not run: the simulator plays no StackScripts but Capstan's own/,
      ),
    ]);
    const own = await client.stackScripts.create({ label: "own", images: ["any/all"], script: stackScript });
    const data = { instancedata: "", userdata: "YQ==" };
    await client.instances.create({ ...body, label: "node-2", stackscript_id: own.id, stackscript_data: data });
    await clock.advance(500);
    await clock.settle();
    expect(booted).toEqual(["", "YQ=="]);
    expect(await client.stackScripts.list({ filter: filter.eq("label", "start") })).toHaveLength(1);
    expect(await reasonOf(client.stackScripts.create({ label: "bad", images: ["any/all"], script: "echo" }))).toContain(
      "[script]",
    );
  });
});
