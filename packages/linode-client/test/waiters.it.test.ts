import { describe, expect, it } from "vitest";
import { createLinodeClient, WaitTimeoutError } from "../src/index.ts";
import type { WaitOptions } from "../src/index.ts";
import { scriptedServer } from "./scripted-server.ts";
import type { Received } from "./scripted-server.ts";
import { virtualSystem } from "./virtual-system.ts";

const event = (id: number, status: string, message: string | null = null) => ({
  id,
  status,
  message,
  action: "linode_boot",
  entity: { type: "linode", id: 7 },
});
const page = (...data: readonly unknown[]) => ({ body: { data, page: 1, pages: 1, results: data.length } });

describe("waiting for a state", () => {
  it("looks every three seconds until it is there", async () => {
    await using server = await scriptedServer([
      { body: { id: 7, status: "offline" } },
      { body: { id: 7, status: "booting" } },
      { body: { id: 7, status: "running" } },
    ]);
    const system = virtualSystem();
    const client = createLinodeClient({ url: server.url, system });
    const instance = await client.waitFor.instanceStatus(7, "running", { withinMs: 60_000 });
    expect(instance.status).toBe("running");
    expect(system.sleeps).toEqual([3000, 3000]);
  });

  it("gives up in time", async () => {
    await using server = await scriptedServer([{ body: { id: 7, status: "offline" } }]);
    const system = virtualSystem();
    const client = createLinodeClient({ url: server.url, system });
    const wait = client.waitFor.instanceStatus(7, "running", { withinMs: 5000 });
    await expect(wait).rejects.toThrow(WaitTimeoutError);
    expect(system.sleeps).toEqual([3000, 2000]);
  });

  it.each([
    ["disk", (client: Client) => client.waitFor.diskStatus(7, 8, "ready", within), { status: "ready" }],
    ["volume", (client: Client) => client.waitFor.volumeStatus(7, "active", within), { status: "active" }],
    [
      "image",
      (client: Client) => client.waitFor.imageStatus("private/1", "available", within),
      { status: "available" },
    ],
    [
      "image in a region",
      (client: Client) => client.waitFor.imageRegionStatus("private/1", "us-ord", "available", within),
      { regions: [{ region: "us-ord", status: "available" }] },
    ],
  ])("%s", async (_name, wait, ready) => {
    await using server = await scriptedServer([{ body: { id: 1, status: "other" } }, { body: { id: 1, ...ready } }]);
    const client = createLinodeClient({ url: server.url, system: virtualSystem() });
    expect(await wait(client)).toEqual({ id: 1, ...ready });
  });

  it("a resource is free when no event is under way", async () => {
    await using server = await scriptedServer([page(event(1, "started")), page(event(1, "finished"))]);
    const client = createLinodeClient({ url: server.url, system: virtualSystem() });
    await client.waitFor.resourceFree({ type: "linode", id: 7 }, within);
    expect(server.received).toHaveLength(2);
    expect(JSON.parse(server.received[0]?.headers["x-filter"] as string)).toEqual({
      "+and": [{ "entity.type": "linode" }, { "entity.id": 7 }],
      "+order_by": "created",
      "+order": "desc",
    });
  });
});

const script = (final: ReturnType<typeof event>) => {
  let lists = 0;
  let gets = 0;
  return (request: Received) => {
    if (request.url.startsWith("/v4/account/events/")) {
      gets += 1;
      return { body: gets < 2 ? event(2, "started") : final };
    }
    lists += 1;
    return lists < 3 ? page(event(1, "finished")) : page(event(2, "scheduled"), event(1, "finished"));
  };
};

describe("event poller", () => {
  const about = { entity: { type: "linode", id: 7 }, action: "linode_boot" };

  it("follows the event that came after it was made", async () => {
    await using server = await scriptedServer(script(event(2, "finished")));
    const client = createLinodeClient({ url: server.url, system: virtualSystem() });
    const poller = await client.eventPoller(about);
    expect(await poller.finished(within)).toMatchObject({ id: 2, status: "finished" });
  });

  it("throws when the action failed", async () => {
    await using server = await scriptedServer(script(event(2, "failed", "no room on the host")));
    const client = createLinodeClient({ url: server.url, system: virtualSystem() });
    const poller = await client.eventPoller(about);
    await expect(poller.finished(within)).rejects.toThrow("no room on the host");
  });
});

describe("an abort", () => {
  const about = { entity: { type: "linode", id: 7 }, action: "linode_boot" };
  const waits: readonly (readonly [string, (client: Client, wait: WaitOptions) => Promise<unknown>])[] = [
    ["instanceStatus", (client, wait) => client.waitFor.instanceStatus(7, "running", wait)],
    ["diskStatus", (client, wait) => client.waitFor.diskStatus(7, 8, "ready", wait)],
    ["volumeStatus", (client, wait) => client.waitFor.volumeStatus(7, "active", wait)],
    ["imageStatus", (client, wait) => client.waitFor.imageStatus("private/1", "available", wait)],
    ["imageRegionStatus", (client, wait) => client.waitFor.imageRegionStatus("private/1", "us-ord", "available", wait)],
    ["resourceFree", (client, wait) => client.waitFor.resourceFree(about.entity, wait)],
    ["next", async (client, wait) => (await client.eventPoller(about)).next(wait)],
    ["finished", async (client, wait) => (await client.eventPoller(about)).finished(wait)],
  ];

  it.each(waits)("ends %s between two looks, with its reason", async (_name, wait) => {
    await using server = await scriptedServer(({ url }) =>
      url.includes("/events") ? page(event(1, "started")) : { body: { id: 7, status: "other" } },
    );
    const controller = new AbortController();
    const reason = new Error("enough");
    const system = virtualSystem();
    const client = createLinodeClient({
      url: server.url,
      system: {
        ...system,
        sleep: async (ms, options) => {
          controller.abort(reason);
          await system.sleep(ms, options);
        },
      },
    });
    await expect(wait(client, { ...within, signal: controller.signal })).rejects.toBe(reason);
  });
});

type Client = ReturnType<typeof createLinodeClient>;
const within = { withinMs: 60_000 };
