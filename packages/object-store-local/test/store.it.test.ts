import { chmod, mkdir, readdir, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLogger } from "@capstan/contract";
import type { OutsideV1, StoreServingV1 } from "@capstan/contract/v1";
import { createObjectStore, localObjectStores, type LocalObjectStoreOptions } from "@capstan/object-store-local";
import { fakeClock, seededRandom } from "@capstan/testing";
import { afterEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "./folders.ts";

const bytes = Buffer.from("abc");
const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of closing.splice(0).toReversed()) await each[Symbol.asyncDispose]();
});

const newFolder = async (): Promise<string> => {
  const folder = await temporaryFolder();
  closing.push(folder);
  return folder.path;
};

const served = async (options: Partial<LocalObjectStoreOptions> = {}) => {
  const folder = options.folder ?? (await newFolder());
  const stores = localObjectStores({ clock: fakeClock(), log: silentLogger, folder, ...options });
  await stores.server.start();
  closing.push({ [Symbol.asyncDispose]: () => stores.server.stop() });
  return { folder, stores, store: stores.open({}) };
};

const refusal = (code: string) => ({ code: `objectstore.${code}` });

describe("the store", () => {
  it.each(["..", "a/../b", "./a", "a\0b", "", "ä".repeat(513)])("refuses the key %j", async (key) => {
    const { store } = await served();
    await expect(store.put(key, bytes)).rejects.toMatchObject(refusal("invalid_argument"));
    await expect(store.signGet(key, { expiresInSeconds: 1 })).rejects.toMatchObject(refusal("invalid_argument"));
  });

  it("takes keys of every other kind, of up to 1024 bytes", async () => {
    const { store } = await served();
    const keys = ["/etc/passwd", "a//b", "...", ".new-x", "ä".repeat(512), "\u0001".repeat(1024), "\n"];
    for (const key of keys) await store.put(key, bytes, { metadata: { m: "x".repeat(1900) } });
    expect((await store.list!("")).keys).toEqual(keys.toSorted());
    for (const key of keys) expect(await store.delete(key)).toEqual({ existed: true });
    expect((await store.list!("")).keys).toEqual([]);
  });

  it("lists by prefix", async () => {
    const { store } = await served();
    for (const key of ["b", "a/2", "a/1"]) await store.put(key, bytes);
    expect(await store.list!("a/")).toEqual({ keys: ["a/1", "a/2"] });
    expect(await store.list!("c")).toEqual({ keys: [] });
  });

  it("keeps to its limits", async () => {
    const { store } = await served({ maxObjectBytes: 10 });
    await expect(store.put("k", Buffer.alloc(11))).rejects.toMatchObject(refusal("too_large"));
    const long = { metadata: { m: "x".repeat(2048) } };
    await expect(store.put("k", bytes, long)).rejects.toMatchObject(refusal("invalid_argument"));
    const split = { contentType: "text/plain\r\nset-cookie: a" };
    await expect(store.put("k", bytes, split)).rejects.toMatchObject(refusal("invalid_argument"));
    for (const expiresInSeconds of [0, -1, 604_801, 1.5, Number.NaN]) {
      await expect(store.signGet("k", { expiresInSeconds })).rejects.toMatchObject(refusal("invalid_argument"));
    }
  });

  it("writes what is not there yet, if that is asked for", async () => {
    const { store } = await served();
    await store.put("k", bytes, { ifNoneMatch: "*" });
    await expect(store.put("k", Buffer.from("other"), { ifNoneMatch: "*" })).rejects.toMatchObject(refusal("conflict"));
    expect(Buffer.from((await store.get!("k", { maxBytes: 3 }))!)).toEqual(bytes);
  });

  it("stops when cancelled", async () => {
    const { store } = await served();
    const reason = new Error("stop");
    const put = store.put("k", bytes, { signal: AbortSignal.abort(reason) });
    await expect(put).rejects.toMatchObject({ ...refusal("cancelled"), cause: reason });
    expect(await store.head("k")).toBeNull();
  });

  it("stores nothing that no machine can fetch, and still deletes what it has", async () => {
    const folder = await newFolder();
    const before = await served({ folder });
    await before.store.put("k", bytes);
    await before.stores.server.stop();
    const { store } = await served({ folder, address: null });
    const missing = { ...refusal("address_missing"), retry: { kind: "never" } };
    await expect(store.put("other", bytes)).rejects.toMatchObject(missing);
    await expect(store.signGet("k", { expiresInSeconds: 60 })).rejects.toMatchObject(missing);
    await expect(store.signPut!("k", { expiresInSeconds: 60 })).rejects.toMatchObject({
      message: expect.stringContaining("--object-store-address") as string,
    });
    expect(await store.head("k")).toMatchObject({ size: 3 });
    expect(await store.delete("k")).toEqual({ existed: true });
  });

  it.each(["../up", "Upper", "a", "a/b", "-ab", "a.b"])("refuses the bucket %j of a Secret", async (bucket) => {
    const { stores } = await served();
    expect(() => stores.open({ bucket })).toThrow(expect.objectContaining(refusal("invalid_config")));
  });

  it("follows no link in place of an object", async () => {
    const { folder, store } = await served();
    await store.put("k", bytes);
    const bucket = join(folder, "buckets", "bootstrap-data");
    const [name = ""] = await readdir(bucket);
    await store.delete("k");
    await writeFile(join(folder, "elsewhere"), '{"key":"k"}\nsecret');
    await symlink(join(folder, "elsewhere"), join(bucket, name));
    await expect(store.get!("k", { maxBytes: 100 })).rejects.toMatchObject(refusal("unknown"));
  });
});

