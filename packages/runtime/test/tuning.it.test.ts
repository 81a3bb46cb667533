import { Label } from "@capstan/contract";
import { afterEach, beforeEach, expect, it } from "vitest";
import { controller, watch } from "../src/index.ts";
import { createWorld, Parent, parent, type World } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const recording = (seen: string[]) =>
  controller({
    name: "parent",
    sources: [watch(Parent)],
    reconcile: async ({ namespace, name }) => void seen.push(`${namespace}/${name}`),
  });

const inNamespace = (namespace: string, name: string) => ({ ...parent(name), metadata: { name, namespace } });

it("watches the named namespaces only, each over a watch of its own", async () => {
  const { server, clock, newManager } = world;
  for (const namespace of ["a", "b", "c"]) server.put("parents", inNamespace(namespace, "old"));
  const { manager, start } = newManager({ namespaces: ["a", "b"] });
  const seen: string[] = [];
  manager.add(recording(seen));
  await start();
  await clock.advanceUntil(() => seen.length === 2);
  for (const namespace of ["a", "b", "c"]) server.put("parents", inNamespace(namespace, "new"));
  await clock.advanceUntil(() => seen.length === 4);
  await clock.advance(5000);
  expect(seen.toSorted()).toEqual(["a/new", "a/old", "b/new", "b/old"]);
  expect(server.requests.every((request) => /^GET \/apis\/[^/]+\/v1\/namespaces\/[ab]\//.test(request))).toBe(true);
  expect(manager.cache.list(Parent)).toHaveLength(4);
  expect(manager.cache.list(Parent, { namespace: "b" })).toHaveLength(2);
  expect(manager.cache.list(Parent, { namespace: "c" })).toEqual([]);
  expect(manager.cache.get(Parent, { namespace: "b", name: "old" })).toBeDefined();
  server.remove("parents", "b", "old");
  await clock.advanceUntil(() => manager.cache.list(Parent).length === 3);
});

const labelled = (name: string, value: string) => ({
  ...parent(name),
  metadata: { name, namespace: "default", labels: { [Label.watchFilter]: value } },
});

it("leaves objects without the watch filter's value to others", async () => {
  const { server, clock, newManager } = world;
  server.put("parents", parent("plain"));
  server.put("parents", labelled("mine", "blue"));
  server.put("parents", labelled("other", "green"));
  const { manager, start } = newManager({ tuning: { watchFilter: "blue" } });
  const seen: string[] = [];
  manager.add(recording(seen));
  await start();
  await clock.advanceUntil(() => seen.length === 1);
  server.put("parents", labelled("plain", "blue"));
  await clock.advanceUntil(() => seen.length === 2);
  // What is gone can carry no label: whoever handled it gets to know.
  server.remove("parents", "default", "mine");
  await clock.advanceUntil(() => seen.length === 3);
  expect(seen).toEqual(["default/mine", "default/plain", "default/mine"]);
});

it("looks at everything again when the sync period is over", async () => {
  const { server, clock, newManager } = world;
  server.put("parents", parent("a"));
  const { manager, start, stop } = newManager({ tuning: { syncPeriodMs: 600_000 } });
  const seen: string[] = [];
  manager.add(recording(seen));
  await start();
  await clock.advanceUntil(() => seen.length === 1);
  await clock.advance(599_000);
  expect(seen).toHaveLength(1);
  await clock.advance(62_000);
  expect(seen).toHaveLength(2);
  await clock.advance(661_000);
  expect(seen).toHaveLength(3);
  await stop();
});

it("runs as many reconciles of a kind at once as the operator says", async () => {
  const { server, clock, newManager } = world;
  for (const name of ["a", "b", "c", "d"]) server.put("parents", parent(name));
  const { manager, start } = newManager({ tuning: { concurrency: { Parent: 2, Child: 1 } } });
  let running = 0;
  let most = 0;
  let ended = 0;
  manager.add(
    controller({
      name: "parent",
      sources: [watch(Parent)],
      reconcile: async (_, context) => {
        most = Math.max(most, ++running);
        await context.clock.sleep(100, { signal: context.signal });
        running -= 1;
        ended += 1;
      },
    }),
  );
  await start();
  await clock.advanceUntil(() => ended === 4, { stepMs: 50 });
  expect(most).toBe(2);
});
