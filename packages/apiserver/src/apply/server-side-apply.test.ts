import type { KubeObject } from "@capstan/schema";
import type { StructuralSchema } from "@capstan/schema/structural";
import { describe, expect, it } from "vitest";
import { PatchError } from "@capstan/contract/patch";
import { applyUpdate } from "./apply-update.ts";
import type { ManagedFieldsEntry } from "./managed-fields.ts";
import { serverSideApply } from "./server-side-apply.ts";

const text: StructuralSchema = { type: "string" };
const integer: StructuralSchema = { type: "integer" };
const map = (items: StructuralSchema): StructuralSchema => ({ type: "object", additionalProperties: items });
const struct = (properties: Record<string, StructuralSchema>): StructuralSchema => ({ type: "object", properties });
const byKeys = (keys: string[], properties: Record<string, StructuralSchema>): StructuralSchema => ({
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": keys,
  items: struct(properties),
});
const set: StructuralSchema = { type: "array", items: text, "x-kubernetes-list-type": "set" };

const schema = struct({
  apiVersion: text,
  kind: text,
  metadata: struct({
    name: text,
    namespace: text,
    uid: text,
    labels: map(text),
    finalizers: set,
    managedFields: { type: "array", items: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    ownerReferences: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["uid"],
      items: { ...struct({ uid: text, name: text }), "x-kubernetes-map-type": "atomic" },
    },
  }),
  spec: struct({
    size: text,
    replicas: integer,
    tags: set,
    ports: byKeys(["port", "protocol"], { port: integer, protocol: { ...text, default: "TCP" }, name: text }),
    alist: { type: "array", items: struct({ k: text }) },
    gmap: map(text),
    amap: { ...map(text), "x-kubernetes-map-type": "atomic" },
    blob: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { known: integer } },
    ios: { "x-kubernetes-int-or-string": true },
    nested: struct({ a: text, b: integer }),
  }),
  status: struct({ phase: text, conditions: byKeys(["type"], { type: text, status: text }) }),
});

const apiVersion = "conf.capstan.test/v1";
type Live = Parameters<typeof applyUpdate>[0]["live"];
type Fields = Readonly<Record<string, unknown>>;
const widget = (spec: Fields | undefined, metadata: Fields = {}, rest: Fields = {}): KubeObject => ({
  apiVersion,
  kind: "Widget",
  metadata: { name: "w", namespace: "ns", ...metadata },
  ...(spec === undefined ? {} : { spec }),
  ...rest,
});

let second = 0;
const nextTime = (): string => `2026-01-01T00:00:${String((second += 1) % 60).padStart(2, "0")}Z`;

const attempt = (live: Live, manager: string, config: KubeObject, options: Fields = {}) =>
  serverSideApply({
    live,
    config,
    schema,
    manager,
    apiVersion,
    force: false,
    time: nextTime(),
    hasStatus: true,
    ...options,
  });

const apply = (live: Live, manager: string, config: KubeObject, options: Fields = {}): KubeObject => {
  const result = attempt(live, manager, config, options);
  if ("conflicts" in result) {
    throw new Error(result.conflicts.message);
  }
  return result.object;
};

const conflictFields = (live: KubeObject, manager: string, config: KubeObject): readonly string[] => {
  const result = attempt(live, manager, config);
  return "conflicts" in result ? result.conflicts.causes.map((cause) => cause.field) : [];
};

const update = (live: Live, manager: string, updated: KubeObject, subresource = ""): KubeObject => {
  const managedFields = applyUpdate({ live, updated, schema, manager, apiVersion, subresource, time: nextTime() });
  return { ...updated, metadata: { ...updated.metadata, managedFields } };
};

const entries = (object: KubeObject): readonly ManagedFieldsEntry[] =>
  (object.metadata.managedFields ?? []) as readonly ManagedFieldsEntry[];
const fieldsOf = (object: KubeObject, manager: string): Fields | undefined =>
  entries(object).find((entry) => entry.manager === manager)?.fieldsV1;
const spec = (object: KubeObject): Fields => object["spec"] as Fields;

const first = widget(
  { size: "S", ports: [{ port: 80, name: "http" }], tags: ["a", "b"], gmap: { x: "1" }, amap: { y: "1" } },
  { labels: { l1: "v" } },
);
const live = apply(undefined, "m1", first);

