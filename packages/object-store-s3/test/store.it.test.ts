import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Clock } from "@capstan/contract";
import type { ObjectStore } from "@capstan/contract/v1";
import { s3ObjectStores } from "@capstan/object-store-s3";
import { originalServer, verifyingServer } from "./servers.ts";
import type { StoreServer } from "./servers.ts";

/** The servers live in real time; `offsetMs` moves only what the store believes. */
const realClock = (offsetMs = 0): Clock => ({
  now: () => Date.now() + offsetMs,
  sleep: () => Promise.reject(new Error("not used")),
  schedule: () => () => undefined,
});

interface Access {
  readonly bucket?: string;
  readonly access?: string;
  readonly secret?: string;
}

const open = (server: StoreServer, access: Access = {}, clock = realClock()): ObjectStore =>
  s3ObjectStores({ clock }).open({
    bucket: "data",
    access: "S3RVER",
    secret: "S3RVER",
    ...access,
    endpoint: server.url,
  });

const fetchBytes = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
};

describe.each([
  { name: "s3rver", start: originalServer, verifies: false, lists: true },
  { name: "@20minutes/s3rver", start: verifyingServer, verifies: true, lists: false },
])("against $name", ({ start, verifies, lists }) => {
  let server: StoreServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  it.each([
    ["1 byte", new Uint8Array([7])],
    ["UTF-8 text", Buffer.from("#cloud-config\n# größer\n")],
    ["16 kB", randomBytes(16_384)],
    ["1 MiB of binary", randomBytes(1_048_576)],
  ])("hands out the same bytes by a signed URL: %s", async (name, bytes) => {
    const store = open(server);
    const key = `same/${name}`;
    expect(await store.put(key, bytes)).toMatchObject({ size: bytes.length });
    const { url } = await store.signGet(key, { expiresInSeconds: 60 });
    const got = await fetchBytes(url);
    expect(got.status).toBe(200);
    expect(Buffer.compare(got.bytes, bytes)).toBe(0);
  });

  it.each(["with space", "plus+plus", "percent%20", "a/b/c", "größe", "quote'()*!"])(
    "escapes the key %j",
    async (key) => {
      const store = open(server);
      await store.put(key, Buffer.from(key));
      const { url } = await store.signGet(key, { expiresInSeconds: 60 });
      expect(Buffer.from((await fetchBytes(url)).bytes).toString()).toBe(key);
      expect(await store.head(key)).toMatchObject({ size: Buffer.byteLength(key) });
      await store.delete(key);
      expect(await store.head(key)).toBeNull();
    },
  );

  it("overwrites", async () => {
    const store = open(server);
    await store.put("again", Buffer.from("one"));
    await store.put("again", Buffer.from("two"));
    const { url } = await store.signGet("again", { expiresInSeconds: 60 });
    expect(Buffer.from((await fetchBytes(url)).bytes).toString()).toBe("two");
  });

  it("describes an object, and its absence", async () => {
    const store = open(server);
    const metadata = { "capstan-machine-uid": "uid-1" };
    await store.put("described", Buffer.from("abc"), { metadata, contentType: "text/plain" });
    const head = await store.head("described");
    expect(head).toMatchObject({ size: 3, metadata });
    expect(Math.abs((head?.lastModified ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(await store.head("missing")).toBeNull();
  });

  it("deletes twice, and in a bucket that does not exist", async () => {
    const store = open(server);
    await store.put("short-lived", Buffer.from("abc"));
    expect(await store.delete("short-lived")).toEqual({ existed: "unknown" });
    expect(await store.delete("short-lived")).toEqual({ existed: "unknown" });
    expect(await open(server, { bucket: "missing-bucket" }).delete("k")).toEqual({ existed: false });
  });

  it("names a missing bucket", async () => {
    const store = open(server, { bucket: "missing-bucket" });
    await expect(store.put("k", Buffer.from("abc"))).rejects.toMatchObject({ code: "objectstore.bucket_not_found" });
  });

  it("hands out URLs that expire", async () => {
    const store = open(server, {}, realClock(-120_000));
    await store.put("expiring", Buffer.from("abc"));
    const { url, expiresAt } = await store.signGet("expiring", { expiresInSeconds: 60 });
    expect(expiresAt).toBeLessThan(Date.now());
    expect((await fetchBytes(url)).status).toBe(403);
  });

  it.skipIf(!verifies)("is refused with a wrong secret or an unknown key", async () => {
    for (const access of [{ secret: "wrong" }, { access: "nobody" }]) {
      const put = open(server, access).put("k", Buffer.from("abc"));
      await expect(put).rejects.toMatchObject({ code: "objectstore.unauthenticated" });
    }
  });

  it.skipIf(!verifies)("hands out URLs that are good for one object and one time only", async () => {
    const store = open(server);
    await store.put("mine", Buffer.from("abc"));
    await store.put("other", Buffer.from("abc"));
    const { url } = await store.signGet("mine", { expiresInSeconds: 60 });
    for (const changed of [
      url.replace("mine", "other"),
      url.replace("Expires=60", "Expires=600"),
      `${url.slice(0, -1)}x`,
    ])
      expect((await fetchBytes(changed)).status).toBe(403);
  });

  it.skipIf(!lists)("lists by prefix", async () => {
    const store = open(server, { bucket: "listed" });
    for (const key of ["a/1", "a/2", "b/1"]) await store.put(key, Buffer.from("x"));
    expect(await store.list!("a/")).toEqual({ keys: ["a/1", "a/2"] });
    expect(await store.list!("c/")).toEqual({ keys: [] });
  });
});
