import { resource } from "@capstan/schema";
import { fakeClock, seededRandom } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import { connect, createCache, createClient } from "../src/index.ts";
import { ScriptedServer } from "./scripted-server.ts";

const Widget = resource({ group: "", version: "v1", kind: "Widget", plural: "widgets" });
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

it("lists, watches and stops", async () => {
  const server = await new ScriptedServer().start();
  closing.push(() => server.stop());
  server.put("a");
  const clock = fakeClock();
  const connection = connect({ url: server.url, clock });
  closing.push(() => connection.close());
  const cache = createCache({ connection, random: seededRandom() });
  const stop = new AbortController();
  const informer = cache.informer(Widget);
  const seen: string[] = [];
  informer.subscribe((event) => seen.push(`${event.type} ${event.object.metadata.name}`));
  await cache.start({ signal: stop.signal });
  expect(seen).toEqual(["added a"]);
  server.put("b");
  server.put("a", { spec: 1 });
  server.remove("b");
  await clock.advanceUntil(() => seen.length === 4);
  expect(seen).toEqual(["added a", "added b", "updated a", "deleted b"]);
  const client = createClient(connection);
  expect(await client.find(Widget, { namespace: "default", name: "zzz" })).toBeUndefined();
  expect((await client.get(Widget, { namespace: "default", name: "a" })).metadata.name).toBe("a");
  stop.abort();
  await clock.advanceUntil(() => server.watches === 0);
});
