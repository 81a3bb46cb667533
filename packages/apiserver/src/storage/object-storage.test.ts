import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { silentLogger } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { fakeClock, seededRandom } from "@capstan/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LogRow, memoryBackend, type StorageBackend } from "./backend.ts";
import { ObjectStorage } from "./object-storage.ts";
import { sqliteBackend } from "./sqlite-backend.ts";
import type { StoredChange } from "./stored-object.ts";

const clock = fakeClock();
const open = (backend: StorageBackend): ObjectStorage => new ObjectStorage({ backend, clock, log: silentLogger });
const object = (name: string, data = ""): KubeObject => ({ apiVersion: "v1", kind: "X", metadata: { name }, data });
const short = ({ type, revision, object: stored }: StoredChange): string => `${revision} ${type} ${stored.name}`;

const changeFile = (file: string, statement: string): void => {
  const database = new DatabaseSync(file);
  database.exec(statement);
  database.close();
};

/** A memory backend that shows what it is given. */
const recording = (append: StorageBackend["append"] = () => undefined) => {
  const batches: (readonly LogRow[])[] = [];
  const backend: StorageBackend = {
    ...memoryBackend(),
    append: (rows) => {
      batches.push(rows);
      return append(rows);
    },
  };
  return { backend, batches };
};

describe("ObjectStorage", () => {
  it("gives every change of every store the next revision", async () => {
    const storage = open(memoryBackend());
    const [a, b] = [storage.collection("a"), storage.collection("b")];
    const seen: string[] = [];
    a.subscribe((change) => seen.push(short(change)));
    b.subscribe((change) => seen.push(short(change)));
    const first = a.create("ns", "x", object("x"));
    b.create("", "y", object("y"));
    const second = a.update(first.change.object, object("x", "2"));
    await a.delete(second.change.object, object("x", "2")).durable;
    expect(seen).toEqual(["2 ADDED x", "3 ADDED y", "4 MODIFIED x", "5 DELETED x"]);
    expect(second.change.object.object.metadata.resourceVersion).toBe("4");
    expect(storage.revision).toBe(5);
  });

  it("commits the changes of one turn together and reports them afterwards", async () => {
    const { backend, batches } = recording();
    const storage = open(backend);
    const collection = storage.collection("a");
    const seen: string[] = [];
    collection.subscribe((change) => seen.push(short(change)));
    const changes = ["x", "y", "z"].map((name) => collection.create("", name, object(name)));
    expect(storage.published).toBe(1);
    expect(seen).toEqual([]);
    await storage.settled();
    expect(batches.map((rows) => rows.map(({ name }) => name))).toEqual([["x", "y", "z"]]);
    expect(seen).toHaveLength(3);
    expect(storage.published).toBe(storage.revision);
    await Promise.all(changes.map(({ durable }) => durable));
  });

  it("gathers changes while a slow backend works, in order", async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let calls = 0;
    const { backend, batches } = recording(() => gates[calls++]?.promise);
    const storage = open(backend);
    const collection = storage.collection("a");
    const first = collection.create("", "x", object("x"));
    await clock.settle();
    const later = [collection.create("", "y", object("y")), collection.create("", "z", object("z"))];
    await clock.settle();
    expect(batches).toHaveLength(1);
    gates[0]?.resolve();
    await first.durable;
    gates[1]?.resolve();
    await Promise.all(later.map(({ durable }) => durable));
    expect(batches.map((rows) => rows.map(({ revision }) => revision))).toEqual([[2], [3, 4]]);
  });

  it("refuses everything once a commit has failed", async () => {
    const { backend } = recording(() => {
      throw new Error("disk full");
    });
    const failures: Error[] = [];
    const storage = new ObjectStorage({ backend, clock, log: silentLogger, onFailure: (each) => failures.push(each) });
    const collection = storage.collection("a");
    const seen: string[] = [];
    collection.subscribe((change) => seen.push(short(change)));
    await expect(collection.create("", "x", object("x")).durable).rejects.toMatchObject({
      code: "apiserver.storage_failed",
    });
    expect(seen).toEqual([]);
    expect(storage.failure).toMatchObject({ code: "apiserver.storage_failed" });
    expect(() => collection.create("", "y", object("y"))).toThrow(storage.failure);
    expect(failures).toEqual([storage.failure]);
    expect(failures[0]?.message).toMatch(/^Changes cannot be kept: disk full\. Free space/);
  });

  it("freezes what it stores", async () => {
    const storage = open(memoryBackend());
    const { change, durable } = storage.collection("a").create("", "x", { ...object("x"), spec: { list: [{ a: 1 }] } });
    await durable;
    const { list } = change.object.object["spec"] as { list: { a: number }[] };
    expect(() => {
      (list[0] as { a: number }).a = 2;
    }).toThrow(TypeError);
  });
});

