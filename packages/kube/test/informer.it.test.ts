import type { ServerResponse } from "node:http";
import { type Logger, silentLogger } from "@capstan/contract";
import { resource } from "@capstan/schema";
import { type FakeClock, fakeClock, seededRandom } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import {
  type CacheEvent,
  type CacheOptions,
  connect,
  createCache,
  createClient,
  type Informer,
  type WatchCache,
} from "../src/index.ts";
import { answerStatus, ScriptedServer } from "./scripted-server.ts";

const Widget = resource({ group: "", version: "v1", kind: "Widget", plural: "widgets" });
const Secret = resource({ group: "", version: "v1", kind: "Secret", plural: "secrets" });

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface World {
  readonly server: ScriptedServer;
  readonly clock: FakeClock;
  readonly cache: WatchCache;
  readonly stop: AbortController;
  readonly client: ReturnType<typeof createClient>;
  readonly start: () => Promise<void>;
}

const setup = async (options: Partial<CacheOptions> = {}): Promise<World> => {
  const server = await new ScriptedServer().start();
  closing.push(() => server.stop());
  const clock = fakeClock();
  const connection = connect({ url: server.url, clock });
  closing.push(() => connection.close());
  const cache = createCache({ connection, random: seededRandom(), ...options });
  const stop = new AbortController();
  closing.push(() => stop.abort());
  const client = createClient(connection, { observer: cache });
  return { server, clock, cache, stop, client, start: () => cache.start({ signal: stop.signal }) };
};

const recorded = (informer: Informer): string[] => {
  const seen: string[] = [];
  informer.subscribe((event) => {
    const initial = event.type !== "deleted" && event.initial ? " initial" : "";
    seen.push(`${event.type} ${event.object.metadata.name}${initial}`);
  });
  return seen;
};

it("lists, watches, indexes, and stops when told to", async () => {
  const { server, clock, cache, stop, start } = await setup();
  server.put("a", { spec: "x" });
  const informer = cache.informer(Widget);
  informer.addIndex("spec", (object) => [String(object["spec"])]);
  const seen = recorded(informer);
  await start();
  expect(seen).toEqual(["added a initial"]);
  server.put("b", { spec: "x" });
  server.put("a", { spec: "y" });
  server.remove("b");
  await clock.advanceUntil(() => seen.length === 4);
  expect(seen.slice(1)).toEqual(["added b", "updated a", "deleted b"]);
  expect(cache.byIndex(Widget, "spec", "y").map(({ metadata }) => metadata.name)).toEqual(["a"]);
  expect(cache.get(Widget, { namespace: "default", name: "a" })?.metadata.managedFields).toBeUndefined();
  expect(cache.list(Widget, { namespace: "other" })).toEqual([]);
  stop.abort();
  await clock.advanceUntil(() => server.watches === 0);
});

it("falls back to pages where streaming lists are refused, for good", async () => {
  const { server, clock, cache, start } = await setup();
  server.streamingLists = false;
  for (let index = 0; index < 1_201; index++) server.put(`w${index}`);
  const informer = cache.informer(Widget);
  await start();
  expect(informer.list()).toHaveLength(1_201);
  await clock.advanceUntil(() => server.watches === 1);
  const asked = server.requests.map((line) => line.replace(/timeoutSeconds=\d+/, "timeoutSeconds=N"));
  expect(asked).toEqual([
    "GET /api/v1/widgets?watch=true&allowWatchBookmarks=true&timeoutSeconds=N&sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
    "GET /api/v1/widgets?limit=500",
    "GET /api/v1/widgets?limit=500&continue=500",
    "GET /api/v1/widgets?limit=500&continue=1000",
    "GET /api/v1/widgets?watch=true&allowWatchBookmarks=true&timeoutSeconds=N&resourceVersion=1301",
  ]);
});

it("goes on from the version of the last bookmark", async () => {
  const { server, clock, cache, start } = await setup();
  cache.informer(Widget);
  await start();
  server.skip(50);
  server.bookmark();
  await clock.settle();
  server.compacted = 150;
  server.endWatches();
  await clock.advanceUntil(() => server.watches === 1);
  expect(server.requests.at(-1)).toContain("resourceVersion=150");
});

it("replays to late subscribers, and keeps handlers apart", async () => {
  const errors: unknown[] = [];
  const log: Logger = {
    ...silentLogger,
    error: (_message, fields) => errors.push(fields?.["error"]),
    child: () => log,
  };
  const { server, clock, cache, start } = await setup({ log });
  server.put("a");
  const informer = cache.informer(Widget);
  informer.subscribe(() => {
    throw new Error("broken handler");
  });
  const early = recorded(informer);
  await start();
  const late = recorded(informer);
  expect(late).toEqual(["added a initial"]);
  const events: CacheEvent<unknown>[] = [];
  const unsubscribe = informer.subscribe((event) => events.push(event));
  unsubscribe();
  server.put("b");
  await clock.advanceUntil(() => late.length === 2);
  expect(early).toEqual(["added a initial", "added b"]);
  expect(events).toHaveLength(1);
  expect(errors.map(String)).toEqual(["Error: broken handler", "Error: broken handler"]);
});

