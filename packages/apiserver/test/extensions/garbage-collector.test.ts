import type { KubeObject, OwnerReference } from "@capstan/schema";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { controllers } from "../../src/controllers/controllers.ts";
import { customResources } from "../../src/crd/custom-resources.ts";
import type { DeleteOptions } from "../../src/model/types.ts";
import { configMaps, crds, defineThings, namespaces, thing, thingDefinition, things } from "./definitions.ts";
import { becomes, serverWith, type TestServer } from "./server-with.ts";

const events = { group: "", plural: "events" } as const;
let server: TestServer;

beforeEach(async () => {
  server = await serverWith(customResources(), ...controllers(["garbage-collector"]));
});

afterEach(() => server.stop());

const ownerOf = (object: KubeObject, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  name: object.metadata.name!,
  uid: object.metadata.uid!,
  ...more,
});

const create = (name: string, owners: readonly OwnerReference[] = [], metadata: KubeObject["metadata"] = {}) =>
  server.store.create(configMaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "default", ...(owners.length > 0 && { ownerReferences: owners }), ...metadata },
  });

const find = (name: string, namespace = "default") => server.store.peek(configMaps, { name, namespace });
const gone = (...names: readonly string[]) =>
  becomes(server.store, () => names.every((name) => find(name) === undefined));
const remove = (name: string, policy?: DeleteOptions["propagationPolicy"]) =>
  server.store.delete(
    configMaps,
    { name, namespace: "default" },
    policy === undefined ? {} : { propagationPolicy: policy },
  );
const release = (name: string) =>
  server.store.patch(
    configMaps,
    { name, namespace: "default" },
    { type: "merge", patch: { metadata: { finalizers: null } } },
  );

describe("in the background", () => {
  it("deletes dependents of a deleted owner, through chains", async () => {
    const first = await create("first");
    const second = await create("second", [ownerOf(first)]);
    await create("third", [ownerOf(second)]);
    await remove("first");
    await gone("second", "third");
  });

  it("deletes an object whose owner does not exist, or is another one of the same name", async () => {
    const old = await create("owner");
    await remove("owner");
    await create("owner");
    await create("late", [ownerOf(old)]);
    await create("orphaned", [{ apiVersion: "v1", kind: "ConfigMap", name: "never", uid: "no-such-uid" }]);
    await gone("late", "orphaned");
    expect(find("owner")).toBeDefined();
  });

  it("keeps an object with another owner and removes the reference", async () => {
    const [one, two] = [await create("one"), await create("two")];
    await create("shared", [ownerOf(one), ownerOf(two)]);
    await remove("one");
    await becomes(server.store, () => find("shared")?.metadata.ownerReferences?.length === 1);
    expect(find("shared")?.metadata.ownerReferences).toEqual([ownerOf(two)]);
  });

  it("deletes namespaced dependents of a cluster-scoped owner", async () => {
    const definition = thingDefinition(
      { scope: "Cluster", names: { plural: "roots", kind: "Root" } },
      { name: "roots.test.capstan" },
    );
    await server.store.create(crds, definition);
    const roots = { group: "test.capstan", plural: "roots" };
    const root = await server.store.create(roots, {
      apiVersion: "test.capstan/v1",
      kind: "Root",
      metadata: { name: "r" },
    });
    await create("leaf", [ownerOf(root)]);
    await server.store.delete(roots, { name: "r" });
    await gone("leaf");
  });

  it("leaves objects alone while the kind of their owner is not served", async () => {
    const owner = { apiVersion: "test.capstan/v1", kind: "Thing", name: "t", uid: "unknown" };
    await create("waits", [owner]);
    await create("marker", [ownerOf(await create("other"))]);
    await remove("other");
    await gone("marker");
    expect(find("waits")).toBeDefined();
    await defineThings(server.store);
    await gone("waits");
  });

  it("deletes custom resources and dependents of custom resources", async () => {
    await defineThings(server.store);
    const owner = await server.store.create(things, thing("owner"));
    await server.store.create(things, {
      ...thing("inner"),
      metadata: { name: "inner", namespace: "default", ownerReferences: [ownerOf(owner)] },
    });
    await create("leaf", [ownerOf(owner)]);
    await server.store.delete(things, { name: "owner", namespace: "default" });
    await gone("leaf");
    await becomes(server.store, () => server.store.peekAll(things).length === 0);
  });
});

