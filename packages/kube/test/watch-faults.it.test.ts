import { Secret } from "@capstan/contract";
import { type KubeObject, resource } from "@capstan/schema";
import { type FakeClock, fakeClock, seededRandom } from "@capstan/testing";
import { afterEach, describe, expect, it } from "vitest";
import { type CacheEvent, connect, createCache, type Informer } from "../src/index.ts";
import { answerStatus, ScriptedServer, serverCertificate } from "./scripted-server.ts";

const Widget = resource({ group: "", version: "v1", kind: "Widget", plural: "widgets" });

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface World {
  readonly server: ScriptedServer;
  readonly clock: FakeClock;
  readonly informer: Informer;
  readonly events: readonly CacheEvent<unknown>[];
  token: string;
}

/** Changes of every kind that the watch must not miss: an update, a delete, an add, and a delete with a new object of that name. */
const change = (server: ScriptedServer): void => {
  server.put("kept", { spec: "changed" });
  server.remove("removed");
  server.put("added");
  server.remove("replaced");
  server.put("replaced", { spec: "new" });
};

const identities = (objects: readonly KubeObject[]): string =>
  objects
    .map(({ metadata: { name, uid, resourceVersion } }) => `${name} ${uid} ${resourceVersion}`)
    .toSorted()
    .join("\n");

const inStep = ({ server, informer }: World): boolean => identities(informer.list()) === identities(server.objects());

const setup = async (options: { readonly streamingLists: boolean }): Promise<World> => {
  const server = await new ScriptedServer({ tls: true }).start();
  server.streamingLists = options.streamingLists;
  closing.push(() => server.stop());
  for (const name of ["kept", "removed", "replaced", "quiet"]) server.put(name);
  const clock = fakeClock();
  const world = { server, clock, token: "first" };
  const token = async (): Promise<Secret<string>> => new Secret(world.token);
  const connection = connect({ url: server.url, ca: serverCertificate, token, clock });
  closing.push(() => connection.close());
  const cache = createCache({ connection, random: seededRandom() });
  const informer = cache.informer(Widget);
  const events: CacheEvent<unknown>[] = [];
  const stop = new AbortController();
  closing.push(() => stop.abort());
  informer.subscribe((event) => events.push(event));
  await cache.start({ signal: stop.signal });
  await clock.advanceUntil(() => server.watches === 1, { stepMs: 1 });
  return Object.assign(world, { informer, events });
};

interface Fault {
  readonly name: string;
  /** Breaks something and changes objects meanwhile. Ends when the server is healthy again. */
  readonly strike: (world: World) => Promise<void> | void;
  /** Longest time from the end of the fault until the cache is right. Default 5 000. */
  readonly withinMs?: number;
}

const faults: readonly Fault[] = [
  {
    name: "the connection is reset",
    strike: ({ server }) => {
      server.resetWatches();
      change(server);
    },
  },
  {
    name: "the socket is half open",
    strike: ({ server }) => {
      server.silenceWatches();
      change(server);
    },
    // The longest time a server keeps a watch, five seconds of grace, and the five of every other fault.
    withinMs: 300_000,
  },
  {
    name: "the stream is closed cleanly",
    strike: ({ server }) => {
      server.endWatches();
      change(server);
    },
  },
  {
    name: "410 as the answer to the watch",
    strike: ({ server }) => {
      server.script.push(answerStatus(410, "Expired"));
      server.resetWatches();
      change(server);
    },
  },
  {
    name: "410 as an event",
    strike: ({ server }) => {
      server.resetWatches();
      change(server);
      server.compacted = Number(server.version);
    },
  },
  {
    name: "500",
    strike: async ({ server, clock }) => {
      server.script.push(answerStatus(500, "InternalError"), answerStatus(500, "InternalError"));
      server.resetWatches();
      change(server);
      await clock.advanceUntil(() => server.script.length === 0);
    },
  },
  {
    name: "429 with Retry-After",
    strike: ({ server }) => {
      server.script.push(answerStatus(429, "TooManyRequests", { "retry-after": "4" }));
      server.resetWatches();
      change(server);
    },
  },
  {
    name: "a line that is not JSON",
    strike: ({ server }) => {
      server.write("{not json}\n");
      change(server);
    },
  },
  {
    name: "a line that is not an event",
    strike: ({ server }) => {
      server.write('{"type":"ADDED","object":{"kind":"Widget"}}\n');
      change(server);
    },
  },
  {
    name: "a truncated line",
    strike: async ({ server, clock }) => {
      server.write('{"type":"MODIFIED","object":{"metadata":{"name":"kept","resourceVersion":"9');
      await clock.settle();
      server.endWatches();
      change(server);
    },
  },
  {
    name: "the token expires",
    strike: async (world) => {
      const { server, clock } = world;
      server.guard = ({ headers }) =>
        headers.authorization === "Bearer second" ? undefined : answerStatus(401, "Unauthorized");
      server.endWatches();
      change(server);
      await clock.advanceUntil(() => server.requests.length >= 3);
      world.token = "second";
    },
  },
  {
    name: "the server restarts",
    strike: async ({ server, clock }) => {
      await server.stop();
      change(server);
      await clock.advance(2_000);
      await server.start();
    },
  },
  {
    name: "the server is away for a long time",
    strike: async ({ server, clock }) => {
      await server.stop();
      change(server);
      const end = clock.now() + 120_000;
      await clock.advanceUntil(() => clock.now() >= end);
      await server.start();
    },
  },
  {
    name: "the server comes back with older data",
    strike: async ({ server, clock }) => {
      server.skip(20);
      server.bookmark();
      await clock.advance(1_000);
      await server.stop();
      server.skip(-20);
      change(server);
      await server.start();
      // A server says nothing to a watch from a version it has not reached, until its next bookmark.
      await clock.advanceUntil(() => server.watches === 1);
      server.bookmark();
    },
  },
];

describe.each([{ streamingLists: true }, { streamingLists: false }])("watch faults, %o", (options) => {
  it.each(faults)("$name: nothing is lost, nothing is reported twice", async ({ strike, withinMs = 5_000 }) => {
    const world = await setup(options);
    const { server, clock, events, informer } = world;
    const replaced = informer.get({ namespace: "default", name: "replaced" });
    const before = events.length;
    await strike(world);
    await clock.advanceUntil(() => inStep(world), { maxMs: withinMs });
    const seen = events.slice(before);
    const removed = seen.filter(({ type }) => type === "deleted").map(({ object }) => object);
    expect(removed).toHaveLength(2);
    expect(removed).toContain(replaced);
    const quiet = seen.filter((event) => event.type === "added" || (event.type === "updated" && !event.initial));
    expect(quiet.map((event) => `${event.type} ${nameOf(event)}`).toSorted()).toEqual([
      "added added",
      "added replaced",
      "updated kept",
    ]);
    // The watch continues.
    server.put("later");
    await clock.advanceUntil(() => inStep(world), { maxMs: withinMs });
    expect(nameOf(events.at(-1))).toBe("later");
  });
});

const nameOf = (event: CacheEvent<unknown> | undefined): string | undefined =>
  (event?.object as { readonly metadata: { readonly name?: string } } | undefined)?.metadata.name;
