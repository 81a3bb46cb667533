import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, appliedManifests, type Manifests, standardExtensions } from "../src/index.ts";
import { type Api, createApi } from "./conformance/api.ts";
import { eventually, expectCode, expectPageNotFound, expectStatus } from "./conformance/expectations.ts";
import { configMap, configMaps } from "./conformance/objects.ts";
import { startTarget } from "./embedded-server.ts";

/** The value of the series whose line begins like this and has all of these labels. */
const valueOf = async (
  api: Api,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number | undefined> => {
  const { text } = await api.get("/metrics");
  const wanted = Object.entries(labels).map(([key, label]) => `${key}="${label}"`);
  const line = text
    .split("\n")
    .find(
      (one) => (one.startsWith(`${name}{`) || one.startsWith(`${name} `)) && wanted.every((part) => one.includes(part)),
    );
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(" ")));
};

describe("metrics", () => {
  let server: ApiServer;
  let api: Api;

  beforeAll(async () => {
    const started = await startTarget();
    server = started.server;
    api = createApi(started.target);
  });

  afterAll(async () => {
    await api.close();
    await server.stop();
  });

  const value = (name: string, labels?: Readonly<Record<string, string>>): Promise<number | undefined> =>
    valueOf(api, name, labels);

  it("counts requests by what they are about", async () => {
    const created = { verb: "POST", resource: "configmaps", version: "v1", scope: "resource", code: "201" };
    expectCode(await api.post(configMaps("default"), configMap("counted")), 201);
    await eventually(async () => expect(await value("apiserver_request_total", { ...created, dry_run: "" })).toBe(1));
    await api.post(`${configMaps("default")}?dryRun=All`, configMap("dry"));
    await eventually(async () =>
      expect(await value("apiserver_request_total", { ...created, dry_run: "All" })).toBe(1),
    );
    await api.get(configMaps("default"));
    await api.apply(`${configMaps("default")}/counted`, "m", configMap("counted", { a: "b" }));
    await eventually(async () => {
      expect(await value("apiserver_request_total", { verb: "LIST", resource: "configmaps", scope: "namespace" })).toBe(
        1,
      );
      expect(await value("apiserver_request_total", { verb: "APPLY", resource: "configmaps", code: "200" })).toBe(1);
      expect(await value("apiserver_request_duration_seconds_count", { verb: "LIST", resource: "configmaps" })).toBe(1);
    });
  });

  it("makes no series of what does not exist", async () => {
    expectPageNotFound(await api.get("/apis/made.up/v1/things"));
    expectStatus(await api.get("/api/v1/inventions"), 404);
    await eventually(async () => expect(await value("apiserver_request_total", { code: "404" })).toBe(2));
    const { text } = await api.get("/metrics");
    expect(text).not.toMatch(/made\.up|inventions/);
  });

  it("counts open watches and what is stored", async () => {
    const watches = () =>
      value("apiserver_longrunning_requests", { resource: "secrets", verb: "WATCH", scope: "cluster" });
    const watch = await api.watch("/api/v1/secrets");
    expect(await watches()).toBe(1);
    watch.close();
    await eventually(async () => expect(await watches()).toBe(0));
    const before = (await value("apiserver_storage_objects", { resource: "configmaps" })) ?? 0;
    await api.post(configMaps("default"), configMap("another"));
    expect(await value("apiserver_storage_objects", { resource: "configmaps" })).toBe(before + 1);
    expect(await value("process_resident_memory_bytes")).toBeGreaterThan(1e6);
    expect(await value("apiserver_current_inflight_requests", { request_kind: "readOnly" })).toBe(1);
  });

  it("shows them to monitors only", async () => {
    expectStatus(await api.get("/metrics", { as: "alice" }), 403, { reason: "Forbidden" });
    const headers = { "impersonate-user": "prometheus", "impersonate-group": "system:monitoring" };
    const { code, headers: answered } = await api.get("/metrics", { headers });
    expect(code).toBe(200);
    expect(answered["content-type"]).toContain("text/plain; version=0.0.4");
  });
});

it("reports how manifests fare that are kept applied", async () => {
  const metadata = { name: "kept", namespace: "default" };
  const good = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "b" } };
  let held: Manifests = {
    objects: [
      { object: good, source: "a.yaml:1" },
      { object: { ...good, metadata: { ...metadata, name: "Not A Name" } }, source: "a.yaml:9" },
      { object: { apiVersion: "no.test/v1", kind: "Stray", metadata }, source: "b.yaml:1" },
    ],
    problems: [{ source: "c.yaml", message: "c.yaml is not YAML" }],
  };
  let change = (): void => undefined;
  const source = {
    read: () => held,
    watch: (listener: () => void) => {
      change = listener;
      return () => undefined;
    },
  };
  const started = await startTarget({ extensions: [...standardExtensions(), appliedManifests({ source })] });
  const api = createApi(started.target);
  const figures = async () =>
    await Promise.all(["applied", "failing", "unreadable"].map((name) => valueOf(api, `capstan_manifests_${name}`)));
  await eventually(async () => expect(await figures()).toEqual([1, 2, 1]));
  held = { objects: held.objects.slice(0, 1), problems: [] };
  change();
  await eventually(async () => expect(await figures()).toEqual([1, 0, 0]));
  held = { objects: [{ object: { ...good, data: { "no key": "" } }, source: "a.yaml:1" }], problems: [] };
  change();
  await eventually(async () => expect(await figures()).toEqual([0, 1, 0]));
  await api.close();
  await started.server.stop();
});
