import { silentLogger } from "@capstan/contract";
import type { Clock, Random } from "@capstan/contract";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtinDefinitions } from "../builtin/definitions.ts";
import { createRequestHandler } from "../http/request-handler.ts";
import { builtinOwner, createRegistry } from "../registry/registry.ts";
import { createCore } from "../registry/resource-store.ts";
import { memoryBackend } from "../storage/backend.ts";
import { ObjectStorage } from "../storage/object-storage.ts";
import { discoveryEndpoints } from "./discovery-endpoints.ts";

const clock: Clock = { now: () => 0, sleep: () => Promise.resolve(), schedule: () => () => undefined };
const random: Random = { next: () => 0, bytes: (length) => new Uint8Array(length) };

let server: Server;
let base: string;

beforeAll(async () => {
  const log = silentLogger;
  const registry = createRegistry();
  registry.replace(builtinOwner, builtinDefinitions());
  const storage = new ObjectStorage({ backend: memoryBackend(), clock, log });
  const handle = createRequestHandler({
    core: createCore({ registry, storage, admission: [], clock, random, log }),
    authenticate: () => Promise.resolve({ name: "admin", groups: ["system:masters"] }),
    authorize: () => "",
    endpoints: discoveryEndpoints,
    onStop: () => () => undefined,
  });
  server = createServer((request, response) => {
    void handle(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${base}${path}`, { headers, redirect: "manual" });

const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const beta = aggregated.replace("v=v2", "v=v2beta1");

describe("discovery over HTTP", () => {
  it.each(["/api", "/apis", "/api/", "/apis/"])("aggregates at %s for clients that ask for it", async (path) => {
    const response = await get(path, { accept: `${aggregated},application/json` });
    expect(response.headers.get("content-type")).toBe(aggregated);
    expect(response.headers.get("vary")).toBe("Accept");
    expect(response.headers.get("cache-control")).toBe("public");
    expect(await response.json()).toMatchObject({ kind: "APIGroupDiscoveryList" });
    const again = await get(path, { accept: aggregated, "if-none-match": response.headers.get("etag") ?? "" });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("prefers the aggregated form also when protobuf is asked for first", async () => {
    const protobuf = aggregated.replace("application/json", "application/vnd.kubernetes.protobuf");
    const response = await get("/apis", { accept: `${protobuf},${aggregated}` });
    expect(response.headers.get("content-type")).toBe(aggregated);
  });

  it.each([
    ["/api", "APIVersions"],
    ["/apis", "APIGroupList"],
    ["/apis/apps", "APIGroup"],
    ["/apis/apps/v1", "APIResourceList"],
    ["/api/v1", "APIResourceList"],
  ])("answers %s with %s otherwise", async (path, kind) => {
    expect(await (await get(path)).json()).toMatchObject({ kind });
  });

  it("falls back to the classic form for older aggregated versions", async () => {
    const response = await get("/apis", { accept: beta });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toMatchObject({ kind: "APIGroupList" });
  });

  it.each(["v2@v1.0", "v2.v1.0"])("serves OpenAPI v2 as JSON and as protobuf of %s", async (version) => {
    const json = await get("/openapi/v2", { accept: "application/json" });
    expect(json.headers.get("content-type")).toBe("application/json");
    expect(await json.json()).toMatchObject({ swagger: "2.0" });
    const protobuf = await get("/openapi/v2", {
      accept: `application/com.github.proto-openapi.spec.${version}+protobuf`,
    });
    expect(protobuf.headers.get("content-type")).toContain("proto-openapi");
    expect((await protobuf.bytes()).subarray(0, 5)).toEqual(new Uint8Array([0x0a, 3, 0x32, 0x2e, 0x30]));
    const etag = json.headers.get("etag") ?? "";
    expect((await get("/openapi/v2", { "if-none-match": etag })).status).toBe(304);
  });

  it("writes YAML, and nothing else but JSON", async () => {
    expect(await (await get("/apis/apps", { accept: "application/yaml" })).text()).toContain("kind: APIGroup\n");
    expect((await get("/apis/apps", { accept: "text/plain" })).status).toBe(406);
  });

  it.each(["/apis/nope.example", "/openapi/v3/apis/apps", "/openapi/v3/api/v9", "/openapi/v2/x"])(
    "answers %s with a plain 404",
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(404);
      expect(await response.text()).toBe("404 page not found\n");
    },
  );

  it("lists the paths there are", async () => {
    const { paths } = (await (await get("/")).json()) as { paths: string[] };
    expect(paths).toEqual(expect.arrayContaining(["/api/v1", "/apis/apps", "/apis/apps/v1", "/openapi/v3"]));
  });
});

const locate = async (path: string): Promise<string> => {
  const { paths } = (await (await get("/openapi/v3")).json()) as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  return paths[path]?.serverRelativeURL ?? "";
};

describe("OpenAPI over HTTP", () => {
  it.each(["api/v1", "apis/apps/v1"])("serves %s for ever below its hash", async (path) => {
    const response = await get(await locate(path));
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("public, immutable");
    expect(await response.json()).toMatchObject({ openapi: "3.0.0" });
  });

  it("leads from a wrong hash to the right one, and answers without a hash", async () => {
    const location = await locate("apis/apps/v1");
    const wrong = await get("/openapi/v3/apis/apps/v1?hash=ABC");
    expect([wrong.status, wrong.headers.get("location")]).toEqual([301, location]);
    const plain = await get("/openapi/v3/apis/apps/v1");
    expect(plain.headers.get("cache-control")).toBe("public");
    const same = await get("/openapi/v3/apis/apps/v1", { "if-none-match": plain.headers.get("etag") ?? "" });
    expect(same.status).toBe(304);
  });
});
