import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { silentLogger } from "@capstan/contract";
import { fakeClock, seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";
import { builtinDefinitions } from "../builtin/definitions.ts";
import { builtinOwner, createRegistry } from "../registry/registry.ts";
import { createCore } from "../registry/resource-store.ts";
import { memoryBackend } from "../storage/backend.ts";
import { ObjectStorage } from "../storage/object-storage.ts";
import { createRequestHandler } from "./request-handler.ts";

it("ends a watch whose client has gone before it began", async () => {
  const clock = fakeClock();
  const storage = new ObjectStorage({ backend: memoryBackend(), clock, log: silentLogger });
  const registry = createRegistry();
  registry.replace(builtinOwner, builtinDefinitions());
  const core = createCore({ registry, storage, admission: [], clock, random: seededRandom(1), log: silentLogger });
  const left = Promise.withResolvers<void>();
  const handle = createRequestHandler({
    core,
    // Takes longer than the client waits.
    authenticate: async (request) => {
      left.resolve();
      await once(request.socket, "close");
      return { name: "u", groups: [] };
    },
    authorize: () => "",
    endpoints: {},
    onStop: () => () => undefined,
  });
  const answered = Promise.withResolvers<number>();
  const server = createServer((request, response) => {
    void handle(request, response).then(() => answered.resolve(response.statusCode));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = get({ port, host: "127.0.0.1", path: "/api/v1/configmaps?watch=true" });
  client.on("error", () => undefined);
  await left.promise;
  client.destroy();
  expect(await answered.promise).toBe(200);
  expect(clock.pending).toBe(0);
  server.close();
});
