import { Secret } from "@capstan/contract";
import { connect, type Connection } from "@capstan/kube";
import { systemClock } from "@capstan/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiServer } from "../src/index.ts";
import { startServer } from "./embedded-server.ts";

const path = "/capstan/v1/restore";

let server: ApiServer;
let admin: Connection;
let alice: Connection;

beforeAll(async () => {
  server = await startServer();
  const as = (token: string) =>
    connect({ url: server.url, ca: server.caCertificate, token: new Secret(token), clock: systemClock });
  admin = as("token-admin");
  alice = as("token-alice");
});
afterAll(async () => {
  await admin.close();
  await alice.close();
  await server.stop();
});

const post = async (body: unknown, as = admin) => {
  const { status, body: text } = await as.send({ method: "POST", path, body: JSON.stringify(body) });
  return { status, answer: JSON.parse(text) as { readonly results: unknown; readonly message?: string } };
};

const configMap = (name: string, uid: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    name,
    namespace: "default",
    uid,
    resourceVersion: "7",
    creationTimestamp: "2020-01-01T00:00:00Z",
    deletionTimestamp: "2020-01-02T00:00:00Z",
    finalizers: ["a.test/b"],
  },
});

const stored = async (name: string) =>
  JSON.parse((await admin.send({ method: "GET", path: `/api/v1/namespaces/default/configmaps/${name}` })).body) as {
    readonly metadata: { readonly resourceVersion: string };
  };

describe("restoring objects", () => {
  it("keeps identity, times and finalizers, and counts on above the old revisions", async () => {
    const { status, answer } = await post({ resourceVersion: "900000", items: [configMap("old", "u-1")] });
    expect({ status, answer }).toEqual({ status: 200, answer: { results: [{ outcome: "created", uid: "u-1" }] } });
    const { resourceVersion: _, ...metadata } = configMap("old", "u-1").metadata;
    const object = await stored("old");
    expect(object).toMatchObject({ metadata });
    expect(Number(object.metadata.resourceVersion)).toBeGreaterThan(900_000);
  });

  it("holds what is wrong with them against nobody who leaves it as it is", async () => {
    const ports = [{ name: "Not a name", port: 80, protocol: "TCP" }];
    const metadata = { name: "odd", namespace: "default", uid: "u-9" };
    const item = { apiVersion: "v1", kind: "Service", metadata, spec: { clusterIP: "None", ports } };
    expect((await post({ items: [item] })).answer.results).toMatchObject([{ outcome: "created" }]);
    const patched = async (patch: object) => {
      const headers = { "content-type": "application/merge-patch+json" };
      const target = "/api/v1/namespaces/default/services/odd";
      const answer = await admin.send({ method: "PATCH", path: target, headers, body: JSON.stringify(patch) });
      return { status: answer.status, details: (JSON.parse(answer.body) as { details?: object }).details };
    };
    expect((await patched({ metadata: { labels: { a: "b" } } })).status).toBe(200);
    const other = { ...ports[0], name: "Nor this" };
    const changed = await patched({ spec: { ports: [other] } });
    expect(changed.details).toMatchObject({ causes: [{ field: "spec.ports[0].name" }] });
    const more = await patched({ spec: { ports, sessionAffinity: "Foo" } });
    expect(more.details).toMatchObject({ causes: [{ field: "spec.sessionAffinity" }] });
    expect((await patched({ spec: { ports: [{ ...ports[0], name: "name" }] } })).status).toBe(200);
  });

  it("keeps or replaces what is there", async () => {
    expect((await post({ items: [configMap("old", "u-2")] })).answer.results).toEqual([
      { outcome: "kept", uid: "u-1" },
    ]);
    const replaced = await post({ existing: "replace", items: [configMap("old", "u-2")] });
    expect(replaced.answer.results).toEqual([{ outcome: "replaced", uid: "u-2" }]);
  });

  it("refuses single objects of kinds that are not served, and without a namespace", async () => {
    const { name, uid } = configMap("x", "u-3").metadata;
    const items = [
      { apiVersion: "no.test/v1", kind: "No", metadata: { name, uid } },
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name, uid } },
      configMap("y", "u-4"),
    ];
    expect((await post({ items })).answer.results).toMatchObject([
      { outcome: "refused" },
      { outcome: "refused", message: expect.stringContaining("namespace") as string },
      { outcome: "created" },
    ]);
  });

  it("takes 16 MiB in one request, and no more", async () => {
    const fits = JSON.stringify({ items: [] }).padEnd(16 * 2 ** 20);
    expect((await admin.send({ method: "POST", path, body: fits })).status).toBe(200);
    const { body: text, status } = await admin.send({ method: "POST", path, body: `${fits} ` });
    expect({ status, text }).toEqual({ status: 413, text: expect.stringContaining("16777216") });
  });

  it("is for administrators", async () => {
    expect((await post({ items: [] }, alice)).status).toBe(403);
    expect((await alice.send({ method: "GET", path })).status).toBe(403);
    expect((await admin.send({ method: "GET", path })).status).toBe(200);
    expect((await admin.send({ method: "PUT", path, body: "{}" })).status).toBe(405);
  });

  it.each(["", "[]", '{"items":[1]}', '{"items":[],"existing":"x"}', '{"items":[],"resourceVersion":"-1"}'])(
    "answers 400 to %j",
    async (body) => {
      expect((await admin.send({ method: "POST", path, body })).status).toBe(400);
    },
  );
});
