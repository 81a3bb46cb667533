import { expect, it } from "vitest";
import type { Answer } from "./api.ts";
import { expectCode, expectStatus } from "./expectations.ts";
import { configMap, configMaps, deployment, deployments, group, widget, widgets } from "./objects.ts";
import type { Section } from "./suite.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- entries of managedFields
const entryOf = (answer: Answer, manager: string, operation = "Apply"): any =>
  answer.body.metadata.managedFields.find(
    (entry: { manager: string; operation: string }) => entry.manager === manager && entry.operation === operation,
  );

const condition = (type: string) => ({ type, status: "True" });

const mine = {
  size: "S",
  ports: [{ port: 80, protocol: "TCP", name: "web" }],
  tags: ["a", "b"],
  gmap: { x: "1" },
  amap: { p: "1" },
};

/** Server-side apply. */
export const serverSideApply: Section = (suite) => {
  const path = (name: string): string => `${widgets(suite().namespace)}/${name}`;
  const apply = (name: string, manager: string | undefined, spec: object, more: object = {}) =>
    suite().api.apply(path(name), manager, widget({ name, ...more }, spec));

  it("F01 wants a field manager", async () => {
    expectStatus(await apply("f01", undefined, {}), 422, { causes: ["FieldValueRequired fieldManager"] });
  });

  it("F02 and F03 create and do nothing the second time", async () => {
    const created = await apply("f02", "m1", mine, { labels: { l1: "x" } });
    expectCode(created, 201);
    const entry = entryOf(created, "m1");
    expect(entry).toMatchObject({ operation: "Apply", apiVersion: `${group}/v1`, fieldsType: "FieldsV1" });
    expect(entry.fieldsV1).toEqual({
      "f:metadata": { "f:labels": { "f:l1": {} } },
      "f:spec": {
        "f:amap": {},
        "f:gmap": { "f:x": {} },
        "f:ports": { 'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:name": {}, "f:port": {}, "f:protocol": {} } },
        "f:size": {},
        "f:tags": { 'v:"a"': {}, 'v:"b"': {} },
      },
    });
    const again = await apply("f02", "m1", mine, { labels: { l1: "x" } });
    expectCode(again, 200);
    expect(again.body.metadata.resourceVersion).toBe(created.body.metadata.resourceVersion);
  });

  it("F04 to F08 share and take over", async () => {
    await apply("f04", "m1", mine, { labels: { l1: "x" } });
    const size = await apply("f04", "m2", { size: "L" });
    expectStatus(size, 409, { reason: "Conflict", causes: ["FieldManagerConflict .spec.size"] });
    expect(size.body.message).toBe('Apply failed with 1 conflict: conflict with "m1": .spec.size');
    const three = await apply("f04", "m2", { size: "L", amap: { p: "2" }, ports: [{ port: 80, name: "x" }] });
    expectStatus(three, 409, {
      causes: [
        "FieldManagerConflict .spec.amap",
        'FieldManagerConflict .spec.ports[port=80,protocol="TCP"].name',
        "FieldManagerConflict .spec.size",
      ],
    });

    const added = await apply("f04", "m2", { ports: [{ port: 443 }], tags: ["c"], gmap: { z: "1" } });
    expectCode(added, 200);
    expect(added.body.spec.ports.map(({ port }: { port: number }) => port)).toEqual([80, 443]);
    expect(added.body.spec.tags).toEqual(["a", "b", "c"]);
    expect(added.body.spec.gmap).toEqual({ x: "1", z: "1" });
    expect(entryOf(added, "m1")).toBeDefined();
    expect(entryOf(added, "m2")).toBeDefined();

    const forced = await suite().api.apply(
      path("f04"),
      "m2",
      widget("f04", { size: "L", ports: [{ port: 443 }], tags: ["b", "c"], gmap: { z: "1" } }),
      { query: { force: true } },
    );
    expectCode(forced, 200);
    expect(forced.body.spec.size).toBe("L");
    expect(entryOf(forced, "m1").fieldsV1["f:spec"]["f:size"]).toBeUndefined();

    const less = await apply("f04", "m1", { tags: ["a"] });
    expectCode(less, 200);
    expect(less.body.metadata.labels?.l1).toBeUndefined();
    expect(less.body.spec.amap).toBeUndefined();
    expect(less.body.spec.gmap).toEqual({ z: "1" });
    expect(less.body.spec.ports.map(({ port }: { port: number }) => port)).toEqual([443]);
    expect(less.body.spec.tags.toSorted()).toEqual(["a", "b", "c"]);
  });

  it("F09 refuses what does not fit the schema", async () => {
    expectStatus(await apply("f09", "m1", { nope: 1 }), 500);
    expectStatus(await apply("f09", "m1", { size: 1 }), 500);
  });

  it("F10 refuses managedFields", async () => {
    const managedFields = [{ manager: "x", operation: "Apply", apiVersion: `${group}/v1` }];
    expectStatus(await apply("f10", "m1", {}, { managedFields }), 400);
  });

  it("F11 refuses another identity", async () => {
    const { api } = suite();
    const send = (body: object) => api.apply(path("f11"), "m1", body);
    expectStatus(await send(widget("other")), 400);
    expectStatus(await send(widget({ name: "f11", namespace: "other" })), 400);
    const { apiVersion: _, ...without } = widget("f11");
    expectStatus(await send(without), 400);
    expectStatus(await send({ ...widget("f11"), apiVersion: `${group}/v1beta1` }), 400);
  });

  it("F12 applies nothing in a dry run", async () => {
    const { api } = suite();
    expectCode(await api.apply(path("f12"), "m1", widget("f12"), { query: { dryRun: "All" } }), 201);
    expectCode(await api.get(path("f12")), 404);
  });

  it("F13 knows force only here", async () => {
    const { api, namespace } = suite();
    await api.post(widgets(namespace), widget("f13"));
    expectStatus(await api.mergePatch(path("f13"), {}, { query: { force: true } }), 422, {
      causes: ["FieldValueForbidden force"],
    });
  });

  it("F14 reads YAML", async () => {
    const { api } = suite();
    const text = `apiVersion: ${group}/v1\nkind: Widget\nmetadata:\n  name: f14\nspec:\n  size: S\n`;
    expectCode(await api.apply(path("f14"), "m1", text), 201);
    expectStatus(await api.apply(path("f14"), "m1", "a: [b"), 400);
    expectStatus(await api.apply(path("f14"), "m1", "[]"), 400);
  });

  it("F15 validates", async () => {
    expectStatus(await apply("f15", "m1", { size: "XXL" }), 422, { someCauses: ["FieldValueNotSupported spec.size"] });
  });

  it("F16 to F18 apply a status", async () => {
    const { api } = suite();
    await apply("f16", "m1", { size: "S" });
    const status = (manager: string, body: object, name = "f16") =>
      api.apply(`${path(name)}/status`, manager, { ...widget(name, { size: "L" }), ...body });
    const first = await status("st", {
      metadata: { name: "f16", labels: { no: "no" } },
      status: { phase: "p", conditions: [condition("A")] },
    });
    expectCode(first, 200);
    expect(first.body.spec.size).toBe("S");
    expect(first.body.metadata.labels).toBeUndefined();
    expect(entryOf(first, "st")).toMatchObject({ subresource: "status", fieldsV1: { "f:status": { "f:phase": {} } } });
    const second = await status("st2", { status: { conditions: [condition("B")] } });
    expectCode(second, 200);
    expect(second.body.status.conditions.map(({ type }: { type: string }) => type)).toEqual(["A", "B"]);
    expectStatus(await status("st", { status: {} }, "f18-missing"), 404, { reason: "NotFound" });
  });

  it("F19 and F20 know plain writers", async () => {
    const { api, namespace } = suite();
    await api.post(widgets(namespace), widget("f19", { size: "S", host: "h" }), { query: { fieldManager: "creator" } });
    const edited = await api.mergePatch(path("f19"), { spec: { size: "L" } }, { query: { fieldManager: "editor" } });
    expectCode(edited, 200);
    expect(entryOf(edited, "creator", "Update").fieldsV1["f:spec"]["f:size"]).toBeUndefined();
    expect(entryOf(edited, "editor", "Update").fieldsV1).toEqual({ "f:spec": { "f:size": {} } });
    const refused = await apply("f19", "m1", { size: "M" });
    expectStatus(refused, 409, { causes: ["FieldManagerConflict .spec.size"] });
    expect(refused.body.message).toContain(`conflict with "editor" using ${group}/v1: .spec.size`);
  });

  it("F21 takes the manager from the User-Agent", async () => {
    const { api, namespace } = suite();
    await api.post(widgets(namespace), widget("f21"));
    const headers = { "user-agent": "kubectl/v1.32 (x)" };
    const answer = await api.mergePatch(path("f21"), { spec: { size: "L" } }, { headers });
    expect(entryOf(answer, "kubectl", "Update")).toBeDefined();
  });

  it("F22 refuses a stale version, forced or not", async () => {
    const { api } = suite();
    await apply("f22", "m1", { size: "S" });
    const body = widget({ name: "f22", resourceVersion: "1" }, { size: "L" });
    expectStatus(await api.apply(path("f22"), "m1", body, { query: { force: true } }), 409, { reason: "Conflict" });
  });

  it("F23 owns finalizers and owner references one by one", async () => {
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "u-1" }];
    const answer = await apply("f23", "m1", {}, { finalizers: ["conf.capstan.test/f"], ownerReferences });
    expectCode(answer, 201);
    expect(entryOf(answer, "m1").fieldsV1["f:metadata"]).toEqual({
      "f:finalizers": { 'v:"conf.capstan.test/f"': {} },
      "f:ownerReferences": { 'k:{"uid":"u-1"}': {} },
    });
    await suite().api.mergePatch(path("f23"), { metadata: { finalizers: null } });
  });

  it("F24 and F25 apply a Deployment", async () => {
    const { api, namespace } = suite();
    const answer = await api.apply(`${deployments(namespace)}/f24`, "m1", deployment("f24"));
    expectCode(answer, 201);
    const { fieldsV1 } = entryOf(answer, "m1");
    expect(fieldsV1["f:spec"]["f:selector"]).toEqual({});
    const containers = fieldsV1["f:spec"]["f:template"]["f:spec"]["f:containers"];
    expect(Object.keys(containers)).toEqual(['k:{"name":"c1"}']);
    expect(Object.keys(containers['k:{"name":"c1"}']["f:ports"])).toEqual(['k:{"containerPort":80,"protocol":"TCP"}']);
    const replicas = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "f24" }, spec: { replicas: 3 } };
    const scaled = await api.apply(`${deployments(namespace)}/f24`, "m2", replicas);
    expectCode(scaled, 200);
    expect(entryOf(scaled, "m2").fieldsV1).toEqual({ "f:spec": { "f:replicas": {} } });
    expect(entryOf(scaled, "m1").fieldsV1).toEqual(fieldsV1);
  });

  it("applies a Scale", async () => {
    const { api, namespace } = suite();
    const scale = `${deployments(namespace)}/f25s/scale`;
    await api.post(deployments(namespace), deployment("f25s"));
    const body = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "f25s" }, spec: { replicas: 7 } };
    expectStatus(await api.apply(scale, "m1", body), 409, { someCauses: ["FieldManagerConflict .spec.replicas"] });
    const forced = await api.apply(scale, "m1", body, { query: { force: true } });
    expectCode(forced, 200);
    expect(forced.body).toMatchObject({ kind: "Scale", spec: { replicas: 7 } });
    const answer = await api.get(`${deployments(namespace)}/f25s`);
    expect(answer.body.spec.replicas).toBe(7);
    expect(entryOf(answer, "m1")).toMatchObject({ subresource: "scale", fieldsV1: { "f:spec": { "f:replicas": {} } } });
  });

  it("F26 knows conflicts in built-in kinds", async () => {
    const { api, namespace } = suite();
    const map = `${configMaps(namespace)}/f26`;
    expectCode(await api.apply(map, "m1", configMap("f26", { a: "1" })), 201);
    expectStatus(await api.apply(map, "m2", configMap("f26", { a: "2" })), 409, {
      causes: ["FieldManagerConflict .data.a"],
    });
  });

  it("F27 merges preserved unknown members", async () => {
    await apply("f27", "m1", { blob: { a: { b: 1, c: [1] } } });
    const merged = await apply("f27", "m2", { blob: { a: { d: 2 } } });
    expectCode(merged, 200);
    expect(merged.body.spec.blob).toEqual({ a: { b: 1, c: [1], d: 2 } });
    expectStatus(await apply("f27", "m2", { blob: { a: { c: [2], d: 2 } } }), 409, {
      causes: ["FieldManagerConflict .spec.blob.a.c"],
    });
  });
};
