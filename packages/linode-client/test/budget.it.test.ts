import { describe, expect, it } from "vitest";
import { createLinodeClient, RateBudget } from "../src/index.ts";
import type { AttemptReport } from "../src/index.ts";
import { scriptedServer } from "./scripted-server.ts";
import { virtualSystem } from "./virtual-system.ts";

const start = Date.UTC(2026, 0, 1);
const left = (remaining: number, resetMs = 15_000) => ({
  body: { id: 1 },
  headers: {
    "x-ratelimit-limit": "2",
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String((start + resetMs) / 1000),
  },
});
const instance = { region: "us-ord", type: "g6-standard-1" };

describe("a budget", () => {
  it("makes clients of one token wait for the next window, and no others", async () => {
    await using server = await scriptedServer([left(0), left(1, 30_000), left(1, 30_000)]);
    const system = virtualSystem();
    const shared = { url: server.url, system, budget: new RateBudget(), waitForBudget: true };
    await createLinodeClient({ ...shared, token: "a" }).instances.create(instance);
    await createLinodeClient({ ...shared, token: "b" }).instances.create(instance);
    expect(system.sleeps).toEqual([]);
    await createLinodeClient({ ...shared, token: "a" }).instances.create(instance);
    expect(system.sleeps).toEqual([16_000]);
    expect(server.received).toHaveLength(3);
  });

  it("counts calls that are under way", async () => {
    await using server = await scriptedServer([left(1), left(0), left(1, 60_000)]);
    const system = virtualSystem();
    const client = createLinodeClient({ url: server.url, system, token: "a", waitForBudget: true });
    await client.instances.create(instance);
    await Promise.all([client.instances.create(instance), client.instances.create(instance)]);
    expect(system.sleeps[0]).toBe(16_000);
    expect(client.rateLimits.get("POST linode/instances")).toMatchObject({ remaining: 1 });
  });

  it("lets calls go, and be refused, unless waiting is wanted", async () => {
    await using server = await scriptedServer([left(0), left(0)]);
    const system = virtualSystem();
    const client = createLinodeClient({ url: server.url, system });
    await client.instances.create(instance);
    await client.instances.create(instance);
    expect(system.sleeps).toEqual([]);
  });

  it("gives up waiting with the signal", async () => {
    await using server = await scriptedServer([left(0)]);
    const client = createLinodeClient({ url: server.url, system: virtualSystem(), waitForBudget: true });
    await client.instances.create(instance);
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(client.instances.create(instance, { signal })).rejects.toThrow("enough");
    expect(server.received).toHaveLength(1);
  });
});

describe("hooks", () => {
  it("see every attempt, and the call around them", async () => {
    await using server = await scriptedServer([{ status: 503, body: { errors: [] } }, { body: { id: 7 } }]);
    const system = virtualSystem();
    const attempts: AttemptReport[] = [];
    const spans: string[] = [];
    const client = createLinodeClient({
      url: server.url,
      system,
      hooks: {
        afterAttempt: (report) => attempts.push(report),
        aroundCall: async ({ family, path }, run) => {
          spans.push(`${family} of ${path}`);
          const answer = await run();
          spans.push("done");
          return answer;
        },
      },
    });
    expect(await client.instances.get(7)).toEqual({ id: 7 });
    const call = { family: "GET linode/instances/{}", method: "GET", path: "linode/instances/7", durationMs: 0 };
    expect(attempts).toEqual([
      { ...call, retries: 0, status: 503 },
      { ...call, retries: 1, status: 200 },
    ]);
    expect(spans).toEqual(["GET linode/instances/{} of linode/instances/7", "done"]);
  });
});
