import { once } from "node:events";
import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { silentLogger } from "@capstan/contract";
import { fakeClock, seededRandom } from "@capstan/testing";
import { afterEach, describe, expect, it } from "vitest";
import { builtinDefinitions } from "../builtin/definitions.ts";
import { builtinOwner, createRegistry } from "../registry/registry.ts";
import { createCore } from "../registry/resource-store.ts";
import { memoryBackend } from "../storage/backend.ts";
import { ObjectStorage } from "../storage/object-storage.ts";
import { chunk, ChunkedStream } from "./chunked-stream.ts";
import { createRequestHandler } from "./request-handler.ts";
import { WaitingBytes } from "./waiting-bytes.ts";

const mebibyte = 2 ** 20;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const serve = async (handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> => {
  const server = createServer(handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

/** Asks and does not read the answer. */
const ask = async (port: number, path: string): Promise<IncomingMessage> => {
  const request = get({ port, host: "127.0.0.1", path, agent: false });
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  answer.on("error", () => undefined);
  return answer;
};

describe("what waits for clients that do not read", () => {
  it("is bounded for all streams of a user together, whose others are not held up", async () => {
    const waiting = new WaitingBytes({ perUser: 8 * mebibyte, inAll: 64 * mebibyte });
    const streams = new Map<string, { readonly stream: ChunkedStream; readonly response: ServerResponse }>();
    const port = await serve((request, response) => {
      const [, user = ""] = (request.url ?? "").split("/");
      const stream = new ChunkedStream(request, response, { waiting, user });
      streams.set(request.url ?? "", { stream, response });
      stream.write(chunk("begun"));
    });
    for (const path of ["/eve/0", "/eve/1", "/eve/2", "/eve/3", "/bob/0"]) {
      await ask(port, path);
    }
    const frame = chunk("x".repeat(mebibyte));
    for (let turn = 0; turn < 12; turn++) {
      for (const [path, { stream }] of streams) {
        if (path.startsWith("/eve")) stream.write(frame);
      }
      await nextTurn();
      expect(waiting.isFull("eve", -mebibyte * 5)).toBe(false);
    }
    expect([...streams].filter(([path, { response }]) => path.startsWith("/eve") && response.destroyed)).not.toEqual(
      [],
    );
    expect(streams.get("/bob/0")?.response.destroyed).toBe(false);
    expect(waiting.isFull("bob")).toBe(false);
    for (const { response } of streams.values()) response.destroy();
    await nextTurn();
    await nextTurn();
    expect(waiting.isFull("eve", 8 * mebibyte)).toBe(false);
  });

  it("is bounded for answers, too, and those of others come", async () => {
    const clock = fakeClock();
    const storage = new ObjectStorage({ backend: memoryBackend(), clock, log: silentLogger });
    const registry = createRegistry();
    registry.replace(builtinOwner, builtinDefinitions());
    const core = createCore({ registry, storage, admission: [], clock, random: seededRandom(1), log: silentLogger });
    const data = { text: "x".repeat(200_000) };
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "large", namespace: "default" }, data };
    const { store } = builtinDefinitions().find(({ plural }) => plural === "configmaps")?.storage ?? { store: "" };
    await storage.collection(store).create("default", "large", object).durable;
    const waiting = new WaitingBytes({ perUser: 300_000, inAll: 1_000_000 });
    const handle = createRequestHandler({
      core,
      authenticate: async (request) => ({ name: String(request.headers["x-user"] ?? "eve"), groups: [] }),
      authorize: () => "",
      endpoints: {},
      onStop: () => () => undefined,
      waiting,
    });
    const port = await serve((request, response) => void handle(request, response));
    const path = "/api/v1/namespaces/default/configmaps/large";
    waiting.add("eve", 150_000);
    const refused = await ask(port, path);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "1"]);
    waiting.add("eve", -150_000);
    expect((await ask(port, path)).statusCode).toBe(200);
  });
});
