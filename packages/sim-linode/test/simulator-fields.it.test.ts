import { X509Certificate } from "node:crypto";
import { expect, it } from "vitest";
import { certificate } from "./certificate.ts";
import type { Simulation } from "../src/testing.ts";
import { reasonOf, simulate, smallInstance } from "../src/testing.ts";

/** An instance that runs, with its profile. */
const running = async ({ client, clock }: Simulation, label = "node-1") => {
  const { id } = await client.instances.create({ ...smallInstance, label });
  await clock.advance(200);
  await client.instances.boot(id);
  await clock.advance(300);
  const [config] = await client.instances.listConfigs(id);
  return { id, config: config!.id };
};

const volume = async ({ client, clock }: Simulation, more: object = {}): Promise<number> => {
  const { id } = await client.volumes.create({ label: "data", region: "us-ord", ...more });
  await clock.advance(1000);
  return id;
};

const slotsOf = async ({ client }: Simulation, id: number, config: number) => {
  const { devices } = await client.instances.getConfig(id, config);
  return Object.entries(devices).flatMap(([slot, device]) =>
    typeof device?.volume_id === "number" ? [`${slot} ${device.volume_id}`] : [],
  );
};

const reboot = async ({ client, clock }: Simulation, id: number): Promise<void> => {
  await client.instances.reboot(id);
  await clock.advance(1000);
};

it("has as many device slots as the plan has GiB of memory, and eight at least", async () => {
  await using simulation = await simulate();
  const { client, clock } = simulation;
  const slotOf = async (slot: string, type: string): Promise<string> => {
    const { id } = await client.instances.create({ ...smallInstance, label: `${type}-${slot}`, type });
    await clock.advance(1000);
    const [disk] = await client.instances.listDisks(id);
    const devices = { [slot]: { disk_id: disk!.id } };
    const created = client.instances.createConfig(id, { label: "other", devices });
    const refused = await reasonOf(created);
    if (refused !== "ok") return refused;
    const shown = await client.instances.getConfig(id, (await created).id);
    return Object.entries(shown.devices)
      .flatMap(([name, device]) => (device === null ? [] : [name]))
      .join();
  };
  expect(await slotOf("sdh", "g6-standard-1")).toBe("sdh");
  expect(await slotOf("sdi", "g6-standard-1")).toContain("[devices.sdi] The plan g6-standard-1 has 8 device slots");
  expect(await slotOf("sdaf", "g6-standard-8")).toBe("sdaf");
  expect(await slotOf("sdag", "g6-standard-8")).toContain("[devices.sdag]");
  expect(await slotOf("sdbm", "g6-standard-8")).toContain("devices.sdbm");
});

it("puts a volume into a profile, where it is until it is detached", async () => {
  await using simulation = await simulate();
  const { client } = simulation;
  const { id, config } = await running(simulation);
  const other = await client.instances.createConfig(id, { label: "other", devices: {} });
  const data = await volume(simulation, { linode_id: id, config_id: other.id });
  expect(await slotsOf(simulation, id, other.id)).toEqual([`sda ${data}`]);
  expect(await slotsOf(simulation, id, config)).toEqual([]);
  await client.volumes.detach(data);
  expect(await slotsOf(simulation, id, other.id)).toEqual([]);
  await client.volumes.attach(data, { linode_id: id });
  expect(await slotsOf(simulation, id, config), "the profile of the last boot, after its disks").toEqual([
    `sdc ${data}`,
  ]);
  await reboot(simulation, id);
  expect((await client.volumes.get(data)).linode_id).toBe(id);
  expect(await reasonOf(client.volumes.create({ label: "lost", region: "us-ord", config_id: config }))).toContain(
    "linode_id is required.",
  );
});

