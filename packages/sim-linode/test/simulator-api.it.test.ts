import { describe, expect, it } from "vitest";
import { filter, isNotFound } from "@capstan/linode-client";
import type { LinodeError } from "@capstan/linode-client";
import { only, reasonOf, simulate, smallInstance } from "../src/testing.ts";

interface RawCall {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const post = (body: unknown): RawCall => ({ method: "POST", body: JSON.stringify(body) });

describe("strictness", () => {
  const minimal = { region: "us-ord", type: "g6-standard-1" };
  const cases: readonly (readonly [name: string, path: string, init: RawCall, named: string])[] = [
    ["an unknown path", "v4/linode/machines", {}, "linode/machines is not a path"],
    ["an unknown version", "v5/linode/instances", {}, "no such API version"],
    ["an unknown method", "v4/linode/instances", { method: "PATCH" }, "does not know the method PATCH"],
    ["an unknown query parameter", "v4/linode/instances?limit=1", {}, "unknown query parameter limit"],
    ["a query on a single object", "v4/regions/us-ord?country=us", {}, "unknown query parameter country"],
    ["an unknown field", "v4/linode/instances", post({ ...minimal, size: 1 }), "is not a field of this request"],
    [
      "an unknown nested field",
      "v4/linode/instances",
      post({ ...minimal, metadata: { userdata: "" } }),
      "is not a field of this request",
    ],
    ["a wrong type", "v4/linode/instances", post({ ...minimal, booted: "no" }), "must be a boolean"],
    ["a null", "v4/linode/instances", post({ ...minimal, tags: null }), "must not be null"],
    ["a body that is not JSON", "v4/linode/instances", { method: "POST", body: "{" }, "the body is not JSON"],
    ["a body where none belongs", "v4/linode/instances/1/shutdown", post({ now: true }), "takes no body"],
    ["a filter on a single object", "v4/regions/us-ord", { headers: { "x-filter": "{}" } }, "X-Filter"],
    [
      "a filter on an unknown field",
      "v4/linode/instances",
      { headers: { "x-filter": '{"hypervisor":"kvm"}' } },
      "cannot filter on hypervisor",
    ],
    ["a page that is not a number", "v4/linode/instances?page=one", {}, "must be an integer"],
  ];
  it.each(cases)("refuses and records %s", async (_name, path, init, named) => {
    await using simulation = await simulate();
    const { simulator } = simulation;
    const headers = { authorization: `Bearer ${simulator.token}`, ...init.headers };
    const response = await fetch(`${simulator.url}/${path}`, { ...init, headers });
    const body = (await response.json()) as { errors: { reason: string; field?: string }[] };
    expect(response.status).toBe(400);
    expect(body.errors[0]?.reason).toContain(named);
    expect(simulator.requests.violations).toHaveLength(1);
  });

  it("does not record ordinary refusals", async () => {
    await using simulation = await simulate();
    const { client, simulator } = simulation;
    expect(await reasonOf(client.instances.create({ ...smallInstance, label: "x" }))).toContain("[label]");
    expect(await reasonOf(client.instances.get(5))).toBe("[404] Not found");
    expect(simulator.requests.violations).toEqual([]);
  });
});

describe("tokens and rate limits", () => {
  it("refuses wrong tokens, lets anybody read the catalogue", async () => {
    await using simulation = await simulate();
    const { url } = simulation.simulator;
    const status = async (path: string, token?: string) =>
      (await fetch(`${url}/v4/${path}`, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }))
        .status;
    expect(await status("linode/instances")).toBe(401);
    expect(await status("linode/instances", "wrong")).toBe(401);
    expect(await status("regions")).toBe(200);
    expect(await status("regions", "wrong")).toBe(401);
  });

  it("counts down per window, then answers 429 with Retry-After", async () => {
    const rateLimits = [{ family: "POST linode/instances", limit: 2, windowMs: 15_000 }];
    await using simulation = await simulate({ rateLimits });
    const { client, clock } = simulation;
    const create = (label: string) => client.instances.create({ ...smallInstance, label });
    await create("node-1");
    expect(client.rateLimits.get("POST linode/instances")).toMatchObject({ limit: 2, remaining: 1 });
    await create("node-2");
    const error = await create("node-3").catch((caught: unknown) => caught as LinodeError);
    expect(error).toMatchObject({ status: 429, headers: { "retry-after": "15" } });
    await clock.advance(15_000);
    expect((await create("node-3")).label).toBe("node-3");
  });
});

