import { describe, expect, it } from "vitest";
import { filter, operations, type Operation } from "@capstan/linode-client";
import { linodeRoutes } from "../src/simulator.ts";
import { only, reasonOf, simulate, smallInstance, type Simulation } from "../src/testing.ts";

const flat = (table: object): readonly Operation[] =>
  Object.values(table).flatMap((entry: Operation | object) => ("method" in entry ? [entry] : flat(entry)));

const family = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path.replaceAll(/(?<=\/)[:$][^/]+/g, "*")}`;

it("has every operation of the client", () => {
  const known = new Set(linodeRoutes.map(family));
  const missing = flat(operations)
    .map(family)
    .filter((each) => !known.has(each));
  expect(missing).toEqual([]);
});

/** An instance that is off. */
const offline = async ({ client, clock }: Simulation, change: object = {}): Promise<number> => {
  const { id } = await client.instances.create({ ...smallInstance, ...change });
  await clock.advance(200);
  return id;
};

describe("long operations of instances", () => {
  it("resize one that runs: off, larger, and running again, with events", async () => {
    await using simulation = await simulate();
    const { client, clock } = simulation;
    const id = await offline(simulation);
    await client.instances.boot(id);
    await clock.advance(300);
    await client.instances.resize(id, { type: "g6-standard-2", allow_auto_disk_resize: true });
    expect(await client.instances.get(id)).toMatchObject({ status: "resizing", type: "g6-standard-1" });
    expect(await reasonOf(client.instances.reboot(id))).toBe("[400] Linode busy.");
    expect(await reasonOf(client.instances.createDisk(id, { label: "x", size: 1 }))).toBe("[400] Linode busy.");
    await clock.advance(300);
    expect(await client.instances.get(id)).toMatchObject({ status: "booting", type: "g6-standard-2" });
    await clock.advance(300);
    expect((await client.instances.get(id)).status).toBe("running");
    expect((await client.instances.listDisks(id))[0]?.size).toBe(80 * 1024 - 512);
    const about = filter.and(filter.eq("entity.type", "linode"), filter.eq("entity.id", id));
    const events = await client.events.list({ filter: about });
    expect(events.map(({ action, status }) => [action, status])).toEqual([
      ["linode_resize", "finished"],
      ["linode_boot", "finished"],
      ["linode_create", "finished"],
    ]);
    expect(await reasonOf(client.instances.resize(id, { type: "g6-standard-2" }))).toContain("[type]");
  });

  it("rebuild, clone, reboot and migrate", async () => {
    await using simulation = await simulate();
    const { client, clock, simulator } = simulation;
    const id = await offline(simulation);
    const { id: before } = only(await client.instances.listConfigs(id));
    const rebuilt = await client.instances.rebuild(id, {
      image: "linode/debian13",
      authorized_keys: ["ssh-ed25519 AAAA"],
    });
    expect(rebuilt).toMatchObject({ status: "rebuilding", image: "linode/debian13" });
    await clock.advance(600);
    expect((await client.instances.get(id)).status).toBe("running");
    expect(only(await client.instances.listConfigs(id)).id).not.toBe(before);
    await client.instances.reboot(id);
    expect((await client.instances.get(id)).status).toBe("rebooting");
    await clock.advance(300);
    const copy = await client.instances.clone(id, { region: "us-ord", type: "g6-standard-2", label: "copy" });
    expect(await reasonOf(client.instances.shutdown(id))).toBe("[400] Linode busy.");
    await clock.advance(600);
    expect(await client.instances.get(copy.id)).toMatchObject({ status: "offline", label: "copy" });
    expect(await client.instances.listDisks(copy.id)).toHaveLength(2);
    await client.instances.migrate(copy.id, { region: "us-sea" });
    await clock.advance(300);
    expect(await client.instances.get(copy.id)).toMatchObject({ status: "offline", region: "us-sea" });
    expect(simulator.requests.violations).toEqual([]);
  });

  it("back up and restore", async () => {
    await using simulation = await simulate();
    const { client, clock } = simulation;
    const id = await offline(simulation, { boot_size: 20_000 });
    expect(await reasonOf(client.instances.createSnapshot(id, { label: "first" }))).toContain("not enabled");
    await client.instances.enableBackups(id);
    const snapshot = await client.instances.createSnapshot(id, { label: "first" });
    expect(snapshot.status).toBe("pending");
    await clock.advance(300);
    expect((await client.instances.backups(id)).snapshot.current).toMatchObject({
      id: snapshot.id,
      status: "successful",
    });
    const { id: other } = await client.instances.create({
      region: "us-ord",
      type: "g6-standard-1",
      label: "restored",
      backup_id: snapshot.id,
      booted: false,
    });
    expect((await client.instances.listDisks(other)).map(({ size }) => size)).toEqual([20_000, 512]);
    await client.instances.restoreBackup(id, snapshot.id, { linode_id: id });
    await clock.advance(300);
    expect(await client.instances.listDisks(id)).toHaveLength(4);
  });
});

describe("events", () => {
  it("are waited for from before an action on", async () => {
    await using simulation = await simulate();
    const { client, clock } = simulation;
    const id = await offline(simulation);
    const poller = await client.eventPoller({ entity: { type: "linode", id }, action: "linode_boot" });
    await client.instances.boot(id);
    await clock.advance(300);
    expect(await poller.finished({ withinMs: 1000 })).toMatchObject({ action: "linode_boot", status: "finished" });
    await client.events.markSeen((await client.events.list())[0]!.id);
    expect((await client.events.list()).every(({ seen }) => seen)).toBe(true);
  });
});

describe("volumes and images", () => {
  it("are made, used and taken away", async () => {
    await using simulation = await simulate();
    const { client, clock, simulator } = simulation;
    const id = await offline(simulation);
    const volume = await client.volumes.create({ label: "data", region: "us-ord", size: 20 });
    expect(volume.status).toBe("creating");
    expect(await reasonOf(client.volumes.attach(volume.id, { linode_id: id }))).toBe("[400] Linode busy.");
    await clock.advance(300);
    expect(await client.volumes.attach(volume.id, { linode_id: id })).toMatchObject({ linode_label: "node-1" });
    expect(await client.instances.listVolumes(id)).toMatchObject([{ id: volume.id }]);
    expect(await reasonOf(client.volumes.resize(volume.id, { size: 10 }))).toContain("[size]");
    expect(await reasonOf(client.volumes.delete(volume.id))).toContain("must be detached");
    await client.volumes.detach(volume.id);
    await client.volumes.delete(volume.id);
    const [disk] = await client.instances.listDisks(id);
    const image = await client.images.create({ disk_id: disk!.id, label: "mine", cloud_init: true });
    const use = () => client.instances.create({ ...smallInstance, label: "node-2", image: image.id });
    expect(await reasonOf(use())).toContain("[image]");
    await clock.advance(300);
    expect((await use()).image).toBe(image.id);
    await client.images.update(image.id, { tags: ["golden"] });
    expect(await client.images.list({ filter: filter.eq("tags", "golden") })).toHaveLength(1);
    await client.images.delete(image.id);
    expect(simulator.requests.violations).toEqual([]);
  });
});

describe("addresses", () => {
  it("are added, named, moved and removed", async () => {
    await using simulation = await simulate();
    const { client } = simulation;
    const first = await offline(simulation);
    const second = await offline(simulation, { label: "node-2" });
    const { address } = await client.instances.addAddress(first, { type: "ipv4", public: true });
    await client.networking.updateIp(address, { rdns: "host.example.org" });
    expect(await client.instances.getAddress(first, address)).toMatchObject({ rdns: "host.example.org" });
    await client.networking.assignIps({ region: "us-ord", assignments: [{ address, linode_id: second }] });
    expect((await client.networking.getIp(address)).linode_id).toBe(second);
    await client.instances.deleteAddress(second, address);
    expect(await reasonOf(client.networking.getIp(address))).toBe("[404] Not found");
    const { range } = await client.networking.createIpv6Range({ prefix_length: 64, linode_id: first });
    expect(range).toBe("2001:db8:8000::/64");
    expect(await client.networking.getIpv6Range("2001:db8:8000::")).toMatchObject({ prefix: 64, linodes: [first] });
  });
});

describe("shared addresses", () => {
  it("are of another instance in the region, and replace those before", async () => {
    await using simulation = await simulate();
    const { networking, instances } = simulation.client;
    const id = await offline(simulation);
    const other = await offline(simulation, { label: "node-2" });
    const far = await offline(simulation, { label: "node-3", region: "us-sea" });
    const addressOf = async (node: number) => (await instances.get(node)).ipv4[0]!;
    const shared = async () => (await instances.addresses(id)).ipv4.shared.map(({ address }) => address);
    await networking.shareIps({ linode_id: id, ips: [await addressOf(other)] });
    expect(await shared()).toEqual([await addressOf(other)]);
    for (const node of [id, far]) {
      const refused = networking.shareIps({ linode_id: id, ips: [await addressOf(node)] });
      expect(await reasonOf(refused)).toContain("[ips.0]");
    }
    await networking.shareIpv4s({ linode_id: id, ips: [] });
    expect(await shared()).toEqual([]);
  });
});

describe("the list of addresses", () => {
  it("is filtered and paged as every list is", async () => {
    await using simulation = await simulate();
    const { networking } = simulation.client;
    const id = await offline(simulation);
    await offline(simulation, { label: "node-2" });
    const own = await networking.listIps({ filter: filter.and(filter.eq("linode_id", id), filter.eq("type", "ipv4")) });
    expect(own.map((each) => each.linode_id)).toEqual([id, id]);
    const { results, pages } = await networking.listIps.page({ pageSize: 25 });
    expect({ results, pages }).toEqual({ results: 6, pages: 1 });
    expect(await reasonOf(networking.listIps({ page: 2 }))).toContain("[page]");
  });
});

describe("the account", () => {
  it("has settings, users, tags and quotas", async () => {
    await using simulation = await simulate({ quotas: { instances: 1 } });
    const { client, simulator } = simulation;
    const id = await offline(simulation);
    expect(await reasonOf(client.instances.create({ ...smallInstance, label: "node-2" }))).toContain(
      "Account Limit reached",
    );
    expect(await client.account.update({ company: "Acme" })).toMatchObject({ company: "Acme", country: "US" });
    expect(await client.account.updateSettings({ backups_enabled: true })).toMatchObject({ backups_enabled: true });
    await client.account.createUser({ username: "mate", email: "m@example.org", restricted: true });
    const oauth = await client.account.createOAuthClient({ label: "app", redirect_uri: "https://example.org" });
    expect((await client.account.getOAuthClient(oauth.id)).secret).toBe("<REDACTED>");
    await client.tags.create({ label: "blue", linodes: [id] });
    expect(await client.tags.listObjects("blue")).toEqual([{ type: "linode", data: await client.instances.get(id) }]);
    await client.tags.delete("blue");
    expect((await client.instances.get(id)).tags).toEqual([]);
    expect(simulator.requests.violations).toEqual([]);
  });
});

describe("grants", () => {
  it("are about everything the account has, and go with their user", async () => {
    await using simulation = await simulate();
    const { account, vpcs } = simulation.client;
    const id = await offline(simulation);
    const vpc = await vpcs.create({ label: "net", region: "us-ord" });
    await account.createUser({ username: "mate", email: "m@example.org", restricted: true });
    expect(await account.getGrants("mate")).toMatchObject({
      linode: [{ id, label: "node-1", permissions: null }],
      vpc: [{ id: vpc.id, label: "net", permissions: null }],
      domain: [],
      global: { account_access: null, add_linodes: false },
    });
    const change = { linode: [{ id, permissions: "read_only" as const }], global: { add_linodes: true } };
    const changed = { linode: [{ id, label: "node-1", permissions: "read_only" }], global: { add_linodes: true } };
    expect(await account.updateGrants("mate", change)).toMatchObject(changed);
    await account.updateUser("mate", { username: "friend" });
    expect(await account.getGrants("friend")).toMatchObject(changed);
    const unknown = { linode: [{ id: 1, permissions: null }] };
    expect(await reasonOf(account.updateGrants("friend", unknown))).toContain("[linode.0.id]");
    await account.deleteUser("friend");
    await account.createUser({ username: "friend", email: "m@example.org", restricted: true });
    expect((await account.getGrants("friend")).linode).toMatchObject([{ permissions: null }]);
  });
});

describe("bills", () => {
  it("have invoices with items, and payments", async () => {
    await using simulation = await simulate();
    const { account } = simulation.client;
    const invoice = only(await account.listInvoices());
    expect(await account.getInvoice(invoice.id)).toEqual(invoice);
    const item = only(await account.listInvoiceItems(invoice.id));
    expect(item.total).toBe(invoice.total);
    expect(await reasonOf(account.getInvoice(2))).toBe("[404] Not found");
    expect(await account.listLogins()).toMatchObject([{ username: "simulator", status: "successful" }]);
    const payment = await account.createPayment({ usd: "10.00" });
    expect(await account.getPayment(payment.id)).toMatchObject({ usd: 10 });
  });

  it("say what the outside world put there", async () => {
    await using simulation = await simulate();
    const { account } = simulation.client;
    const { euuid, ...details } = await account.get();
    simulation.simulator.state.account.childAccounts.push({ ...details, euuid: "child", company: "Child" });
    expect(await account.listChildAccounts()).toMatchObject([{ euuid: "child" }]);
    expect((await account.createChildToken("child")).label).toBe("Child");
    expect(await reasonOf(account.createChildToken(euuid))).toBe("[404] Not found");
  });
});

describe("objects of buckets", () => {
  it("are listed, and reached with a URL alone", async () => {
    await using simulation = await simulate({ seed: { buckets: [{ label: "data", region: "us-ord" }] } });
    const { buckets } = simulation.client.objectStorage;
    const many = Array.from({ length: 24 }, (_, index) => `b${index + 10}`);
    for (const name of ["a/1", "a/2", "b", ...many]) {
      const { url } = await buckets.createObjectUrl("us-ord", "data", { name, method: "PUT" });
      expect((await fetch(url, { method: "PUT", body: name })).status).toBe(200);
    }
    const { data } = await buckets.listObjects("us-ord", "data", { delimiter: "/" });
    expect(data.map(({ name }) => name)).toEqual(["a/", "b", ...many]);
    const first = await buckets.listObjects("us-ord", "data", { page_size: 25 });
    expect(first).toMatchObject({ is_truncated: true, next_marker: "b31" });
    const rest = await buckets.listObjects("us-ord", "data", { page_size: 25, marker: "b31" });
    expect(rest.data.map(({ name }) => name)).toEqual(["b32", "b33"]);
    const { url } = await buckets.createObjectUrl("us-ord", "data", { name: "a/1", method: "GET" });
    expect(await (await fetch(url)).text()).toBe("a/1");
    await buckets.updateObjectAcl("us-ord", "data", { name: "b", acl: "public-read" });
    expect(await buckets.getObjectAcl("us-ord", "data", { name: "b" })).toMatchObject({ acl: "public-read" });
  });
});