it("takes away a volume that does not persist when the instance boots", async () => {
  await using simulation = await simulate();
  const { client } = simulation;
  const { id, config } = await running(simulation);
  const data = await volume(simulation);
  const loose = { linode_id: id, persist_across_boots: false };
  expect(await reasonOf(client.volumes.attach(data, { ...loose, config_id: config }))).toContain("config_id");
  await client.volumes.attach(data, loose);
  expect(await slotsOf(simulation, id, config)).toEqual([]);
  expect((await client.volumes.get(data)).linode_id).toBe(id);
  await reboot(simulation, id);
  expect((await client.volumes.get(data)).linode_id).toBeNull();
  await client.instances.shutdown(id);
  await simulation.clock.advance(1000);
  expect(await reasonOf(client.volumes.attach(data, loose))).toContain("The Linode must be running");
});

it("starts the rescue system instead of what is on the disks, with devices that there are", async () => {
  const guests: string[] = [];
  await using simulation = await simulate({
    guest: { boot: ({ name }) => void guests.push(name), shutdown: async () => undefined },
  });
  const { client, clock } = simulation;
  const { id } = await running(simulation);
  await clock.settle();
  expect(guests).toEqual(["node-1"]);
  const rescue = (volume_id: number | null, disk_id: number | null) =>
    reasonOf(client.instances.rescue(id, { devices: { sda: { disk_id, volume_id } } }));
  expect(await rescue(null, 7)).toContain("A disk by that ID was not found");
  expect(await rescue(7, null)).toContain("A volume by that ID is not attached to the Linode");
  const data = await volume(simulation, { linode_id: id });
  expect(await rescue(data, null)).toBe("ok");
  await clock.advance(1000);
  await clock.settle();
  expect((await client.instances.get(id)).status).toBe("running");
  expect(guests).toEqual(["node-1"]);
  await reboot(simulation, id);
  await clock.settle();
  expect(guests).toEqual(["node-1", "node-1"]);
});

it("shows which profile an instance runs with", async () => {
  await using simulation = await simulate();
  const { client, clock } = simulation;
  const { id, config } = await running(simulation);
  const vlan = { purpose: "vlan", label: "lan", ipam_address: "10.1.0.1/24" } as const;
  const other = await client.instances.createConfig(id, { label: "other", devices: {}, interfaces: [vlan] });
  await client.instances.addConfigInterface(id, config, { purpose: "public" });
  const active = async () =>
    Promise.all(
      [config, other.id].map(async (each) => (await client.instances.listConfigInterfaces(id, each))[0]!.active),
    );
  expect(await active()).toEqual([true, false]);
  await client.instances.reboot(id, { config_id: other.id });
  await clock.advance(1000);
  expect(await active()).toEqual([false, true]);
});

it("lets an instance run during a warm resize, and restarts it then", async () => {
  await using simulation = await simulate();
  const { client, clock, simulator } = simulation;
  const { id } = await running(simulation);
  const powerOf = () => simulator.state.instances[0]!.status;
  await client.instances.resize(id, { type: "g6-standard-2", migration_type: "warm" });
  expect([powerOf(), (await client.instances.get(id)).status]).toEqual(["running", "resizing"]);
  await clock.advance(300);
  expect([powerOf(), (await client.instances.get(id)).type]).toEqual(["booting", "g6-standard-2"]);
  await clock.advance(1000);
  await client.instances.resize(id, { type: "g6-standard-4", migration_type: "cold" });
  expect(powerOf()).toBe("shutting_down");
});

it("upgrades the plan where a migration or a mutation says so", async () => {
  await using simulation = await simulate();
  const { client, clock } = simulation;
  const old = await client.instances.create({ ...smallInstance, type: "g5-standard-1" });
  await clock.advance(200);
  expect(await reasonOf(client.instances.migrate(old.id, { region: "us-sea", type: "warm" }))).toContain("cold");
  await client.instances.migrate(old.id, { upgrade: true });
  await clock.advance(1000);
  expect((await client.instances.get(old.id)).type).toBe("g6-standard-1");
  expect(await reasonOf(client.instances.migrate(old.id, { upgrade: true }))).toContain("newest generation");
});

