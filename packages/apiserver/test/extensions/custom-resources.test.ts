import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { customResources } from "../../src/crd/custom-resources.ts";
import type { Converter } from "../../src/crd/conversion.ts";
import { crds, defineThings, refusal, thing, thingDefinition, things, version } from "./definitions.ts";
import { becomes, serverWith, type TestServer } from "./server-with.ts";

const text = { type: "string" } as const;

/** v1 {spec.a} and v2 {spec.b}: what the converter does with them. */
const swap: Converter = async (objects, apiVersion) =>
  objects.map((object) => {
    const { a, b } = object["spec"] as { readonly a?: string; readonly b?: string };
    const spec = apiVersion.endsWith("/v2") ? { b: `${a}!` } : { a: b?.replace(/!$/, "") };
    return { ...object, apiVersion, spec };
  });

let server: TestServer;

beforeEach(async () => {
  server = await serverWith(customResources({ converters: { "things.test.capstan": swap } }));
});

afterEach(() => server.stop());

const stored = (name: string) => server.store.peek(things, { name, namespace: "default" });

describe("a new definition", () => {
  it("has its defaults, conditions and stored version, and is served at once", async () => {
    const created = await defineThings(server.store);
    expect(created).toMatchObject({
      spec: { names: { singular: "thing", listKind: "ThingList" }, conversion: { strategy: "None" } },
      status: {
        acceptedNames: { plural: "things", kind: "Thing" },
        storedVersions: ["v1"],
        conditions: [
          { type: "NamesAccepted", status: "True", reason: "NoConflicts" },
          { type: "Established", status: "True", reason: "InitialNamesAccepted" },
        ],
      },
    });
    expect(await server.store.create(things, thing("x", { spec: { a: "1" } }))).toMatchObject({ spec: { a: "1" } });
    expect(server.environment.registry.snapshot.find("test.capstan", "v1", "things")).toMatchObject({
      namespaced: true,
      listKind: "ThingList",
      columns: [{ name: "Age" }],
    });
  });

  it("waits for names that are taken and gets them when they become free", async () => {
    await defineThings(server.store);
    const other = thingDefinition(
      { names: { plural: "others", kind: "Other", shortNames: ["things"] } },
      { name: "others.test.capstan" },
    );
    expect(await server.store.create(crds, other)).toMatchObject({
      status: {
        conditions: [
          { type: "NamesAccepted", status: "False", reason: "ShortNamesConflict" },
          { type: "Established", status: "False", reason: "NotAccepted" },
        ],
      },
    });
    const served = () => server.environment.registry.snapshot.find("test.capstan", "v1", "others") !== undefined;
    expect(served()).toBe(false);
    await server.store.delete(crds, { name: "things.test.capstan" });
    await becomes(server.store, served);
  });
});