describe("the folder", () => {
  it("loses what a writer that was killed left behind, in every bucket, and nothing of one that still writes", async () => {
    const clock = fakeClock();
    const { folder, stores } = await served({ clock });
    await stores.server.stop();
    const buckets = ["bootstrap-data", "second"].map((name) => join(folder, "buckets", name));
    await mkdir(join(folder, "buckets", "second"));
    await writeFile(join(folder, "buckets", "third"), "no bucket");
    for (const each of [...buckets, folder]) {
      for (const [name, agoMs] of [
        [".new-old", 3_700_000],
        [".new-young", 60_000],
      ] as const) {
        await writeFile(join(each, name), "part");
        const seconds = (clock.now() - agoMs) / 1000;
        await utimes(join(each, name), seconds, seconds);
      }
    }
    const again = await served({ clock, folder });
    for (const each of buckets) expect(await readdir(each)).toEqual([".new-young"]);
    expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([".new-young"]);
    expect((await again.store.list!("")).keys).toEqual([]);
  });

  it("that others may enter is closed to them, and a key that others may read is refused", async () => {
    const folder = await newFolder();
    await mkdir(folder, { mode: 0o755 });
    const { stores } = await served({ folder });
    await stores.server.stop();
    await chmod(join(folder, "signing-key"), 0o644);
    await expect(served({ folder })).rejects.toMatchObject({
      ...refusal("invalid_config"),
      message: expect.stringContaining("0600") as string,
    });
  });

  it("has one key, whoever makes it", async () => {
    const folder = await newFolder();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const signatures = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const address = "https://store.example";
        const stores = localObjectStores({ clock: fakeClock(), log: silentLogger, folder, address });
        return (await stores.open({}).signGet("k", { expiresInSeconds: 60 })).url;
      }),
    );
    expect(new Set(signatures).size).toBe(1);
  });
});

describe("createObjectStore", () => {
  const outside: OutsideV1 = {
    clock: fakeClock(),
    random: seededRandom(1),
    log: silentLogger,
    variable: () => undefined,
    simulated: () => undefined,
  };
  const serving = (folder: string, change: Partial<StoreServingV1> = {}): StoreServingV1 => ({
    folder: () => folder,
    port: async () => 0,
    machinesAreHere: true,
    ...change,
  });

  it("opens nothing where no store may serve, and says so", async () => {
    const opener = await createObjectStore(outside);
    expect(opener).toMatchObject({ type: "local", contract: "v1" });
    expect(opener.server).toBeUndefined();
    expect(() => opener.open({})).toThrow(/capstan up/);
  });

  it.each([
    ["machines of this host", {}, /^http:\/\/127\.0\.0\.1:\d+\/o\//],
    [
      "an address that was said",
      { machinesAreHere: false, address: "https://s.example" },
      /^https:\/\/s\.example\/o\//,
    ],
  ])("serves %s", async (_name, change, expected) => {
    const opener = await createObjectStore({ ...outside, serving: serving(await newFolder(), change) });
    await opener.server?.start();
    closing.push({ [Symbol.asyncDispose]: async () => opener.server?.stop() });
    const { url } = await opener.open(opener.server!.secretData).signGet("k", { expiresInSeconds: 60 });
    expect(url).toMatch(expected);
  });

  it("serves nobody where machines are elsewhere and no address was said", async () => {
    const change = { machinesAreHere: false };
    const opener = await createObjectStore({ ...outside, serving: serving(await newFolder(), change) });
    await opener.server?.start();
    closing.push({ [Symbol.asyncDispose]: async () => opener.server?.stop() });
    await expect(opener.open({}).put("k", bytes)).rejects.toMatchObject(refusal("address_missing"));
  });
});
