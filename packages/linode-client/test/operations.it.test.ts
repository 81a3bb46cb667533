import { describe, expect, it } from "vitest";
import { createLinodeClient, operations } from "../src/index.ts";
import type { DebugEntry, Operation } from "../src/index.ts";
import { scriptedServer } from "./scripted-server.ts";

const page = (items: readonly unknown[], number = 1, pages = 1) => ({
  body: { data: items, page: number, pages, results: items.length },
});

const flat = (table: object): readonly Operation[] =>
  Object.values(table).flatMap((entry: Operation | object) => ("method" in entry ? [entry] : flat(entry)));

describe("the table of operations", () => {
  it("has every operation once", () => {
    const all = flat(operations).map(({ method, path }) => `${method} ${path.replaceAll(/(?<=\/)[:$]\w+/g, "{}")}`);
    expect(all.filter((each, index) => all.indexOf(each) !== index)).toEqual([]);
    expect(all.length).toBeGreaterThan(305);
  });
});

describe("calls", () => {
  it("put values, body and options where they belong", async () => {
    await using server = await scriptedServer(() => ({ body: { id: 1, label: "x" } }));
    const client = createLinodeClient({ url: server.url });
    await client.instances.boot(7);
    await client.instances.boot(7, { config_id: 8 });
    await client.nodeBalancers.updateNode(1, 2, 3, { mode: "drain" });
    await client.objectStorage.buckets.getAccess("us-ord", "a b");
    await client.objectStorage.buckets.listObjects("us-ord", "data", { prefix: "a/b", page_size: 25 });
    await client.volumes.detach(9);
    await client.tags.delete("a/b");
    expect(server.received.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["POST", "/v4/linode/instances/7/boot", "{}"],
      ["POST", "/v4/linode/instances/7/boot", '{"config_id":8}'],
      ["PUT", "/v4/nodebalancers/1/configs/2/nodes/3", '{"mode":"drain"}'],
      ["GET", "/v4/object-storage/buckets/us-ord/a%20b/access", ""],
      ["GET", "/v4/object-storage/buckets/us-ord/data/object-list?prefix=a%2Fb&page_size=25", ""],
      ["POST", "/v4/volumes/9/detach", "{}"],
      ["DELETE", "/v4/tags/a%2Fb", ""],
    ]);
  });

  it("read pages as they are iterated over, and no further", async () => {
    await using server = await scriptedServer(({ url }) => {
      const number = Number(new URL(url, "http://x").searchParams.get("page"));
      return page([{ id: number * 10 }, { id: number * 10 + 1 }], number, 3);
    });
    const { vpcs } = createLinodeClient({ url: server.url });
    const seen: number[] = [];
    for await (const { id } of vpcs.listSubnets.each(5, { pageSize: 25 })) {
      seen.push(id);
      if (id === 20) break;
    }
    expect(seen).toEqual([10, 11, 20]);
    expect(server.received.map(({ url }) => url)).toEqual([
      "/v4/vpcs/5/subnets?page=1&page_size=25",
      "/v4/vpcs/5/subnets?page=2&page_size=25",
    ]);
    expect(await vpcs.listSubnets(5)).toHaveLength(6);
    expect((await vpcs.listSubnets.page(5, { page: 3 })).data).toEqual([{ id: 30 }, { id: 31 }]);
  });

  it("send and read files, and keep them out of the log", async () => {
    await using server = await scriptedServer([
      { headers: { "content-type": "image/png" }, body: "PNG" },
      {},
      { status: 404, body: { errors: [{ reason: "Not found" }] } },
    ]);
    const log: DebugEntry[] = [];
    const { account } = createLinodeClient({ url: server.url, debug: (entry) => log.push(entry) });
    expect(Buffer.from(await account.getOAuthClientThumbnail("abc")).toString()).toBe("PNG");
    await account.setOAuthClientThumbnail("abc", Buffer.from("other"));
    await expect(account.getOAuthClientThumbnail("none")).rejects.toMatchObject({ status: 404 });
    const path = "/v4/account/oauth-clients/abc/thumbnail";
    expect(server.received.slice(0, 2).map(({ method, url, headers, body }) => [method, url, headers, body])).toEqual([
      ["GET", path, expect.objectContaining({ accept: "*/*" }), ""],
      ["PUT", path, expect.objectContaining({ "content-type": "image/png" }), "other"],
    ]);
    expect(log.flatMap(({ body }) => (body === undefined ? [] : [body])).slice(0, 2)).toEqual(["3 bytes", "5 bytes"]);
  });

  it("hand on the part of an answer that matters", async () => {
    await using server = await scriptedServer([
      { body: { interfaces: [{ id: 1 }] } },
      { body: { zone_file: ["; example.org"] } },
      { body: [{ id: 3, purpose: "public" }] },
    ]);
    const client = createLinodeClient({ url: server.url });
    expect(await client.instances.listInterfaces(7)).toEqual([{ id: 1 }]);
    expect(await client.domains.zoneFile(7)).toEqual(["; example.org"]);
    expect(await client.instances.listConfigInterfaces(7, 8)).toEqual([{ id: 3, purpose: "public" }]);
  });
});
