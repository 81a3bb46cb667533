import { once } from "node:events";
import { createServer } from "node:http";
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

it("a change that cannot be kept is answered with 503, without where the file is", async () => {
  const clock = fakeClock();
  const append = (): Promise<void> => Promise.reject(new Error("the data file /secret/place cannot be written"));
  const storage = new ObjectStorage({ backend: { ...memoryBackend(), append }, clock, log: silentLogger });
  const registry = createRegistry();
  registry.replace(builtinOwner, builtinDefinitions());
  const handle = createRequestHandler({
    core: createCore({ registry, storage, admission: [], clock, random: seededRandom(1), log: silentLogger }),
    authenticate: () => Promise.resolve({ name: "admin", groups: ["system:masters"] }),
    authorize: () => "",
    endpoints: {},
    onStop: () => () => undefined,
  });
  const server = createServer((request, response) => void handle(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/namespaces`;
  try {
    for (const name of ["first", "later"]) {
      const answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name } }),
      });
      expect(answer.status).toBe(503);
      const body = (await answer.json()) as { readonly reason: string; readonly message: string };
      expect(body.reason).toBe("ServiceUnavailable");
      expect(body.message).toBe("changes cannot be kept: the server's storage failed; its log says why");
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