it("keeps the encryption of disks, and what a NodeBalancer is asked to be", async () => {
  await using simulation = await simulate();
  const { client, clock } = simulation;
  const { id } = await client.instances.create({ ...smallInstance, boot_size: 20_000, disk_encryption: "enabled" });
  await clock.advance(200);
  await client.instances.createDisk(id, { label: "open", size: 1000, disk_encryption: "disabled" });
  const shown = async () => (await client.instances.listDisks(id)).map(({ disk_encryption: each }) => each);
  expect(await shown()).toEqual(["enabled", "enabled", "disabled"]);
  await clock.advance(1000);
  await client.instances.rebuild(id, {
    image: "linode/debian12",
    root_pass: "a-long-password",
    disk_encryption: "disabled",
  });
  expect(await shown()).toEqual(["disabled", "disabled"]);

  const balancer = await client.nodeBalancers.create({
    region: "us-ord",
    type: "premium",
    client_udp_sess_throttle: 5,
  });
  expect(balancer).toMatchObject({ type: "premium", client_udp_sess_throttle: 5 });
  expect(await client.nodeBalancers.update(balancer.id, { client_udp_sess_throttle: 7 })).toMatchObject({
    client_udp_sess_throttle: 7,
  });
  const vpc = await client.vpcs.create({
    label: "net",
    region: "us-ord",
    subnets: [{ label: "one", ipv4: "10.0.0.0/24" }],
  });
  const place = { subnet_id: vpc.subnets[0]!.id, ipv4_range_auto_assign: true, ipv4_range: "10.0.0.64/28" };
  const inside = await client.nodeBalancers.create({ region: "us-ord", vpcs: [place] });
  expect((await client.nodeBalancers.listVpcs(inside.id)).map(({ ipv4_range: range }) => range)).toEqual([
    "10.0.0.64/30",
  ]);
  const hand = { subnet_id: place.subnet_id, ipv4_range_auto_assign: false };
  expect(await reasonOf(client.nodeBalancers.create({ region: "us-ord", vpcs: [hand] }))).toContain("ipv4_range");
});

it("hands out ranges of an allocation class apart from others", async () => {
  await using simulation = await simulate();
  const { client } = simulation;
  const rangeOf = async (label: string, more: object) => {
    const { ipv6 } = await client.vpcs.create({ label, region: "us-ord", ipv6: [{ range: "auto", ...more }] });
    return ipv6?.[0]?.range;
  };
  expect(await rangeOf("usual", {})).toMatch(/^2001:db8:4000:/);
  expect(await rangeOf("special", { allocation_class: "special" })).toMatch(/^2001:db8:6000:/);
});

it.each([
  [{ authorized_users: ["nobody"] }, "authorized_users.0"],
  [{ interfaces: [{ purpose: "public", default_route: { ipv4: true } }] }, "interfaces.0.default_route"],
  [
    { private_ip: false, interface_generation: "linode", interfaces: [{ public: {}, primary: true }] },
    "interfaces.0.primary",
  ],
  [{ image: undefined, boot_size: 1000 }, "boot_size"],
  [{ image: undefined, kernel: "linode/grub2" }, "kernel"],
  [{ image: undefined, interfaces: [{ purpose: "public" }] }, "interfaces"],
])("refuses %j, which could have no effect", async (more, field) => {
  await using simulation = await simulate();
  const body = { ...smallInstance, ...more } as typeof smallInstance;
  await expect(simulation.client.instances.create(body)).rejects.toMatchObject({
    status: 400,
    errors: [expect.objectContaining({ field })],
  });
});

