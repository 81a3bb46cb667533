import { request } from "undici";
import { describe, expect, it } from "vitest";
import type { Clock } from "@capstan/contract";
import { s3ObjectStores } from "@capstan/object-store-s3";
import { fakeClock } from "@capstan/testing";
import { simulate } from "../src/testing.ts";
import type { Simulation } from "../src/testing.ts";

const seed = {
  buckets: [
    { label: "data", region: "us-ord" },
    { label: "other", region: "us-ord" },
  ],
  keys: [
    { accessKey: "ADMIN", secretKey: "admin-secret" },
    {
      accessKey: "WRITER",
      secretKey: "writer-secret",
      bucketAccess: [{ bucket_name: "data", permissions: "read_write", region: "us-ord" }],
    },
    {
      accessKey: "READER",
      secretKey: "reader-secret",
      bucketAccess: [{ bucket_name: "data", permissions: "read_only", region: "us-ord" }],
    },
  ],
} as const;

const admin = { access: "ADMIN", secret: "admin-secret" };
const bytes = Buffer.from("#cloud-config\n");

const open = (
  { simulator, clock }: Simulation,
  data: Readonly<Record<string, string>> = admin,
  storeClock: Clock = clock,
) => s3ObjectStores({ clock: storeClock }).open({ bucket: "data", endpoint: simulator.objectStorage.url, ...data });

describe("simulated object storage", () => {
  it("keeps objects and hands them out by signed URLs until they expire", async () => {
    await using simulation = await simulate({ seed });
    const { simulator, clock } = simulation;
    const store = open(simulation);
    await store.put("uid-1", bytes, { metadata: { "capstan-machine-uid": "uid-1" } });
    expect(simulator.state.objects["data"]).toMatchObject([{ key: "uid-1", body: bytes.toString("base64") }]);
    expect(await store.head("uid-1")).toMatchObject({
      size: bytes.length,
      lastModified: clock.now(),
      metadata: { "capstan-machine-uid": "uid-1" },
    });
    const { url } = await store.signGet("uid-1", { expiresInSeconds: 900 });
    expect(await (await fetch(url)).text()).toBe(bytes.toString());
    expect((await fetch(url.replace("uid-1", "uid-2"))).status).toBe(403);
    expect((await fetch(url, { method: "DELETE" })).status).toBe(403);
    await clock.advance(900_001);
    const expired = await fetch(url);
    expect(expired.status).toBe(403);
    expect(await expired.text()).toContain("<Message>Request has expired</Message>");
    await store.delete("uid-1");
    expect(await store.head("uid-1")).toBeNull();
    expect(simulator.objectStorage.requests.violations).toEqual([]);
  });

  it("is closed to anonymous callers, wrong secrets and unknown keys", async () => {
    await using simulation = await simulate({ seed });
    await open(simulation).put("uid-1", bytes);
    expect((await fetch(`${simulation.simulator.objectStorage.url}/data/uid-1`)).status).toBe(403);
    for (const wrong of [
      { ...admin, secret: "guess" },
      { ...admin, access: "NOBODY" },
    ]) {
      await expect(open(simulation, wrong).put("uid-1", bytes)).rejects.toMatchObject({
        code: "objectstore.unauthenticated",
      });
    }
  });

  it("gives limited keys their buckets and permissions only", async () => {
    await using simulation = await simulate({ seed });
    const writer = open(simulation, { access: "WRITER", secret: "writer-secret" });
    await writer.put("uid-1", bytes);
    const reader = open(simulation, { access: "READER", secret: "reader-secret" });
    expect(await reader.head("uid-1")).not.toBeNull();
    await expect(reader.put("uid-1", bytes)).rejects.toMatchObject({ code: "objectstore.forbidden" });
    const elsewhere = open(simulation, { access: "WRITER", secret: "writer-secret", bucket: "other" });
    await expect(elsewhere.head("uid-1")).rejects.toMatchObject({ code: "objectstore.forbidden" });
    await expect(open(simulation, { ...admin, bucket: "missing" }).put("k", bytes)).rejects.toMatchObject({
      code: "objectstore.bucket_not_found",
    });
  });

  it("lists page after page and creates only where nothing is", async () => {
    await using simulation = await simulate({ seed });
    const store = open(simulation);
    const keys = Array.from({ length: 105 }, (_, index) => `many/${String(index).padStart(4, "0")}`);
    // The client learns the service's clock from its first answer.
    await store.head("many");
    await Promise.all(keys.map((key) => store.put(key, bytes)));
    const first = await store.list!("many/");
    const listed = [...first.keys];
    for (let { next } = first; next !== undefined;) {
      const page = await store.list!("many/", { token: next });
      listed.push(...page.keys);
      ({ next } = page);
    }
    expect(listed).toEqual(keys);
    expect(first.keys.length).toBeLessThan(keys.length);
    await expect(store.put("many/0000", bytes, { ifNoneMatch: "*" })).rejects.toMatchObject({
      code: "objectstore.conflict",
    });
  });

  it("answers under the bucket's own host name", async () => {
    await using simulation = await simulate({ seed });
    const { simulator, client } = simulation;
    await open(simulation).put("uid-1", bytes);
    const bucket = await client.objectStorage.buckets.get("us-ord", "data");
    expect(bucket.hostname).toBe(`data.${new URL(simulator.objectStorage.url).host}`);
    const { port } = new URL(simulator.objectStorage.url);
    const named = open(simulation, { ...admin, endpoint: `http://localhost:${port}`, forcePathStyle: "false" });
    const { url } = await named.signGet("uid-1", { expiresInSeconds: 60 });
    const { host, pathname, search } = new URL(url);
    expect(host).toBe(`data.localhost:${port}`);
    const answer = await request(`http://127.0.0.1:${port}${pathname}${search}`, { headers: { host } });
    expect(await answer.body.text()).toBe(bytes.toString());
  });

  it("refuses what older engines do not know, and records it", async () => {
    await using simulation = await simulate({ seed });
    const { simulator } = simulation;
    const { url } = await open(simulation).signGet("uid-1", { expiresInSeconds: 60 });
    const store = open(simulation);
    await store.put("uid-1", bytes);
    const answer = await fetch(url, { headers: { "x-amz-checksum-mode": "ENABLED" } });
    expect(answer.status).toBe(400);
    expect(simulator.objectStorage.requests.violations).toHaveLength(1);
  });

  it("refuses requests dated by a clock that is far off, and accepts them within 15 minutes", async () => {
    const clock = fakeClock();
    await using simulation = await simulate({ seed, clock });
    const { url } = await open(simulation, admin, fakeClock({ now: clock.now() + 16 * 60_000 })).signGet("uid-1", {
      expiresInSeconds: 60,
    });
    expect((await fetch(url)).status).toBe(403);
    const near = open(simulation, admin, fakeClock({ now: clock.now() + 5 * 60_000 }));
    await near.put("uid-1", bytes);
    expect((await fetch((await near.signGet("uid-1", { expiresInSeconds: 60 })).url)).status).toBe(200);
  });

  it("fails as planned", async () => {
    await using simulation = await simulate({ seed });
    const { simulator } = simulation;
    simulator.objectStorage.faults.add({
      method: "PUT",
      path: "data/uid-1",
      action: { kind: "status", status: 503, reason: "SlowDown" },
      times: 3,
    });
    await expect(open(simulation).put("uid-1", bytes)).rejects.toMatchObject({ code: "objectstore.throttled" });
    await open(simulation).put("uid-1", bytes);
  });
});
