import { silentLogger } from "@capstan/contract";
import { fakeClock, seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";
import { memoryBackend } from "../storage/backend.ts";
import { ObjectStorage } from "../storage/object-storage.ts";
import { createRegistry } from "./registry.ts";
import { createCore } from "./resource-store.ts";

const object = (name: string) => ({ apiVersion: "v1", kind: "X", metadata: { name } });

it("watches also the stores that appear while the first events are told", async () => {
  const clock = fakeClock();
  const storage = new ObjectStorage({ backend: memoryBackend(), clock, log: silentLogger });
  const random = seededRandom(1);
  const { store } = createCore({
    registry: createRegistry(),
    storage,
    admission: [],
    clock,
    random,
    log: silentLogger,
  });
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