it("shows of a certificate what it is, and of the rest nothing", async () => {
  await using simulation = await simulate();
  const { nodeBalancers } = simulation.client;
  const { id } = await nodeBalancers.create({ region: "us-ord" });
  const pair = { ssl_cert: certificate.certificate, ssl_key: certificate.key };
  const https = { port: 443, protocol: "https" } as const;
  const config = await nodeBalancers.createConfig(id, { ...https, ...pair });
  const { fingerprint } = new X509Certificate(certificate.certificate);
  expect(config).toMatchObject({ ssl_commonname: "balancer.example", ssl_fingerprint: fingerprint });
  expect([config.ssl_cert, config.ssl_key]).toEqual(["<REDACTED>", "<REDACTED>"]);
  expect(await nodeBalancers.updateConfig(id, config.id, { algorithm: "source" })).toMatchObject({
    ssl_fingerprint: fingerprint,
  });
  const wrong = { ...https, port: 444, ...pair, ssl_cert: "CERTIFICATE" };
  expect(await reasonOf(nodeBalancers.createConfig(id, wrong))).toContain("The SSL certificate is not valid");
  const plain = await nodeBalancers.createConfig(id, { port: 80, protocol: "tcp" });
  expect(plain).toMatchObject({ ssl_cert: null, ssl_fingerprint: "" });
  expect(await reasonOf(nodeBalancers.updateConfig(id, plain.id, { protocol: "https" }))).toContain("are required");
  expect(await reasonOf(nodeBalancers.updateConfig(id, plain.id, { ssl_key: "KEY" }))).toContain("beside ssl_key");
});

it("signs the content type of an object", async () => {
  await using simulation = await simulate();
  const { buckets } = simulation.client.objectStorage;
  await buckets.create({ label: "data", region: "us-ord" });
  const wanted = { name: "a.txt", method: "PUT", content_type: "text/plain" };
  const { url } = await buckets.createObjectUrl("us-ord", "data", wanted);
  const put = async (type: string) =>
    (await fetch(url, { method: "PUT", body: "x", headers: { "content-type": type } })).status;
  expect([await put("text/html"), await put("text/plain")]).toEqual([403, 200]);
});

it("leaves the names of IPv6 addresses out of a list where it is asked to", async () => {
  await using simulation = await simulate();
  const { instances, networking } = simulation.client;
  const { id } = await instances.create(smallInstance);
  const { ipv6, ipv4 } = await instances.addresses(id);
  const addresses = [ipv4.public[0]!.address, ipv6!.slaac!.address];
  for (const address of addresses) await networking.updateIp(address, { rdns: "node.example.com" });
  const named = async (options: object) =>
    (await networking.listIps(options)).filter(({ rdns }) => rdns !== null).map(({ address }) => address);
  expect(await named({})).toEqual(addresses);
  expect(await named({ query: { skip_ipv6_rdns: true } })).toEqual(addresses.slice(0, 1));
});

it("gives new instances what the account says of them", async () => {
  await using simulation = await simulate();
  const { account, instances } = simulation.client;
  const make = (label: string, more: object = {}) =>
    instances.create({ ...smallInstance, private_ip: false, label, ...more });
  await account.updateSettings({
    backups_enabled: true,
    network_helper: false,
    interfaces_for_new_linodes: "linode_default_but_legacy_config_allowed",
  });
  const usual = await make("usual", { interfaces: [{ public: {} }] });
  expect(usual).toMatchObject({ interface_generation: "linode", backups: { enabled: true } });
  const [config] = await instances.listConfigs(usual.id);
  expect(config?.helpers.network).toBe(false);
  const said = { backups_enabled: false, network_helper: true, interface_generation: "legacy_config" };
  expect(await make("said", said)).toMatchObject({
    interface_generation: "legacy_config",
    backups: { enabled: false },
  });
  await account.updateSettings({ interfaces_for_new_linodes: "linode_only" });
  expect(await reasonOf(make("older", said))).toContain("[interface_generation]");
  await account.updateSettings({ interfaces_for_new_linodes: "legacy_config_only" });
  expect(await reasonOf(make("newer", { interface_generation: "linode" }))).toContain("[interface_generation]");
});

