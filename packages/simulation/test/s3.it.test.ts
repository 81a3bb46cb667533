import { s3ObjectStores } from "@capstan/object-store-s3";
import { fakeClock, seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";
import { type SimulatedState, simulation } from "../src/index.ts";
import { type S3Account, s3Service, type StoredObject } from "../src/s3.ts";

interface Buckets extends SimulatedState {
  objects: StoredObject[];
}

it("serves any account that knows its keys and buckets", async () => {
  const clock = fakeClock();
  const state = { version: 1, empty: () => ({ objects: [] }) };
  const cloud = await simulation<Buckets>({ name: "store", state }, { clock, random: seededRandom(process.pid) });
  const account: S3Account = {
    secretOf: (accessKey) => ({ WRITER: "writer-secret", READER: "reader-secret" })[accessKey],
    allows: (accessKey, bucket, use) => bucket === "data" && (use === "read" || accessKey === "WRITER"),
    objects: (bucket) => (bucket === "data" ? cloud.state.objects : undefined),
  };
  const served = cloud.server().serve("store", s3Service({ account, cloud, maxObjectBytes: 100 }));
  await cloud.start();
  const open = (access: string, secret: string, bucket = "data") =>
    s3ObjectStores({ clock }).open({ bucket, endpoint: served.url, access, secret });
  const writer = open("WRITER", "writer-secret");
  await writer.put("a/b c", Buffer.from("hello"));
  expect(cloud.state.objects).toMatchObject([{ key: "a/b c", size: 5 }]);
  const reader = open("READER", "reader-secret");
  const { url } = await reader.signGet("a/b c", { expiresInSeconds: 60 });
  expect(await (await fetch(url)).text()).toBe("hello");
  await expect(reader.put("x", Buffer.from("y"))).rejects.toMatchObject({ code: "objectstore.forbidden" });
  await expect(writer.put("x", Buffer.alloc(101))).rejects.toMatchObject({ code: "objectstore.too_large" });
  await expect(open("WRITER", "guess").head("x")).rejects.toMatchObject({ code: "objectstore.forbidden" });
  expect(served.requests.violations).toEqual([]);
  // Whoever reads the log cannot fetch what a signed URL gives access to.
  expect(JSON.stringify(served.requests.log)).not.toContain("X-Amz-Signature");
  await cloud.stop();
});
