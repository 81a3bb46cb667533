import { isJsonObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { reasonOf, simulate, smallInstance } from "../src/testing.ts";
import { tour } from "./tour/tour.ts";

/** Names of the fields of an object. */
const fieldsOf = (value: unknown): string => (isJsonObject(value) ? Object.keys(value).toSorted().join(" ") : "");

/** What the API itself shows in one of the two alone. */
const differing = new Set(["networking/ipv6/ranges/*"]);

it("shows the same fields of a thing in its list and by itself", async () => {
  await using simulation = await simulate();
  const { seen } = await tour(simulation);
  const answers = seen.filter(({ method, status }) => method === "GET" && status === 200);
  const isList = (answer: unknown): boolean => isJsonObject(answer) && "pages" in answer;
  const found = new Set<string>();
  const problems = answers.flatMap(({ path, answer }) => {
    const { data } = answer as { readonly data?: unknown };
    if (!Array.isArray(data) || !isList(answer)) return [];
    const single = answers
      .filter((each) => !isList(each.answer))
      .find(
        (each) =>
          each.path.startsWith(`${path}/`) &&
          !each.path.slice(path.length + 1).includes("/") &&
          data.some(
            (item) =>
              isJsonObject(item) &&
              Object.values(item)
                .map(String)
                .includes(decodeURIComponent(each.path.slice(path.length + 1))),
          ),
      );
    const item = data.find(isJsonObject);
    if (single === undefined || item === undefined || differing.has(`${path}/*`)) return [];
    found.add(path);
    return fieldsOf(item) === fieldsOf(single.answer)
      ? []
      : [`${path}: ${fieldsOf(item)} / ${fieldsOf(single.answer)}`];
  });
  expect(problems).toEqual([]);
  expect(found.size).toBeGreaterThan(25);
});

it("knows nothing of a new node of a NodeBalancer, and of no schedule without backups", async () => {
  await using simulation = await simulate();
  const { instances, nodeBalancers } = simulation.client;
  const { id, backups } = await instances.create({ ...smallInstance, label: "node-1" });
  expect(backups.schedule).toEqual({ day: null, window: null });
  const address = (await instances.addresses(id)).ipv4.private[0]!.address;
  const balancer = await nodeBalancers.create({ region: "us-ord" });
  const { id: config } = await nodeBalancers.createConfig(balancer.id, {
    port: 6443,
    protocol: "tcp",
    check: "connection",
  });
  const node = await nodeBalancers.createNode(balancer.id, config, { label: "node-1", address: `${address}:6443` });
  expect(node.status).toBe("Unknown");
});

it("keeps the tags of reserved addresses, by which they are found", async () => {
  await using simulation = await simulate();
  const { networking, tags } = simulation.client;
  const { address } = await networking.reserveIp({ region: "us-ord", tags: ["team-a"] });
  expect(await tags.listObjects("team-a")).toMatchObject([{ type: "reserved_ipv4_address", data: { address } }]);
  await networking.updateReservedIp(address, { tags: [] });
  expect((await networking.getReservedIp(address)).tags).toEqual([]);
});

it("names the field that it refuses", async () => {
  await using simulation = await simulate();
  const { client } = simulation;
  expect(await reasonOf(client.profile.createSshKey({ label: "bad", ssh_key: "none" }))).toContain("[ssh_key]");
  expect(
    await reasonOf(client.locks.create({ entity_id: 1, entity_type: "linode", lock_type: "cannot_delete" })),
  ).toContain("[entity_id]");
});

it("has regions with prices of their own", async () => {
  await using simulation = await simulate();
  const { account, nodeBalancers, regions, types, volumes } = simulation.client;
  const dear = ["br-gru", "id-cgk"];
  const [plan, balancer, volume, transfer] = await Promise.all([
    types.get("g6-standard-1"),
    nodeBalancers.listTypes(),
    volumes.listTypes(),
    account.transfer(),
  ]);
  expect(plan.region_prices).toEqual([
    { id: "br-gru", hourly: 0.0252, monthly: 16.8 },
    { id: "id-cgk", hourly: 0.0216, monthly: 14.4 },
  ]);
  const priced = [plan.addons?.backups.region_prices, balancer[0]?.region_prices, volume[0]?.region_prices];
  for (const list of [...priced, transfer.region_transfers]) expect(list?.map(({ id }) => id)).toEqual(dear);
  expect((await regions.list()).filter(({ id }) => dear.includes(id))).toHaveLength(2);
});

it("shows whom an image is shared with from the start, and of one that is for everybody nothing", async () => {
  await using simulation = await simulate();
  const { clock, client } = simulation;
  const { images, instances, shareGroups } = client;
  const { id } = await instances.create(smallInstance);
  await clock.advance(1000);
  const [disk] = await instances.listDisks(id);
  const image = await images.create({ disk_id: disk!.id, label: "golden" });
  expect(image.image_sharing).toMatchObject({ shared_with: { sharegroup_count: 0 }, shared_by: null });
  expect((await images.get("linode/debian12")).image_sharing).toBeNull();
  const group = await shareGroups.create({ label: "ours", images: [{ id: image.id }] });
  const [shared] = await shareGroups.listImages(group.id);
  expect(shared).toMatchObject({ created_by: null, is_shared: null, updated: null });
  const changed = await shareGroups.updateImage(group.id, shared!.id, { label: "silver" });
  expect(changed).toMatchObject({ label: "silver", updated: expect.any(String) as string });
});

it("shows the IPv6 ranges of an instance among its addresses, and what it can do", async () => {
  await using simulation = await simulate();
  const { instances, networking } = simulation.client;
  const made = await instances.create(smallInstance);
  expect(made.capabilities).toContain("SMTP Enabled");
  const { range } = await networking.createIpv6Range({ prefix_length: 64, linode_id: made.id });
  const { ipv6 } = await instances.addresses(made.id);
  expect(ipv6?.global.map((each) => `${each.range}/${each.prefix}`)).toEqual([range]);
});

it("proposes rules for firewalls", async () => {
  await using simulation = await simulate();
  const { rules } = await simulation.client.firewalls.getTemplate("public");
  expect(rules.inbound.map(({ protocol, ports }) => [protocol, ports])).toEqual([
    ["TCP", "22"],
    ["ICMP", undefined],
  ]);
});