describe("collections", () => {
  it("are paged and filtered", async () => {
    await using simulation = await simulate({ rateLimits: [] });
    const { client } = simulation;
    for (let index = 0; index < 30; index += 1) {
      await client.instances.create({ ...smallInstance, label: `node-${index}`, tags: [`tag-${index % 3}`] });
    }
    const first = await client.instances.list.page({ pageSize: 25 });
    expect(first).toMatchObject({ page: 1, pages: 2, results: 30 });
    expect(await client.instances.list({ pageSize: 25 })).toHaveLength(30);
    expect(await client.instances.list({ filter: filter.eq("tags", "tag-1") })).toHaveLength(10);
    expect(await reasonOf(client.instances.list({ page: 3 }))).toContain("page is out of range");
  });
});

describe("instances", () => {
  it("go from provisioning to offline to running as time passes", async () => {
    await using simulation = await simulate();
    const { client, clock } = simulation;
    const { id, status } = await client.instances.create(smallInstance);
    expect(status).toBe("provisioning");
    expect(await reasonOf(client.instances.boot(id))).toBe("[400] Linode busy.");
    await clock.advance(200);
    expect((await client.instances.get(id)).status).toBe("offline");
    await client.instances.boot(id);
    expect((await client.instances.get(id)).status).toBe("booting");
    expect(await reasonOf(client.instances.boot(id))).toBe("[400] Linode node-1 already booted.");
    await clock.advance(300);
    expect((await client.instances.get(id)).status).toBe("running");
    await client.instances.delete(id);
    expect((await client.instances.get(id)).status).toBe("deleting");
    await clock.advance(100);
    await expect(client.instances.get(id)).rejects.toSatisfy(isNotFound);
  });

  it("boot by themselves unless told not to", async () => {
    await using simulation = await simulate();
    const { client, clock } = simulation;
    const { booted: _booted, ...bootsItself } = smallInstance;
    const { id } = await client.instances.create(bootsItself);
    await clock.advance(500);
    expect((await client.instances.get(id)).status).toBe("running");
  });

  const refusals: readonly (readonly [name: string, change: object, reason: string])[] = [
    ["a label twice", { label: "taken" }, "[label] Label must be unique"],
    ["an unknown region", { region: "mars" }, "[region]"],
    ["an unknown plan", { type: "g9" }, "[type]"],
    ["an unknown image", { image: "linode/none" }, "[image]"],
    ["no way in", { authorized_keys: [] }, "[root_pass]"],
    ["data that is not base64", { metadata: { user_data: "%" } }, "[metadata.user_data] user_data must be base64"],
    [
      "data over the limit",
      { metadata: { user_data: Buffer.alloc(16_385).toString("base64") } },
      "[metadata.user_data] Unencoded user_data must not exceed 16384 bytes",
    ],
    ["a region without metadata", { region: "us-west", metadata: { user_data: "YQ==" } }, "[metadata]"],
    ["an image without cloud-init", { image: "linode/slackware15.0", metadata: { user_data: "YQ==" } }, "cloud-init"],
    ["a short tag", { tags: ["ab"] }, "[tags.0]"],
    ["too many interfaces", { interfaces: Array.from({ length: 4 }, () => ({ purpose: "public" })) }, "[interfaces]"],
    ["an unknown firewall", { firewall_id: 1 }, "[firewall_id]"],
    ["an unknown placement group", { placement_group: { id: 1 } }, "[placement_group.id]"],
  ];
  it.each(refusals)("refuse %s", async (_name, change, reason) => {
    await using simulation = await simulate();
    const { client, simulator } = simulation;
    await client.instances.create({ ...smallInstance, label: "taken" });
    expect(await reasonOf(client.instances.create({ ...smallInstance, ...change }))).toContain(reason);
    expect(simulator.state.instances).toHaveLength(1);
    expect(simulator.requests.violations).toEqual([]);
  });

  it("take data up to the limit", async () => {
    await using simulation = await simulate();
    const user_data = Buffer.alloc(16_384, "a").toString("base64");
    await simulation.client.instances.create({ ...smallInstance, metadata: { user_data } });
    expect(simulation.simulator.state.instances[0]?.userData).toBe(user_data);
  });

  it("have addresses, a configuration and disks", async () => {
    await using simulation = await simulate();
    const { client, clock, simulator } = simulation;
    const { id } = await client.instances.create({ ...smallInstance, boot_size: 40_000 });
    const addresses = await client.instances.addresses(id);
    expect(addresses.ipv4.private[0]?.address).toMatch(/^127\./);
    expect(addresses.ipv4.public).toHaveLength(1);
    const config = only(await client.instances.listConfigs(id));
    const data = { label: "sdc", size: 10_000, filesystem: "ext4" } as const;
    expect(await reasonOf(client.instances.createDisk(id, data))).toBe("[400] Linode busy.");
    await clock.advance(200);
    const disk = await client.instances.createDisk(id, data);
    expect(disk.status).toBe("not ready");
    expect(await reasonOf(client.instances.createDisk(id, { ...data, label: "sdd" }))).toBe("[400] Linode busy.");
    expect(await reasonOf(client.instances.boot(id))).toBe("[400] Linode busy.");
    await clock.advance(100);
    expect(await reasonOf(client.instances.createDisk(id, { ...data, label: "sdd" }))).toContain("Insufficient space");
    const changed = await client.instances.updateConfig(id, config.id, {
      devices: { ...config.devices, sdc: { disk_id: disk.id } },
      helpers: { network: false },
    });
    expect(changed.devices.sdc).toEqual({ disk_id: disk.id });
    expect(changed.helpers).toMatchObject({ network: false, distro: true });
    expect(simulator.requests.violations).toEqual([]);
  });

  it("join VPC subnets and firewalls by id", async () => {
    await using simulation = await simulate();
    const { client } = simulation;
    const vpc = await client.vpcs.create({
      label: "net",
      region: "us-ord",
      subnets: [{ label: "default", ipv4: "10.0.0.0/8" }],
    });
    const rules = { inbound: [], outbound: [], inbound_policy: "DROP", outbound_policy: "ACCEPT" } as const;
    const firewall = await client.firewalls.create({ label: "wall", rules });
    const { id } = await client.instances.create({
      ...smallInstance,
      firewall_id: firewall.id,
      interfaces: [{ purpose: "vpc", subnet_id: only(vpc.subnets).id, primary: true, ipv4: { nat_1_1: "any" } }],
    });
    expect((await client.instances.addresses(id)).ipv4.vpc).toMatchObject([{ address: "10.0.0.2" }]);
    expect(await client.instances.listFirewalls(id)).toMatchObject([{ id: firewall.id }]);
    await client.instances.updateFirewalls(id, { firewall_ids: [] });
    expect(await client.instances.listFirewalls(id)).toEqual([]);
  });
});