describe("serverSideApply", () => {
  it("creates and records exactly what was applied", () => {
    expect(live).toMatchObject(first);
    expect(entries(live)).toEqual([
      {
        manager: "m1",
        operation: "Apply",
        apiVersion,
        time: expect.any(String) as string,
        fieldsType: "FieldsV1",
        fieldsV1: {
          "f:metadata": { "f:labels": { "f:l1": {} } },
          "f:spec": {
            "f:amap": {},
            "f:gmap": { "f:x": {} },
            "f:ports": { 'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:name": {}, "f:port": {} } },
            "f:size": {},
            "f:tags": { 'v:"a"': {}, 'v:"b"': {} },
          },
        },
      },
    ]);
  });

  it("changes nothing when the same is applied again", () => {
    expect(apply(live, "m1", first)).toEqual(live);
  });

  it("refuses to change what another manager owns", () => {
    const result = attempt(live, "m2", widget({ size: "L" }));
    expect(result).toEqual({
      conflicts: {
        message: 'Apply failed with 1 conflict: conflict with "m1": .spec.size',
        causes: [{ reason: "FieldManagerConflict", message: 'conflict with "m1"', field: ".spec.size" }],
      },
    });
  });

  it("lists every disputed path", () => {
    const config = widget({ size: "L", amap: { z: "1" }, ports: [{ port: 80, name: "web" }] });
    const result = attempt(live, "m2", config);
    expect(result).toMatchObject({
      conflicts: {
        message:
          'Apply failed with 3 conflicts: conflicts with "m1":\n- .spec.amap\n- .spec.size\n- .spec.ports[port=80,protocol="TCP"].name',
      },
    });
  });

  it("names updaters by version and subresource", () => {
    const edited = update(
      update(undefined, "creator", widget({ size: "S" })),
      "editor",
      widget({ size: "M" }),
      "scale",
    );
    const result = attempt(edited, "m1", widget({ size: "L" }));
    expect(result).toMatchObject({
      conflicts: {
        message: `Apply failed with 1 conflict: conflict with "editor" with subresource "scale" using ${apiVersion}: .spec.size`,
      },
    });
  });

  it("shares what two managers apply with the same value", () => {
    const shared = apply(live, "m2", widget({ size: "S" }));
    expect(entries(shared).map((entry) => entry.manager)).toEqual(["m1", "m2"]);
    expect(spec(apply(shared, "m1", widget({})))["size"]).toBe("S");
    expect(conflictFields(shared, "m1", widget({ size: "L" }))).toEqual([".spec.size"]);
  });

  it("merges lists and maps of several managers", () => {
    const merged = apply(live, "m2", widget({ ports: [{ port: 443 }], tags: ["c", "b"], gmap: { z: "1" } }));
    expect(spec(merged)).toEqual({
      ...spec(first),
      ports: [{ port: 80, name: "http" }, { port: 443 }],
      tags: ["a", "b", "c"],
      gmap: { x: "1", z: "1" },
    });
    const fewer = apply(merged, "m1", widget({ tags: ["a"] }));
    expect(spec(fewer)).toEqual({ ports: [{ port: 443 }], tags: ["a", "b", "c"], gmap: { z: "1" } });
    expect(fewer.metadata.labels).toBeUndefined();
    expect(fieldsOf(fewer, "m1")).toEqual({ "f:spec": { "f:tags": { 'v:"a"': {} } } });
  });

  it("takes fields over by force", () => {
    const forced = apply(live, "m2", widget({ size: "L" }), { force: true });
    expect(spec(forced)["size"]).toBe("L");
    expect(fieldsOf(forced, "m2")).toEqual({ "f:spec": { "f:size": {} } });
    expect(fieldsOf(forced, "m1")?.["f:spec"]).not.toHaveProperty("f:size");
  });

  it("removes an abandoned object as a whole, and an abandoned map key alone", () => {
    const created = update(undefined, "creator", widget({ gmap: { x: "1" } }));
    const applied = apply(created, "m1", widget({ gmap: { y: "2" }, nested: { a: "1" } }));
    expect(spec(applied)).toEqual({ gmap: { x: "1", y: "2" }, nested: { a: "1" } });
    expect(spec(apply(applied, "m1", widget({})))).toEqual({ gmap: { x: "1" } });
  });

  it("never removes what the manager had not applied", () => {
    const grown = update(live, "editor", { ...live, spec: { ...spec(live), replicas: 3 } });
    expect(spec(apply(grown, "m1", widget({})))).toEqual({ replicas: 3 });
  });

  it("owns applied empty maps but not empty lists, and nulls", () => {
    const applied = apply(undefined, "m1", widget({ gmap: {}, tags: [], size: null, nested: {} }));
    expect(fieldsOf(applied, "m1")).toEqual({ "f:spec": { "f:gmap": {}, "f:nested": {}, "f:size": {} } });
  });

  it("owns finalizers by value and owner references by uid", () => {
    const metadata = { finalizers: ["a.b/c"], ownerReferences: [{ uid: "u1", name: "o" }] };
    expect(fieldsOf(apply(undefined, "m1", widget(undefined, metadata)), "m1")).toEqual({
      "f:metadata": { "f:finalizers": { 'v:"a.b/c"': {} }, "f:ownerReferences": { 'k:{"uid":"u1"}': {} } },
    });
  });

  it("treats unknown content as maps with atomic lists", () => {
    const one = apply(undefined, "m1", widget({ blob: { a: { b: 1, c: [1] } } }));
    const two = apply(one, "m2", widget({ blob: { a: { d: 2 } } }));
    expect(spec(two)).toEqual({ blob: { a: { b: 1, c: [1], d: 2 } } });
    expect(conflictFields(two, "m2", widget({ blob: { a: { c: [2] } } }))).toEqual([".spec.blob.a.c"]);
  });

  it("knows an applier again in another version", () => {
    const moved = apply(
      live,
      "m1",
      { ...widget({ size: "L" }), apiVersion: "conf.capstan.test/v2" },
      { apiVersion: "conf.capstan.test/v2" },
    );
    expect(entries(moved).map((entry) => [entry.manager, entry.apiVersion])).toEqual([["m1", "conf.capstan.test/v2"]]);
    expect(spec(moved)).toEqual({ size: "L" });
  });

  it("keeps the time of an entry until its fields change", () => {
    const [before] = entries(live);
    const changed = apply(live, "m1", { ...first, spec: { ...spec(first), size: "XL" } });
    expect(entries(changed)[0]?.time).toBe(before?.time);
    expect(entries(apply(live, "m1", widget({ size: "S" })))[0]?.time).not.toBe(before?.time);
  });

  it("gives everything to before-first-apply when nothing is recorded", () => {
    const bare = widget({ size: "S", tags: ["a"] });
    const applied = apply(bare, "m1", widget({ size: "S" }));
    expect(entries(applied).map((entry) => [entry.manager, entry.operation])).toEqual([
      ["m1", "Apply"],
      ["before-first-apply", "Update"],
    ]);
    expect(fieldsOf(applied, "before-first-apply")).toEqual({
      "f:spec": { ".": {}, "f:size": {}, "f:tags": { ".": {}, 'v:"a"': {} } },
    });
    expect(conflictFields(bare, "m1", widget({ size: "M" }))).toEqual([".spec.size"]);
  });
});

describe("serverSideApply at the status endpoint", () => {
  const status = { subresource: "status" };
  const withPhase = apply(
    live,
    "st",
    widget(
      { size: "ignored" },
      { labels: { ignored: "x" } },
      { status: { phase: "Up", conditions: [{ type: "A", status: "True" }] } },
    ),
    status,
  );

  it("takes and owns status only", () => {
    expect(withPhase).toMatchObject({ ...first, status: { phase: "Up", conditions: [{ type: "A", status: "True" }] } });
    expect(entries(withPhase).find((entry) => entry.manager === "st")).toMatchObject({
      subresource: "status",
      fieldsV1: {
        "f:status": { "f:conditions": { 'k:{"type":"A"}': { ".": {}, "f:status": {}, "f:type": {} } }, "f:phase": {} },
      },
    });
  });

  it("merges conditions of several managers", () => {
    const both = apply(
      withPhase,
      "st2",
      widget(undefined, {}, { status: { conditions: [{ type: "B", status: "True" }] } }),
      status,
    );
    expect(both["status"]).toEqual({
      phase: "Up",
      conditions: [
        { type: "A", status: "True" },
        { type: "B", status: "True" },
      ],
    });
  });

  it("is ignored by the main endpoint", () => {
    const again = apply(withPhase, "m1", { ...first, status: { phase: "Down" } });
    expect(again).toEqual(withPhase);
  });
});

describe("serverSideApply refuses", () => {
  const refused: readonly [name: string, config: KubeObject, status: number, message: string][] = [
    ["an undeclared field", widget({ nope: 1 }), 500, ".spec.nope: field not declared in schema"],
    ["a wrong type", widget({ size: 5 }), 500, ".spec.size: expected string, got number"],
    ["a list for an object", widget({ nested: [] }), 500, ".spec.nested: expected object, got array"],
    ["a duplicate in a set", widget({ tags: ["a", "a"] }), 500, '.spec.tags: duplicate entries for key [="a"]'],
    [
      "a duplicate through a default",
      widget({ ports: [{ port: 80 }, { port: 80, protocol: "TCP" }] }),
      500,
      '.spec.ports: duplicate entries for key [port=80,protocol="TCP"]',
    ],
    ["an element without its key", widget({ ports: [{ name: "x" }] }), 500, 'omits key field "port"'],
    ["a bool for int-or-string", widget({ ios: true }), 500, ".spec.ios: expected number or string, got boolean"],
    ["managedFields", widget({}, { managedFields: [] }), 400, "metadata.managedFields must be nil"],
  ];
  it.each(refused)("%s", (_, config, status, message) => {
    const run = () => attempt(live, "m1", config);
    expect(run).toThrow(PatchError);
    expect(run).toThrow(message);
    expect(run).toThrow(expect.objectContaining({ status }) as Error);
  });

  it("and counts several errors", () => {
    expect(() => attempt(undefined, "m1", widget({ nope: 1, size: 5 }))).toThrow(
      `failed to create typed patch object (ns/w; ${apiVersion}, Kind=Widget): errors:\n  .spec.nope`,
    );
  });
});