describe("Collection", () => {
  it("lists by namespace and name, from any key on", () => {
    const collection = open(memoryBackend()).collection("a");
    for (const [namespace, name] of [
      ["b", "y"],
      ["a", "z"],
      ["a-b", "c"],
      ["a", "x"],
    ] as const) {
      collection.create(namespace, name, object(name));
    }
    const keys = (namespace?: string, after?: string) => [...collection.range(namespace, after)].map(({ key }) => key);
    expect(keys()).toEqual(["a-b/c", "a/x", "a/z", "b/y"]);
    expect(keys("a")).toEqual(["a/x", "a/z"]);
    expect(keys("a", "a/x")).toEqual(["a/z"]);
    expect(keys("", "a/x")).toEqual(["a/z", "b/y"]);
    expect(keys("none")).toEqual([]);
  });

  it("remembers older states while its history reaches back", () => {
    const collection = open(memoryBackend()).collection("a");
    const x = collection.create("", "x", object("x", "1")).change.object;
    collection.create("", "y", object("y"));
    const revision = 3;
    collection.delete(collection.update(x, object("x", "2")).change.object, object("x", "2"));
    collection.create("", "a", object("a"));
    const then = collection.at(revision)?.map(({ object: stored }) => [stored.metadata.name, stored["data"]]);
    expect(then).toEqual([
      ["x", "1"],
      ["y", ""],
    ]);
    expect(collection.at(1)).toEqual([]);
    expect(collection.at(0)).toBeUndefined();
  });

  it("forgets the oldest changes beyond ten thousand", () => {
    const collection = open(memoryBackend()).collection("a");
    let latest = collection.create("", "x", object("x")).change.object;
    for (let index = 0; index < 10_005; index++) {
      latest = collection.update(latest, object("x", String(index))).change.object;
    }
    expect(collection.history.floor).toBe(7);
    expect(collection.history.since(6)).toBeUndefined();
    expect(collection.history.since(7)).toHaveLength(10_000);
    expect(collection.history.since(latest.revision)).toEqual([]);
  });

  it("forgets changes older than five minutes, but for the latest of each store", async () => {
    const own = fakeClock();
    const storage = new ObjectStorage({ backend: memoryBackend(), clock: own, log: silentLogger });
    const [busy, seldom] = [storage.collection("busy"), storage.collection("seldom")];
    seldom.create("", "y", object("y"));
    let latest = busy.create("", "x", object("x")).change.object;
    const write = (times: number): void => {
      for (let index = 0; index < times; index++) {
        latest = busy.update(latest, object("x", String(index))).change.object;
      }
    };
    write(999);
    await own.advance(60_000);
    write(1);
    await own.advance(299_000);
    write(1);
    expect(busy.history.since(busy.history.floor)).toHaveLength(1002);
    await own.advance(61_000);
    write(1);
    expect(busy.history.since(busy.history.floor)?.length).toBe(200);
    expect(busy.history.since(busy.history.floor - 1)).toBeUndefined();
    expect(seldom.history.since(seldom.history.floor)).toHaveLength(1);
  });
});

describe("sqliteBackend", () => {
  let directory: string;
  const file = () => join(directory, "state.db");

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "capstan-storage-"));
  });

  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  it("keeps objects, history and revision", async () => {
    const storage = open(sqliteBackend(file()));
    const collection = storage.collection("a");
    const x = collection.create("ns", "x", object("x", "é✓")).change.object;
    collection.create("ns", "y", object("y"));
    await collection.delete(x, object("x")).durable;
    await storage.close();

    const again = open(sqliteBackend(file()));
    const restored = again.collection("a");
    expect(again.revision).toBe(4);
    expect([...restored.range()].map(({ key, revision }) => [key, revision])).toEqual([["ns/y", 3]]);
    expect(restored.history.since(1)?.map(short)).toEqual(["2 ADDED x", "3 ADDED y", "4 DELETED x"]);
    expect(restored.at(2)?.[0]?.object["data"]).toBe("é✓");
    await again.close();
  });

  it("forgets its oldest changes but no living object, and says from where on it is complete", async () => {
    const storage = open(sqliteBackend(file()));
    const collection = storage.collection("a");
    collection.create("", "untouched", object("untouched", "first"));
    const random = seededRandom(7);
    for (let index = 0; index < 12_500; index++) {
      const name = `x${Math.floor(random.next() * 50)}`;
      const living = collection.get("", name);
      if (living === undefined) {
        collection.create("", name, object(name, String(index)));
      } else if (random.next() < 0.2) {
        collection.delete(living, object(name));
      } else {
        collection.update(living, object(name, String(index)));
      }
      if (index % 100 === 0) {
        await storage.settled();
      }
    }
    await storage.close();

    const backend = sqliteBackend(file());
    const { compacted, revision, rows } = backend.load();
    expect(revision).toBe(12_502);
    expect(compacted).toBeGreaterThan(1_400);
    const old = [...rows].filter((row) => row.revision <= compacted);
    expect(old.length).toBeLessThanOrEqual(51);
    backend.close();
    const again = open(sqliteBackend(file()));
    const restored = again.collection("a");
    const texts = (of: typeof collection) => [...of.range()].map(({ key, text }) => [key, text]);
    expect(texts(restored)).toEqual(texts(collection));
    expect(restored.history.floor).toBe(revision - 10_000);
    const events = (of: typeof collection) =>
      of.history.since(restored.history.floor)?.map((one) => [short(one), one.previous?.text]);
    expect(events(restored)).toEqual(events(collection));
    await again.close();
  });

  it("refuses databases of others and of other formats", async () => {
    changeFile(file(), "CREATE TABLE other (id INTEGER)");
    expect(() => sqliteBackend(file())).toThrow(expect.objectContaining({ code: "apiserver.storage_corrupt" }));
    const newer = join(directory, "newer.db");
    await open(sqliteBackend(newer)).close();
    changeFile(newer, "PRAGMA user_version = 9");
    expect(() => sqliteBackend(newer)).toThrow(expect.objectContaining({ code: "apiserver.storage_version" }));
  });
});
