import { once } from "node:events";
import { Agent, createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { silentLogger } from "@capstan/contract";
import { fakeClock, seededRandom } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import { builtinDefinitions } from "../builtin/definitions.ts";
import type { ResourceDefinition } from "../model/types.ts";
import { FairTurns } from "../registry/fair-turns.ts";
import { builtinOwner, createRegistry } from "../registry/registry.ts";
import { type Core, createCore } from "../registry/resource-store.ts";
import { memoryBackend } from "../storage/backend.ts";
import { ObjectStorage } from "../storage/object-storage.ts";
import { createRequestHandler } from "./request-handler.ts";

const configMaps = builtinDefinitions().find(({ plural }) => plural === "configmaps") as ResourceDefinition;
const watchers = 60;
const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

/** A server of which each piece of work fills a turn of the event loop, and what clients see of it. */
const serve = async () => {
  const clock = fakeClock();
  const storage = new ObjectStorage({ backend: memoryBackend(), clock, log: silentLogger });
  const registry = createRegistry();
  registry.replace(builtinOwner, builtinDefinitions());
  const core: Core = createCore({
    registry,
    storage,
    admission: [],
    clock,
    random: seededRandom(1),
    log: silentLogger,
  });
  let now = 0;
  const handle = createRequestHandler({
    core,
    authenticate: ({ headers }) => Promise.resolve({ name: headers.authorization ?? "", groups: [] }),
    authorize: () => "",
    endpoints: {},
    onStop: () => () => undefined,
    turns: new FairTurns(() => (now += 6)),
  });
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const agents = { crowd: new Agent(), administrator: new Agent({ keepAlive: true }) };
  stops.push(() => {
    Object.values(agents).forEach((agent) => agent.destroy());
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const ask = async (authorization: keyof typeof agents, path: string): Promise<IncomingMessage> => {
    const agent = agents[authorization];
    const request = get({ port, host: "127.0.0.1", agent, path, headers: { authorization } });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return response.on("error", () => undefined);
  };
  const write = (name: string, text: string): void => {
    const collection = storage.collection(configMaps.storage.store);
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "a", name }, data: { text } };
    const present = collection.get("a", name);
    if (present === undefined) collection.create("a", name, object);
    else collection.update(present, object);
  };
  return { ask, write, storage };
};

/** Watches of one user that are open; `events` counts what all of them were told. */
const crowd = ({ ask }: Awaited<ReturnType<typeof serve>>, query: string) => {
  const seen = { events: 0 };
  const open = async (): Promise<void> => {
    const response = await ask("crowd", `/api/v1/configmaps?watch=true${query}`);
    response.on("data", (chunk: Buffer) => {
      seen.events += chunk.toString().split("\n").length - 1;
    });
  };
  return { seen, opened: Promise.all(Array.from({ length: watchers }, open)) };
};

const administrator = async ({ ask }: Awaited<ReturnType<typeof serve>>): Promise<number | undefined> => {
  const response = await ask("administrator", "/api/v1/namespaces/a/configmaps/m");
  response.resume();
  await once(response, "end");
  return response.statusCode;
};

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
};

it("answers another user before the many watches of one are told what there is", async () => {
  const scene = await serve();
  scene.write("m", "1");
  await scene.storage.settled();
  await administrator(scene);
  const { seen, opened } = crowd(scene, "");
  expect(await administrator(scene)).toBe(200);
  expect(seen.events).toBeLessThan(watchers / 2);
  await opened;
  await until(() => seen.events === watchers);
});

it("answers another user while the many watches of one are told of changes, each of all in order", async () => {
  const scene = await serve();
  scene.write("m", "0");
  await scene.storage.settled();
  await administrator(scene);
  const { seen, opened } = crowd(scene, `&resourceVersion=${scene.storage.revision}`);
  await opened;
  for (let text = 1; text <= 100; text++) scene.write("m", String(text));
  await scene.storage.settled();
  expect(await administrator(scene)).toBe(200);
  expect(seen.events).toBeLessThan((watchers * 100) / 2);
  await until(() => seen.events === watchers * 100);
});