describe("across namespaces", () => {
  beforeEach(() =>
    server.store.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } }),
  );

  it("treats an owner in another namespace as absent, and says so", async () => {
    const owner = await create("owner");
    await create("far", [ownerOf(owner)], { namespace: "other" });
    await becomes(server.store, () => find("far", "other") === undefined);
    await becomes(server.store, () => server.store.peekAll(events).length === 1);
    expect(server.store.peekAll(events)[0]).toMatchObject({
      type: "Warning",
      reason: "OwnerRefInvalidNamespace",
      involvedObject: { name: "far", namespace: "other" },
    });
  });

  it("never deletes a cluster-scoped object with a namespaced owner", async () => {
    const owner = await create("owner");
    const metadata = { name: "dependent", ownerReferences: [ownerOf(owner)] };
    await server.store.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata });
    await becomes(server.store, () => server.store.peekAll(events).length === 1);
    await remove("owner");
    await create("marker", [{ ...ownerOf(owner) }]);
    await gone("marker");
    expect(server.store.peek(namespaces, { name: "dependent" })?.metadata.deletionTimestamp).toBeUndefined();
  });

  it("waits for no dependent elsewhere: whoever may write there holds nobody's deletion up", async () => {
    const owner = await create("owner");
    const owners = [ownerOf(owner, { blockOwnerDeletion: true })];
    await create("elsewhere", owners, { namespace: "other", finalizers: ["test.capstan/hold"] });
    await remove("owner", "Foreground");
    await gone("owner");
  });
});

describe("in the foreground", () => {
  it("deletes blocking dependents before the owner", async () => {
    const owner = await create("owner");
    await create("held", [ownerOf(owner, { blockOwnerDeletion: true })], { finalizers: ["test.capstan/hold"] });
    await create("free", [ownerOf(owner)]);
    await remove("owner", "Foreground");
    await becomes(server.store, () => find("held")?.metadata.deletionTimestamp !== undefined);
    expect(find("owner")?.metadata.finalizers).toEqual(["foregroundDeletion"]);
    await release("held");
    await gone("held", "owner", "free");
  });

  it("does not wait for dependents that do not block", async () => {
    const owner = await create("owner");
    await create("held", [ownerOf(owner)], { finalizers: ["test.capstan/hold"] });
    await remove("owner", "Foreground");
    await gone("owner");
    await becomes(server.store, () => find("held")?.metadata.deletionTimestamp !== undefined);
    await release("held");
    await gone("held");
  });

  it("goes down a chain", async () => {
    const owner = await create("owner");
    const middle = await create("middle", [ownerOf(owner, { blockOwnerDeletion: true })]);
    await create("leaf", [ownerOf(middle, { blockOwnerDeletion: true })], { finalizers: ["test.capstan/hold"] });
    await remove("owner", "Foreground");
    await becomes(server.store, () => find("leaf")?.metadata.deletionTimestamp !== undefined);
    expect([find("owner"), find("middle")].every((object) => object !== undefined)).toBe(true);
    await release("leaf");
    await gone("leaf", "middle", "owner");
  });

  it("ends for objects that own each other", async () => {
    const a = await create("a");
    const b = await create("b", [ownerOf(a, { blockOwnerDeletion: true })]);
    const owners = [ownerOf(b, { blockOwnerDeletion: true })];
    await server.store.patch(
      configMaps,
      { name: "a", namespace: "default" },
      { type: "merge", patch: { metadata: { ownerReferences: owners } } },
    );
    await remove("a", "Foreground");
    await gone("a", "b");
  });
});

describe("orphaning", () => {
  it("takes the reference off the dependents and lets the owner go", async () => {
    const owner = await create("owner");
    await create("kept", [ownerOf(owner)]);
    await remove("owner", "Orphan");
    await gone("owner");
    expect(find("kept")?.metadata.ownerReferences).toBeUndefined();
  });
});

describe("speed", () => {
  it("deletes a thousand dependents of one owner", async () => {
    const owner = await create("owner");
    await Promise.all(Array.from({ length: 1000 }, (_, index) => create(`d${index}`, [ownerOf(owner)])));
    await remove("owner");
    await becomes(server.store, () => server.store.peekAll(configMaps, { namespace: "default" }).length === 0);
  });
});