it("puts new things behind the default firewalls, unless they say otherwise", async () => {
  await using simulation = await simulate();
  const { client, clock } = simulation;
  const { firewalls, instances, nodeBalancers, vpcs } = client;
  const rules = { inbound_policy: "DROP", outbound_policy: "ACCEPT", inbound: [], outbound: [] } as const;
  const [usual, inner] = [
    await firewalls.create({ label: "usual", rules }),
    await firewalls.create({ label: "inner", rules }),
  ];
  const defaults = { linode: usual.id, nodebalancer: usual.id, public_interface: usual.id, vpc_interface: inner.id };
  await firewalls.updateSettings({ default_firewall_ids: defaults });
  const ids = (list: readonly { readonly id: number }[]) => list.map(({ id }) => id);
  const made = await instances.create({ ...smallInstance, label: "usual" });
  expect(ids(await instances.listFirewalls(made.id))).toEqual([usual.id]);
  const open = await instances.create({ ...smallInstance, label: "open", firewall_id: -1 });
  expect(await instances.listFirewalls(open.id)).toEqual([]);
  const balancer = await nodeBalancers.create({ region: "us-ord" });
  expect(ids(await nodeBalancers.listFirewalls(balancer.id))).toEqual([usual.id]);
  const vpc = await vpcs.create({ label: "net", region: "us-ord", subnets: [{ label: "one", ipv4: "10.0.0.0/24" }] });
  const newer = await instances.create({
    ...smallInstance,
    private_ip: false,
    label: "newer",
    interface_generation: "linode",
    interfaces: [{ public: {} }, { vpc: { subnet_id: vpc.subnets[0]!.id } }],
  });
  const bare = await instances.create({
    ...smallInstance,
    private_ip: false,
    label: "bare",
    interface_generation: "linode",
    interfaces: [],
  });
  const of = await Promise.all(
    (await instances.listInterfaces(newer.id)).map(async ({ id }) =>
      ids(await instances.listInterfaceFirewalls(newer.id, id)),
    ),
  );
  expect(of).toEqual([[usual.id], [inner.id]]);
  await clock.advance(200);
  const more = await instances.addInterface(bare.id, { public: {}, firewall_id: -1 });
  expect(await instances.listInterfaceFirewalls(bare.id, more.id)).toEqual([]);
  expect(await reasonOf(firewalls.delete(usual.id))).toContain("default for linode");
});

it("refuses for a clone into an existing instance what only a new one can be told", async () => {
  await using simulation = await simulate();
  const { client, clock } = simulation;
  const { id } = await client.instances.create({ ...smallInstance, boot_size: 1000 });
  const { id: target } = await client.instances.create({ ...smallInstance, boot_size: 1000, label: "target" });
  await clock.advance(200);
  const clone = (more: object) => reasonOf(client.instances.clone(id, { linode_id: target, ...more }));
  expect(await clone({ metadata: { user_data: "" } })).toContain("[metadata] metadata is for a new Linode");
  expect(await clone({ label: "other" })).toContain("[label]");
  expect(await clone({})).toBe("ok");
});

it("keeps a payment by PayPal until it is executed, once", async () => {
  await using simulation = await simulate();
  const { account } = simulation.client;
  const urls = { redirect_url: "https://a.example", cancel_url: "https://b.example" };
  const { payment_id } = await account.stagePaypalPayment({ usd: "12.50", ...urls });
  expect(await account.listPayments()).toEqual([]);
  await account.executePaypalPayment({ payer_id: "ABC", payment_id });
  expect(await account.listPayments()).toMatchObject([{ usd: 12.5 }]);
  expect((await account.get()).balance).toBe(-12.5);
  expect(await reasonOf(account.executePaypalPayment({ payer_id: "ABC", payment_id }))).toContain("[payment_id]");
  expect(await reasonOf(account.createPayment({ usd: "1.00", payment_method_id: 7 }))).toContain("[payment_method_id]");
  expect(await reasonOf(account.stagePaypalPayment({ usd: "1.00", ...urls, cancel_url: "back" }))).toContain(
    "cancel_url",
  );
});
