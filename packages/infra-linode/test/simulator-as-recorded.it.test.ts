import { isJsonObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { reasonOf, simulate, smallInstance } from "./simulation.ts";
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