it("starts an informer that is declared while the cache runs, and waits for it", async () => {
  const { server, cache, start } = await setup();
  await start();
  server.put("a");
  const informer = cache.informer(Widget);
  expect(informer.synced).toBe(false);
  await informer.waitForSync();
  expect(informer.list()).toHaveLength(1);
  await expect(informer.waitForSync({ signal: AbortSignal.abort() })).resolves.toBeUndefined();
});

it("is started once, however many ask for it", async () => {
  const { server, clock, cache, start } = await setup();
  cache.informer(Widget);
  await Promise.all([start(), start()]);
  await start();
  await clock.advance(1_000);
  expect(server.watches).toBe(1);
  expect(server.requests).toHaveLength(1);
});

it("stops waiting for a kind that the server does not have", async () => {
  const { server, cache, stop, start } = await setup();
  server.guard = () => (_request, response) => response.writeHead(404).end();
  const informer = cache.informer(Widget);
  const started = start();
  const waiting = informer.waitForSync({ signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(started).rejects.toThrow("enough");
  await expect(waiting).rejects.toThrow("enough");
});

it("asks for metadata where nothing more is kept, and for the chosen namespace and labels", async () => {
  const { server, cache, start } = await setup({ namespaces: ["team"] });
  const accepts: (string | undefined)[] = [];
  server.guard = ({ headers }) => {
    accepts.push(headers.accept);
    return undefined;
  };
  cache.informer(Secret, { labelSelector: "a in (b)" });
  await start();
  expect(server.requests.at(-1)).toMatch(/^GET \/api\/v1\/namespaces\/team\/secrets\?.*labelSelector=a%20in%20\(b\)/);
  expect(accepts).toEqual(["application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"]);
});

it("has one informer per kind, whose options are settled by the first", async () => {
  const { cache } = await setup();
  const informer = cache.informer(Secret);
  expect(cache.informer(Secret, { contents: "metadata" })).toBe(informer);
  expect(() => cache.informer(Secret, { contents: "full" })).toThrow("another contents");
  expect(() => cache.informer({ ...Secret, version: "v2" })).toThrow("another version");
  expect(() => cache.get(Widget, { name: "a" })).toThrow("not watched");
});

it("shows own writes before the watch does, where they belong", async () => {
  const { server, clock, cache, client, start } = await setup();
  server.put("a", { spec: "old" });
  const informer = cache.informer(Widget, { labelSelector: "!hidden" });
  const seen = recorded(informer);
  await start();
  const stored = informer.get({ namespace: "default", name: "a" });
  if (stored === undefined) throw new Error("not listed");
  // The server echoes what is written; it has told no one yet.
  const written = { ...stored, spec: "new", metadata: { ...stored.metadata, resourceVersion: "102" } };
  const answer = await client.update(Widget, written);
  expect(informer.get({ namespace: "default", name: "a" })?.["spec"]).toBe("new");
  expect(Object.isFrozen(answer)).toBe(false);
  await client.create(Widget, { ...written, metadata: { name: "b", resourceVersion: "103", labels: { hidden: "" } } });
  expect(seen).toEqual(["added a initial", "updated a"]);
  server.put("a", { spec: "new" });
  server.put("c");
  await clock.advanceUntil(() => seen.includes("added c"));
  expect(seen).toEqual(["added a initial", "updated a", "added c"]);
  cache.observeDeleted(Widget, { namespace: "default", name: "a" }, stored.metadata.uid ?? "");
  server.put("a", { spec: "late" });
  server.put("d");
  await clock.advanceUntil(() => seen.includes("added d"));
  expect(seen.slice(3)).toEqual(["deleted a", "added d"]);
});

it("reports how its watches are", async () => {
  const states: string[] = [];
  const { server, clock, cache, start } = await setup({
    onStatus: ({ kind }, { connected, synced, relists }) => states.push(`${kind} ${connected} ${synced} ${relists}`),
  });
  cache.informer(Widget);
  await start();
  await clock.advanceUntil(() => server.watches === 1);
  server.write("garbage\n");
  await clock.advanceUntil(() => cache.statuses()[0]?.relists === 1);
  expect(states).toEqual([
    "Widget false false 0",
    "Widget true true 0",
    "Widget false true 0",
    "Widget false true 0",
    "Widget true true 1",
  ]);
});

it.each([
  { server: "refuses", longestMs: 30_000, answer: answerStatus(500, "InternalError") },
  {
    server: "does not answer",
    longestMs: 5_000,
    answer: (_request: unknown, response: ServerResponse) => void response.destroy(),
  },
])("waits longer each time for a server that $server, up to $longestMs ms", async ({ answer, longestMs }) => {
  const waits: number[] = [];
  const log: Logger = {
    ...silentLogger,
    warn: (_message, fields) => waits.push(Number(fields?.["waitMs"])),
    child: () => log,
  };
  const { server, clock, cache, start } = await setup({ log });
  cache.informer(Widget);
  await start();
  await clock.advanceUntil(() => server.watches === 1);
  server.guard = () => answer;
  server.resetWatches();
  await clock.advanceUntil(() => waits.length >= 8);
  // The jitter is a fifth to either side.
  expect(waits[0]).toBeGreaterThanOrEqual(640);
  expect(waits[0]).toBeLessThanOrEqual(960);
  expect(Math.max(...waits)).toBeLessThanOrEqual(longestMs);
  expect(waits.at(-1)).toBeGreaterThan(longestMs / 2);
});
