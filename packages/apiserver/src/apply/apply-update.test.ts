import type { KubeObject } from "@capstan/schema";
import type { StructuralSchema } from "@capstan/schema/structural";
import { describe, expect, it } from "vitest";
import { applyUpdate } from "./apply-update.ts";
import type { ManagedFieldsEntry } from "./managed-fields.ts";

const open: StructuralSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const schema: StructuralSchema = {
  type: "object",
  properties: {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: {
      type: "object",
      properties: { name: { type: "string" }, labels: open, managedFields: { type: "array" } },
    },
    data: { type: "object", additionalProperties: { type: "string" } },
    status: open,
  },
};

type Live = Parameters<typeof applyUpdate>[0]["live"];
type Fields = Readonly<Record<string, unknown>>;
const configMap = (data: Fields, metadata: Fields = {}, rest: Fields = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "c", ...metadata },
  data,
  ...rest,
});
const entry = (manager: string, fieldsV1: Fields, rest: Fields = {}): ManagedFieldsEntry => ({
  manager,
  operation: "Update",
  apiVersion: "v1",
  time: "2026-01-01T00:00:00Z",
  fieldsType: "FieldsV1",
  fieldsV1,
  ...rest,
});
const write = (
  manager: string,
  live: Live,
  updated: KubeObject,
  options: { readonly subresource?: string; readonly hasStatus?: boolean } = {},
) => applyUpdate({ live, updated, schema, manager, apiVersion: "v1", time: "2026-01-02T00:00:00Z", ...options });

describe("applyUpdate", () => {
  const created = configMap({ a: "1" }, { uid: "u", resourceVersion: "1", creationTimestamp: "t", labels: { l: "1" } });
  const owned = { "f:data": { ".": {}, "f:a": {} }, "f:metadata": { "f:labels": { ".": {}, "f:l": {} } } };
  const live = { ...created, metadata: { ...created.metadata, managedFields: [entry("creator", owned)] } };

  it("gives a new object to its creator, without the server's metadata", () => {
    expect(write("creator", undefined, created)).toEqual([entry("creator", owned, { time: "2026-01-02T00:00:00Z" })]);
  });

  it("moves what changes to the writer and drops what is removed", () => {
    const updated = { ...live, data: { a: "2", b: "1" }, metadata: { ...live.metadata, labels: {} } };
    expect(write("editor", live, updated)).toEqual([
      entry("creator", { "f:data": {}, "f:metadata": { "f:labels": {} } }),
      entry("editor", { "f:data": { "f:a": {}, "f:b": {} } }, { time: "2026-01-02T00:00:00Z" }),
    ]);
  });

  it("keeps everything, times included, when nothing changes", () => {
    expect(write("editor", live, live)).toEqual(live.metadata.managedFields);
    expect(write("creator", live, { ...live, data: { a: "2" } })).toEqual(live.metadata.managedFields);
  });

  it("forgets owners of nothing", () => {
    const other = {
      ...live,
      metadata: { ...live.metadata, managedFields: [entry("old", { "f:data": { "f:a": {} } })] },
    };
    expect(write("editor", other, { ...other, data: { a: "2" } }).map(({ manager }) => manager)).toEqual(["editor"]);
  });

  it("records status at the status endpoint only", () => {
    const updated = { ...live, status: { phase: "Up" } };
    expect(write("st", live, updated, { subresource: "status" })).toContainEqual(
      entry("st", { "f:status": { ".": {}, "f:phase": {} } }, { subresource: "status", time: "2026-01-02T00:00:00Z" }),
    );
    expect(write("st", live, updated, { hasStatus: true })).toEqual(live.metadata.managedFields);
  });

  it("clears the record on [{}], and keeps it cleared", () => {
    const updated = { ...live, metadata: { ...live.metadata, managedFields: [{}] } };
    expect(write("editor", live, updated)).toEqual([]);
    expect(write("editor", { ...updated, metadata: created.metadata }, configMap({ a: "9" }))).toEqual([]);
  });

  it.each([[[]], [[{}, {}]], [[{ manager: "x" }]]])("keeps the record when a client sends %j", (managedFields) => {
    const updated = { ...live, metadata: { ...live.metadata, managedFields } };
    expect(write("editor", live, updated)).toEqual(live.metadata.managedFields);
  });

  it("takes a record the client sends, and ignores an unreadable one", () => {
    const sent = [entry("renamed", owned)];
    const withRecord = (managedFields: unknown[]) => ({ ...live, metadata: { ...live.metadata, managedFields } });
    expect(write("editor", live, withRecord(sent))).toEqual(sent);
    expect(write("editor", live, withRecord([{ manager: "x", operation: "Frob" }]))).toEqual(
      live.metadata.managedFields,
    );
    expect(write("editor", live, withRecord(sent), { subresource: "status" })).toEqual(live.metadata.managedFields);
  });

  it("joins the oldest updaters beyond ten", () => {
    const updaters = Array.from({ length: 10 }, (_, index) =>
      entry(`m${index}`, { "f:data": { [`f:k${index}`]: {} } }, { time: `2026-01-01T00:00:0${index}Z` }),
    );
    const crowded = { ...live, metadata: { ...live.metadata, managedFields: updaters } };
    const result = write("new", crowded, { ...crowded, data: { a: "1", z: "1" } });
    expect(result.map(({ manager }) => manager)).toEqual([
      "ancient-changes",
      ...updaters.slice(2).map((one) => one.manager),
      "new",
    ]);
    expect(result[0]).toMatchObject({
      time: "2026-01-01T00:00:01Z",
      fieldsV1: { "f:data": { "f:k0": {}, "f:k1": {} } },
    });
  });

  it("puts appliers first, then sorts by time and name", () => {
    const record = [
      entry("b", { "f:data": { "f:x": {} } }),
      entry("a", { "f:data": { "f:y": {} } }),
      entry("z", { "f:data": { "f:z": {} } }, { operation: "Apply", time: "2026-01-05T00:00:00Z" }),
    ];
    const mixed = { ...live, metadata: { ...live.metadata, managedFields: record } };
    expect(write("editor", mixed, mixed).map(({ manager }) => manager)).toEqual(["z", "a", "b"]);
  });
});
