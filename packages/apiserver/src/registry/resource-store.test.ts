import { silentLogger } from "@capstan/contract";
import { fakeClock, seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";
import { builtinDefinitions } from "../builtin/definitions.ts";
import { memoryBackend } from "../storage/backend.ts";
import { ObjectStorage } from "../storage/object-storage.ts";
import { builtinOwner, createRegistry } from "./registry.ts";
import { createCore } from "./resource-store.ts";

const createStore = () => {
  const clock = fakeClock();
  const storage = new ObjectStorage({ backend: memoryBackend(), clock, log: silentLogger });
  const registry = createRegistry();
  registry.replace(builtinOwner, builtinDefinitions());
  const { store } = createCore({ registry, storage, admission: [], clock, random: seededRandom(1), log: silentLogger });
  return { storage, store };
};

const object = (name: string) => ({ apiVersion: "v1", kind: "X", metadata: { name } });

it("watches also the stores that appear while the first events are told", async () => {
  const { storage, store } = createStore();
  await storage.collection("first").create("", "a", object("a")).durable;
  const seen: string[] = [];
  const stop = store.watchAll((event) => {
    storage.collection("second");
    seen.push(`${event.type} ${event.object.metadata.name}`);
  });
  await storage.collection("second").create("", "b", object("b")).durable;
  expect(seen).toEqual(["ADDED a", "ADDED b"]);
  stop();
  await storage.collection("second").create("", "c", object("c")).durable;
  expect(seen).toHaveLength(2);
});

it.each([
  [10, true],
  [10_000, false],
])("an object with %d members is there before others have had a turn: %s", async (members, expected) => {
  const { store } = createStore();
  const ref = { group: "", plural: "configmaps" };
  const metadata = { name: "m", namespace: "default" };
  const data = Object.fromEntries(Array.from({ length: members }, (_, index) => [`k${index}`, "v"]));
  const { promise: isThere, resolve } = Promise.withResolvers<boolean>();
  setImmediate(() => resolve(store.peek(ref, metadata) !== undefined));
  await store.create(ref, { apiVersion: "v1", kind: "ConfigMap", metadata, data });
  expect(await isThere).toBe(expected);
  expect(store.peek(ref, metadata)).toBeDefined();
});