describe("faults", () => {
  it("happen to the requests they are planned for", async () => {
    await using simulation = await simulate();
    const { client, simulator } = simulation;
    simulator.faults.add({
      method: "POST",
      path: "linode/instances",
      nth: 2,
      action: { kind: "status", status: 503, reason: "down" },
    });
    await client.instances.create(smallInstance);
    expect(await reasonOf(client.instances.create({ ...smallInstance, label: "node-2" }))).toBe("[503] down");
    expect(simulator.state.instances).toHaveLength(1);
    expect(simulator.faults.pending()).toEqual([]);
    await client.instances.create({ ...smallInstance, label: "node-2" });
  });

  it("break the connection before or after the effect", async () => {
    await using simulation = await simulate();
    const { client, simulator } = simulation;
    simulator.faults.add({ method: "POST", action: { kind: "reset" } });
    await expect(client.instances.create(smallInstance)).rejects.toMatchObject({ code: 2 });
    expect(simulator.state.instances).toHaveLength(0);
    simulator.faults.add({ method: "POST", action: { kind: "lost-answer" } });
    await expect(client.instances.create(smallInstance)).rejects.toMatchObject({ code: 2 });
    expect(simulator.state.instances).toHaveLength(1);
  });

  it("make a request wait on the simulator's clock", async () => {
    await using simulation = await simulate();
    const { client, simulator, clock } = simulation;
    simulator.faults.add({ path: "regions", action: { kind: "delay", ms: 5000 } });
    const call = client.regions.list();
    await clock.advanceUntil(() => clock.pending > 0);
    expect(simulator.requests.count("GET regions")).toBe(0);
    await clock.advance(5000);
    expect(await call).not.toEqual([]);
  });
});

describe("object storage administration", () => {
  it("makes buckets and keys, shows a secret once", async () => {
    await using simulation = await simulate();
    const { buckets, keys } = simulation.client.objectStorage;
    const bucket = await buckets.create({ region: "us-ord", label: "data" });
    expect(bucket.hostname).toBe(`data.${new URL(simulation.simulator.objectStorage.url).host}`);
    expect(await reasonOf(buckets.create({ region: "us-ord", label: "data" }))).toContain("[label]");
    await buckets.updateAccess("us-ord", "data", { cors_enabled: false });
    expect(await buckets.getAccess("us-ord", "data")).toMatchObject({ acl: "private", cors_enabled: false });
    const grant = { bucket_name: "data", region: "us-ord", permissions: "read_write" } as const;
    const key = await keys.create({ label: "mine", bucket_access: [grant] });
    expect(key.secret_key).not.toBe("[REDACTED]");
    expect(await keys.get(key.id)).toMatchObject({ secret_key: "[REDACTED]", limited: true });
    await keys.delete(key.id);
    await buckets.delete("us-ord", "data");
    expect(await buckets.list()).toEqual([]);
    expect(simulation.simulator.requests.violations).toEqual([]);
  });
});