describe("objects of a custom kind", () => {
  const rules = {
    type: "object",
    properties: {
      a: { type: "string", maxLength: 5 },
      n: { type: "integer", default: 1, minimum: 0 },
      immut: { ...text, maxLength: 10, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
    },
    "x-kubernetes-validations": [{ rule: "!has(self.a) || self.a != 'bad'", message: "a is bad" }],
  } as const;

  beforeEach(() => defineThings(server.store, { versions: [version(rules, { subresources: { status: {} } })] }));

  it("are pruned, defaulted and validated", async () => {
    const warnings: string[] = [];
    const created = await server.store.create(things, thing("x", { spec: { a: "1", zz: 1 } }), {
      fieldValidation: "Warn",
      warn: (message) => warnings.push(message),
    });
    expect(created["spec"]).toEqual({ a: "1", n: 1 });
    expect(warnings).toEqual(['unknown field "spec.zz"']);
    const create = (spec: unknown) => refusal(server.store.create(things, thing("y", { spec })));
    expect((await create({ a: 5 })).causes).toEqual(["FieldValueTypeInvalid spec.a", "FieldValueInvalid <nil>"]);
    expect((await create({ a: "toolong" })).causes).toEqual(["FieldValueTooLong spec.a", "FieldValueInvalid <nil>"]);
    expect((await create({ a: "bad", n: -1 })).causes).toEqual(["FieldValueInvalid spec.n", "FieldValueInvalid spec"]);
  });

  it("keep immutable members", async () => {
    await server.store.create(things, thing("x", { spec: { immut: "a" } }));
    const patch = (spec: unknown) =>
      server.store.patch(things, { name: "x", namespace: "default" }, { type: "merge", patch: { spec } });
    expect((await refusal(patch({ immut: "b" }))).causes).toEqual(["FieldValueInvalid spec.immut"]);
    await patch({ immut: null });
    expect(await patch({ immut: "b" })).toMatchObject({ spec: { immut: "b" }, metadata: { generation: 3 } });
  });

  it("tolerate what was valid under an older definition and does not change", async () => {
    await server.store.create(things, thing("x", { spec: { a: "12345" } }));
    const narrow = version({ ...rules, properties: { ...rules.properties, a: { type: "string", maxLength: 2 } } });
    const crd = await server.store.get(crds, { name: "things.test.capstan" });
    await server.store.update(crds, { ...crd, spec: { ...(crd["spec"] as object), versions: [narrow] } });
    const patch = (body: unknown) =>
      server.store.patch(things, { name: "x", namespace: "default" }, { type: "merge", patch: body });
    expect(await patch({ metadata: { labels: { l: "1" } } })).toMatchObject({ metadata: { labels: { l: "1" } } });
    expect((await refusal(patch({ spec: { a: "123456" } }))).causes).toContain("FieldValueTooLong spec.a");
  });
});

describe("several versions", () => {
  const versions = (storage: "v1" | "v2", strategy = "None") => ({
    conversion:
      strategy === "None"
        ? { strategy }
        : { strategy, webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https://unused.test" } } },
    versions: [
      version({ type: "object", properties: { a: text } }, { storage: storage === "v1" }),
      version(
        { type: "object", properties: { b: text, a: { ...text, default: "d" } } },
        { name: "v2", storage: storage === "v2" },
      ),
    ],
  });
  const read = (name: string, wanted: string) =>
    server.store.get({ ...things, version: wanted }, { name, namespace: "default" });

  it("without conversion only apiVersion changes, and the storage schema decides what is read", async () => {
    await defineThings(server.store, versions("v1"));
    await server.store.create(
      { ...things, version: "v2" },
      { ...thing("x", { spec: { b: "1" } }), apiVersion: "test.capstan/v2" },
    );
    expect(stored("x")).toMatchObject({ apiVersion: "test.capstan/v1" });
    expect((await read("x", "v2"))["spec"]).toEqual({ a: "d" });
    expect(await read("x", "v1")).toMatchObject({ apiVersion: "test.capstan/v1", spec: { a: "d" } });
  });

  it("are converted by a registered converter", async () => {
    await defineThings(server.store, versions("v1", "Webhook"));
    await server.store.create({ ...things, version: "v1" }, thing("x", { spec: { a: "1" } }));
    expect((await read("x", "v2"))["spec"]).toEqual({ b: "1!" });
    await server.store.create(
      { ...things, version: "v2" },
      { ...thing("y", { spec: { b: "2!" } }), apiVersion: "test.capstan/v2" },
    );
    expect((await read("y", "v1"))["spec"]).toMatchObject({ a: "2" });
  });

  it("are converted by the webhook at its URL where that is preferred", async () => {
    await server.stop();
    server = await serverWith(customResources({ converters: { "things.test.capstan": swap }, prefersUrls: true }));
    const { conversion, ...rest } = versions("v1", "Webhook");
    const webhook = { ...conversion.webhook, clientConfig: { url: "https://127.0.0.1:1" } };
    await defineThings(server.store, { ...rest, conversion: { ...conversion, webhook } });
    await server.store.create({ ...things, version: "v1" }, thing("x", { spec: { a: "1" } }));
    expect(await refusal(read("x", "v2"))).toMatchObject({ code: 500 });
  });

  it("keep stored versions until they are trimmed", async () => {
    await defineThings(server.store, versions("v1"));
    const crd = await server.store.get(crds, { name: "things.test.capstan" });
    const switched = await server.store.update(crds, {
      ...crd,
      spec: { ...(crd["spec"] as object), ...versions("v2") },
    });
    expect(switched).toMatchObject({ status: { storedVersions: ["v1", "v2"] } });
    const only = { ...(switched["spec"] as object), versions: [versions("v2").versions[1]] };
    const drop = async () =>
      server.store.update(crds, { ...(await server.store.get(crds, { name: "things.test.capstan" })), spec: only });
    expect((await refusal(drop())).causes).toEqual(["FieldValueInvalid status.storedVersions[0]"]);
    const trim = { type: "merge", patch: { status: { storedVersions: ["v2"] } } } as const;
    await server.store.patch(crds, { name: "things.test.capstan" }, trim, { subresource: "status" });
    expect(await drop()).toMatchObject({ status: { storedVersions: ["v2"] } });
    expect(server.environment.registry.snapshot.find("test.capstan", "v1", "things")).toBeUndefined();
  });

  it("keep scope and kind", async () => {
    await defineThings(server.store);
    const crd = await server.store.get(crds, { name: "things.test.capstan" });
    const change = (spec: object) =>
      refusal(server.store.update(crds, { ...crd, spec: { ...(crd["spec"] as object), ...spec } }));
    expect((await change({ scope: "Cluster" })).causes).toEqual(["FieldValueInvalid spec.scope"]);
    const names = { plural: "things", kind: "Thingy", singular: "thing", listKind: "ThingList" };
    expect((await change({ names })).causes).toEqual(["FieldValueInvalid spec.names.kind"]);
  });
});

describe("deleting a definition", () => {
  it("deletes its objects first and refuses new ones meanwhile", async () => {
    await defineThings(server.store);
    await server.store.create(things, thing("free"));
    const held = {
      ...thing("held"),
      metadata: { name: "held", namespace: "default", finalizers: ["test.capstan/hold"] },
    };
    await server.store.create(things, held);
    await server.store.delete(crds, { name: "things.test.capstan" });
    await becomes(server.store, () => stored("free") === undefined);
    expect(server.store.peek(crds, { name: "things.test.capstan" })).toMatchObject({
      metadata: { finalizers: ["customresourcecleanup.apiextensions.k8s.io"] },
    });
    expect(await refusal(server.store.create(things, thing("new")))).toMatchObject({ code: 403 });
    await server.store.patch(
      things,
      { name: "held", namespace: "default" },
      { type: "merge", patch: { metadata: { finalizers: [] } } },
    );
    await becomes(server.store, () => server.store.peek(crds, { name: "things.test.capstan" }) === undefined);
    expect(server.environment.registry.snapshot.find("test.capstan", "v1", "things")).toBeUndefined();
  });

  it("can be followed by a new one of the same name", async () => {
    await defineThings(server.store);
    await server.store.delete(crds, { name: "things.test.capstan" });
    await becomes(server.store, () => server.store.peek(crds, { name: "things.test.capstan" }) === undefined);
    await defineThings(server.store);
    expect(await server.store.create(things, thing("x"))).toMatchObject({ metadata: { generation: 1 } });
  });
});

it("a definition without objects is gone, and not served, when its deletion is answered", async () => {
  await defineThings(server.store);
  const name = "things.test.capstan";
  await server.store.delete(crds, { name });
  expect(server.store.peek(crds, { name })).toBeUndefined();
  expect(server.environment.registry.snapshot.find("test.capstan", "v1", "things")).toBeUndefined();
});
