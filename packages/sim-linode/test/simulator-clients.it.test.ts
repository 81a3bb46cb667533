import { expect, it } from "vitest";
import { only, reasonOf, simulate, type Simulation, smallInstance } from "../src/testing.ts";

/** What a client of the API sends, as it writes it. */
const sent = async ({ simulator }: Simulation, method: string, path: string, body?: object): Promise<unknown> => {
  const response = await fetch(`${simulator.url}/v4beta/${path}`, {
    method,
    headers: { authorization: `Bearer ${simulator.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect([response.status, await response.clone().text()]).toEqual([200, expect.anything()]);
  return response.json();
};

it("changes of a profile leave out what is null, as linodego writes it", async () => {
  await using simulation = await simulate();
  const { client, clock } = simulation;
  const interfaces = [{ purpose: "public" }, { purpose: "vlan", label: "lan", ipam_address: "10.0.0.1/24" }] as const;
  const { id } = await client.instances.create({ ...smallInstance, interfaces });
  await clock.advance(200);
  const config = only(await client.instances.listConfigs(id));
  const written = { label: "renamed", comments: "", interfaces: null, memory_limit: 0, init_rd: null };
  await sent(simulation, "PUT", `linode/instances/${id}/configs/${config.id}`, written);
  const found = only(await client.instances.listConfigs(id, { filter: { interfaces: "lan" } }));
  expect(found).toMatchObject({ label: "renamed", interfaces: config.interfaces });
  expect(found).not.toHaveProperty("init_rd");
  expect(await client.instances.listConfigs(id, { filter: { interfaces: "other" } })).toEqual([]);
});

it("what was read can be sent back: nothing of it changes that only the API can change", async () => {
  await using simulation = await simulate();
  const { client } = simulation;
  const { id } = await client.instances.create({ ...smallInstance, backups_enabled: true });
  const backups = { available: false, enabled: false, last_successful: null, schedule: { day: null, window: null } };
  await sent(simulation, "PUT", `linode/instances/${id}`, { label: "node-2", backups });
  expect(await client.instances.get(id)).toMatchObject({ label: "node-2", backups: { enabled: true } });

  const rules = { inbound: [], outbound: [], inbound_policy: "DROP", outbound_policy: "ACCEPT" } as const;
  const wall = await client.firewalls.create({ label: "front", rules });
  const again = { ...wall.rules, version: 77, fingerprint: "ffff" };
  expect(await sent(simulation, "PUT", `networking/firewalls/${wall.id}/rules`, again)).toMatchObject({ version: 2 });

  const { id: zone } = await client.domains.create({ domain: "example.org", type: "master", soa_email: "a@b.org" });
  const record = await client.domains.createRecord(zone, { type: "A", name: "www", target: "192.0.2.1" });
  const path = `domains/${zone}/records/${record.id}`;
  expect(await sent(simulation, "PUT", path, { type: "TXT", target: "192.0.2.2" })).toMatchObject({
    type: "A",
    target: "192.0.2.2",
  });
});

it("pages may be asked for of anything, as linode-cli does of what it reads and linodego of what it changes", async () => {
  await using simulation = await simulate();
  const { client } = simulation;
  const { id } = await client.instances.create(smallInstance);
  const shown = await sent(simulation, "GET", `linode/instances/${id}?page=1&page_size=100`);
  expect(shown).toEqual(await client.instances.get(id));
  const firewalls = `linode/instances/${id}/firewalls?page=1`;
  expect(await sent(simulation, "PUT", firewalls, { firewall_ids: [] })).toMatchObject({ pages: 1, results: 0 });
  const wanted = { ...smallInstance, label: "new", private_ip: false, interface_generation: "linode" } as const;
  const { id: newer } = await client.instances.create({ ...wanted, interfaces: [{ public: {} }] });
  const list = await sent(simulation, "GET", `linode/instances/${newer}/interfaces?page=1&page_size=100`);
  expect(list).toMatchObject({ interfaces: [{ default_route: { ipv4: true } }], data: [{}], results: 1 });
});

it("an interface keeps what a change does not name, also its address", async () => {
  await using simulation = await simulate();
  const { client, clock } = simulation;
  const subnets = ["10.0.0.0/24", "10.0.1.0/24"].map((ipv4, index) => ({ label: `net-${index}`, ipv4 }));
  const vpc = await client.vpcs.create({ label: "net", region: "us-ord", subnets });
  const [first, second] = vpc.subnets;
  const inside = { subnet_id: first!.id, ipv4: { addresses: [{ address: "10.0.0.9", nat_1_1_address: "auto" }] } };
  const wanted = { ...smallInstance, private_ip: false, interface_generation: "linode" } as const;
  const { id } = await client.instances.create({ ...wanted, interfaces: [{ vpc: inside }] });
  await clock.advance(200);
  const { id: own, vpc: before } = only(await client.instances.listInterfaces(id));
  const ranges = [{ range: "10.0.0.128/28" }];
  const changed = await client.instances.updateInterface(id, own, { vpc: { ipv4: { ranges } } });
  expect(changed.vpc).toEqual({ ...before, ipv4: { addresses: before!.ipv4!.addresses, ranges } });
  expect((await client.instances.updateInterface(id, own, { vpc: inside })).vpc?.ipv4?.addresses).toMatchObject([
    { address: "10.0.0.9" },
  ]);
  const moved = await client.instances.updateInterface(id, own, { vpc: { subnet_id: second!.id } });
  expect(moved.vpc).toMatchObject({ subnet_id: second!.id, ipv4: { addresses: [{ address: "10.0.1.2" }] } });
});

it("settings of the account take null for what stays", async () => {
  await using simulation = await simulate();
  const written = { interfaces_for_new_linodes: null, maintenance_policy: "linode/power_off_on" };
  expect(await sent(simulation, "PUT", "account/settings", written)).toMatchObject({
    interfaces_for_new_linodes: "legacy_config_default_but_linode_allowed",
    maintenance_policy: "linode/power_off_on",
  });
  const { id } = await simulation.client.instances.create(smallInstance);
  expect((await simulation.client.instances.get(id)).maintenance_policy).toBe("linode/power_off_on");
});

it("regions are found by country, and buckets by cluster", async () => {
  await using simulation = await simulate();
  const { client } = simulation;
  const found = await client.regions.list({ filter: { country: "nl" } });
  expect(found.map(({ id }) => id)).toEqual(["nl-ams"]);
  const { buckets, keys } = client.objectStorage;
  expect(await buckets.create({ cluster: "nl-ams-1", label: "older" })).toMatchObject({ region: "nl-ams" });
  expect(await buckets.get("nl-ams-1", "older")).toMatchObject({ region: "nl-ams" });
  expect(await buckets.listOfRegion("nl-ams-1")).toHaveLength(1);
  const access = { bucket_name: "older", permissions: "read_only", cluster: "nl-ams-1" } as const;
  expect(await keys.create({ label: "key", bucket_access: [access] })).toMatchObject({
    bucket_access: [{ region: "nl-ams" }],
  });
  const refusals = [
    [{ label: "nowhere" }, "[region] region is required."],
    [{ region: "us-ord", label: "newer", endpoint_type: "E3" }, "[endpoint_type] The endpoint type is not available"],
    [{ region: "us-ord", label: "newer", s3_endpoint: "elsewhere" }, "[s3_endpoint] The endpoint is not available"],
  ] as const;
  for (const [wanted, reason] of refusals) {
    expect(await reasonOf(buckets.create(wanted as never))).toContain(reason);
  }
});
