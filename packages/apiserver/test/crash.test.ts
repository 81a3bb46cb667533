import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, fstatSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { silentLogger } from "@capstan/contract";
import type { ObjectMeta } from "@capstan/schema";
import { fakeClock, seededRandom } from "@capstan/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApi, type Target } from "./conformance/api.ts";
import { configMap, configMaps } from "./conformance/objects.ts";
import { ObjectStorage } from "../src/storage/object-storage.ts";
import { sqliteBackend } from "../src/storage/sqlite-backend.ts";
import { startTarget, startServer } from "./embedded-server.ts";

const program = join(import.meta.dirname, "fixtures", "serve.ts");
const churnProgram = join(import.meta.dirname, "fixtures", "churn.ts");
const rounds = 3;
/** Processes start from sources, which takes seconds on a busy machine. */
const startingTimeoutMs = 120_000;

/** Every process that a test has started; none outlives it. */
const children: ChildProcess[] = [];

/** A server with a data file in a process of its own. */
interface Child {
  readonly process: ChildProcess;
  readonly url: string;
  readonly caCertificate: string;
}

/** Loading the server's sources takes a process seconds: those that will be needed do it beside the other tests. */
const loading: ChildProcessByStdio<Writable, Readable, null>[] = [];

const load = (): void => {
  const child = spawn(process.execPath, ["--conditions=@capstan/source", program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  loading.push(child);
};

const startChild = async (file: string): Promise<Child> => {
  const child = loading.shift();
  if (child === undefined) {
    throw new Error("more servers are started than were loaded");
  }
  children.push(child);
  child.stdin.write(`${file}\n`);
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { process: child, ...(JSON.parse(line.toString()) as { url: string; caCertificate: string }) };
};

const targetOf = ({ url, caCertificate }: Pick<Child, "url" | "caCertificate">): Target => ({
  url,
  caCertificate,
  tokens: { admin: "token-admin", alice: "token-alice", bob: "token-bob" },
  carol: { certificate: "", key: "" },
});

type Acknowledged = Map<string, { readonly version: number; readonly value: string }>;

const remember = (
  acknowledged: Acknowledged,
  object: { readonly metadata: ObjectMeta; readonly data: { value: string } },
) =>
  acknowledged.set(object.metadata.name ?? "", {
    version: Number(object.metadata.resourceVersion),
    value: object.data.value,
  });

/** Starts a server on what a killed one has left, and looks for every acknowledged write in a list and in a watch that continues. */
const checkKept = async (file: string, before: Child, acknowledged: Acknowledged, since: number): Promise<void> => {
  const server = await startServer({ storage: { file } });
  const api = createApi(targetOf(server));
  expect(server.caCertificate).toBe(before.caCertificate);
  const { body } = await api.get(configMaps("default"));
  const kept = new Map(
    body.items.map((item: { metadata: ObjectMeta; data: { value: string } }) => [
      item.metadata.name,
      { version: Number(item.metadata.resourceVersion), value: item.data.value },
    ]),
  ) as Acknowledged;
  for (const [name, { version, value }] of acknowledged) {
    const found = kept.get(name);
    expect(found?.version, name).toBeGreaterThanOrEqual(version);
    // A later write of the same object may have been kept without its answer having got through.
    expect(found?.version === version ? found.value : "patched", name).toBe(
      found?.version === version ? value : "patched",
    );
  }
  const created = await api.post(configMaps("default"), configMap("after"));
  const newest = Number(created.body.metadata.resourceVersion);
  expect(newest).toBeGreaterThan(Number(body.metadata.resourceVersion));
  const watch = await api.watch(configMaps("default"), { query: { resourceVersion: since } });
  const seen: number[] = [];
  while ((seen.at(-1) ?? 0) < newest) {
    seen.push(Number((await watch.next()).object.metadata.resourceVersion));
  }
  watch.close();
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  const versions = new Set(seen);
  for (const [name, { version }] of acknowledged) {
    expect(version <= since || versions.has(version), name).toBe(true);
  }
  await api.delete(`${configMaps("default")}/after`);
  await api.close();
  await server.stop();
};

/** Lets another process change objects and kills it once it has acknowledged `target`; answers the last acknowledged revision. */
const churnUntil = async (file: string, target: number): Promise<number> => {
  const child = spawn(process.execPath, ["--conditions=@capstan/source", churnProgram, file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let last = 0;
  for await (const line of createInterface(child.stdout)) {
    last = Number(line);
    if (last >= target) {
      child.kill("SIGKILL");
    }
  }
  return last;
};

describe("a data file", () => {
  let directory: string;
  let file: string;

  beforeAll(() => {
    for (let index = 0; index < rounds + 2; index++) {
      load();
    }
  });

  afterAll(() => {
    for (const child of loading) {
      child.kill("SIGKILL");
    }
  });

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "capstan-data-"));
    file = join(directory, "state.db");
  });

  afterEach(() => {
    for (const child of children.splice(0)) {
      child.kill("SIGKILL");
    }
    rmSync(directory, { recursive: true });
  });

  it(
    "is whole again after a crash while old changes are forgotten",
    async () => {
      const random = seededRandom(5);
      let acknowledged = 0;
      for (let round = 1; round <= rounds; round++) {
        const target = acknowledged + (round === 1 ? 11_000 : 500) + Math.floor(random.next() * 1_500);
        acknowledged = await churnUntil(file, target);
        const clock = fakeClock();
        const storage = new ObjectStorage({ backend: sqliteBackend(file), clock, log: silentLogger });
        const collection = storage.collection("churn");
        expect(storage.revision).toBeGreaterThanOrEqual(acknowledged);
        for (const { revision, object } of collection.range()) {
          expect(Number(object["data"])).toBe(revision);
          expect(object.metadata.resourceVersion).toBe(String(revision));
        }
        const { floor } = collection.history;
        const known = collection.history.since(floor)?.map(({ revision }) => revision) ?? [];
        expect(known).toEqual(Array.from({ length: storage.revision - floor }, (_, index) => floor + 1 + index));
        expect(known.length).toBeGreaterThanOrEqual(Math.min(10_000, storage.revision - 1));
        await storage.close();
      }
    },
    startingTimeoutMs,
  );

  it("lets watches go on after a restart", async () => {
    const first = await startTarget({ storage: { file } });
    const before = createApi(first.target);
    const { body } = await before.post(configMaps("default"), configMap("a", { v: "1" }));
    await before.mergePatch(`${configMaps("default")}/a`, { metadata: { labels: { x: "y" } } });
    await before.mergePatch(`${configMaps("default")}/a`, { metadata: { labels: { x: null } } });
    await before.delete(`${configMaps("default")}/a`);
    await before.close();
    await first.server.stop();

    const second = await startTarget({ storage: { file } });
    const api = createApi(second.target);
    const query = { resourceVersion: body.metadata.resourceVersion, labelSelector: "x=y" };
    const watch = await api.watch(configMaps("default"), { query });
    expect((await watch.next()).type).toBe("ADDED");
    expect((await watch.next()).type).toBe("DELETED");
    watch.close();
    const exact = { resourceVersion: body.metadata.resourceVersion, resourceVersionMatch: "Exact" };
    const old = await api.get(configMaps("default"), { query: exact });
    expect(old.body.items[0].data).toEqual({ v: "1" });
    await api.close();
    await second.server.stop();
  });

  it(
    "keeps every acknowledged write, whenever the process is killed",
    async () => {
      const random = seededRandom(11);
      const acknowledged = new Map<string, { readonly version: number; readonly value: string }>();
      for (let round = 1; round <= rounds; round++) {
        const killAfter = acknowledged.size + 30 + Math.floor(random.next() * 200);
        const child = await startChild(file);
        const api = createApi(targetOf(child));
        const start = Number((await api.get(configMaps("default"))).body.metadata.resourceVersion);
        for (const { version } of acknowledged.values()) {
          expect(start).toBeGreaterThanOrEqual(version);
        }
        const writers = Array.from({ length: 16 }, async (_, writer) => {
          for (let index = 0; ; index++) {
            const name = `r${round}-w${writer}-${index}`;
            const created = await api.post(configMaps("default"), configMap(name, { value: "created" }));
            remember(acknowledged, created.body);
            const patched = await api.mergePatch(`${configMaps("default")}/${name}`, { data: { value: "patched" } });
            remember(acknowledged, patched.body);
            if (acknowledged.size >= killAfter) {
              child.process.kill("SIGKILL");
            }
          }
        });
        await Promise.allSettled(writers);
        await api.close();
        await checkKept(file, child, acknowledged, start);
      }
    },
    startingTimeoutMs,
  );

  it("is refused to a second server", async () => {
    const server = await startServer({ storage: { file } });
    await expect(startServer({ storage: { file } })).rejects.toMatchObject({ code: "apiserver.storage_locked" });
    await server.stop();
    const child = await startChild(file);
    await expect(startServer({ storage: { file } })).rejects.toMatchObject({ code: "apiserver.storage_locked" });
    child.process.kill("SIGKILL");
    await once(child.process, "exit");
    const next = await startServer({ storage: { file } });
    await next.stop();
  });

  it("is refused after a crash when its write-ahead log is gone", async () => {
    const child = await startChild(file);
    child.process.kill("SIGKILL");
    await once(child.process, "exit");
    const log = `${file}-wal`;
    renameSync(log, `${log}.kept`);
    await expect(startServer({ storage: { file } })).rejects.toMatchObject({
      code: "apiserver.storage_missing",
      message: expect.stringContaining(log) as string,
    });
    renameSync(`${log}.kept`, log);
    await (await startServer({ storage: { file } })).stop();
  });

  it("is refused when a page in its middle is damaged", async () => {
    const first = await startTarget({ storage: { file } });
    const api = createApi(first.target);
    for (let index = 0; index < 20; index++) {
      await api.post(configMaps("default"), configMap(`m${index}`, { text: "x".repeat(5_000) }));
    }
    await api.close();
    await first.server.stop();
    const handle = openSync(file, "r+");
    writeSync(handle, Buffer.alloc(fstatSync(handle).size - 8_192, 0x5a), 0, undefined, 8_192);
    closeSync(handle);
    await expect(startServer({ storage: { file } })).rejects.toMatchObject({
      code: "apiserver.storage_corrupt",
      message: expect.stringContaining(file) as string,
    });
  });

  it("is refused when it is damaged", async () => {
    writeFileSync(file, "this is not a database, whatever its name may say ".repeat(100));
    await expect(startServer({ storage: { file } })).rejects.toMatchObject({ code: "apiserver.storage_corrupt" });
  });
});
