import { createHash } from "node:crypto";
import { rfc3339 } from "@capstan/contract";
import { objectStores } from "@capstan/contract/v1";
import {
  ClusterResource,
  MachineResource,
  SecretResource,
  conditionOf,
  deprecatedConditionsOf,
  infraMachine,
} from "@capstan/contract/wire";
import { deliveryRecordOf } from "@capstan/kit/delivery";
import type { Manager } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { SignedStore } from "@capstan/testing";
import { ConformanceEnvironment, CorePart, SceneManagers } from "@capstan/testing/environment";
import { MemoryCloud, MemoryCluster, MemoryMachine, createMemoryProvider } from "@capstan/testing/infra-memory";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createCluster, createMachine } from "./memory-objects.ts";

const limit = 2000;
const token = { token: Buffer.from("t0ken").toString("base64") };
/** Does not compress below the limit. */
const largeData = `#cloud-config\n# ${Array.from({ length: 6000 }, (_, index) => ((index * 7919) % 9973).toString(36)).join("")}\n`;
const isReady = (object?: KubeObject): boolean =>
  object !== undefined && conditionOf(object, "Ready")?.status === "True";

let environment: ConformanceEnvironment;
let store: SignedStore;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([MemoryCluster, MemoryMachine]);
  store = await SignedStore.start(() => environment.clock.now());
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await environment.stop();
});

let core: CorePart;
let cloud: MemoryCloud;
let managers: SceneManagers;
beforeEach(async () => {
  store.objects.clear();
  store.calls.length = 0;
  store.refused.clear();
  core = new CorePart(environment.client, await environment.namespace());
  cloud = new MemoryCloud({ clock: environment.clock, bootMs: 2000, tokens: ["t0ken"], userDataLimitBytes: limit });
  const world = {
    provider: () => createMemoryProvider(cloud),
    prepare: (manager: Manager) => manager.provide(objectStores, [store.opener]),
  };
  managers = new SceneManagers(environment, world, core.namespace);
});

afterEach(() => managers.stopAll());

const cluster = async (spec: object = {}): Promise<void> => {
  await core.createSecret("credentials", token);
  await createCluster(core, { credentialsRef: { name: "credentials" }, ...spec });
};

const machine = (name: string, data?: string): Promise<void> => createMachine(core, name, data);

const until = (name: string, test: (object?: KubeObject) => boolean) =>
  environment.eventually<KubeObject>(MemoryMachine, core.key(name), test);

describe("many machines", () => {
  it("share a handful of lists, and cost one list a minute once they are settled", async () => {
    await cluster();
    const names = Array.from({ length: 200 }, (_, index) => `m${index}`);
    for (let start = 0; start < names.length; start += 20) {
      await Promise.all(names.slice(start, start + 20).map((name) => machine(name)));
    }
    const startedAt = environment.clock.now();
    await managers.start();
    await environment.until(async () => {
      const { items } = await environment.client.list<KubeObject>(MemoryMachine, { namespace: core.namespace });
      return items.every(isReady);
    });
    expect(cloud.servers.size).toBe(200);
    expect(cloud.calls.made.filter((call) => call === "create")).toHaveLength(200);
    const lists = cloud.calls.made.filter((call) => call === "list").length;
    const seconds = (environment.clock.now() - startedAt) / 1000;
    // One a second, and those of the cluster's load balancer.
    expect(lists).toBeLessThan(seconds + 10);
    await environment.pass(120_000);
    const before = cloud.calls.made.length;
    await environment.pass(300_000);
    expect(cloud.calls.made.length - before).toBeLessThanOrEqual(6);
  });
});

describe("conditions", () => {
  it("tell every stage, in both generations", async () => {
    await cluster();
    // Long enough for a stage to be seen from outside.
    cloud = new MemoryCloud({ clock: environment.clock, bootMs: 30_000, tokens: ["t0ken"] });
    const seen: string[] = [];
    await machine("m");
    cloud.calls.disturb({ operation: "create", kind: "refuse" });
    await managers.start();
    await until("m", (object) => {
      const reason = object === undefined ? undefined : conditionOf(object, "Ready")?.reason;
      if (reason !== undefined && reason !== seen.at(-1)) seen.push(reason);
      return isReady(object);
    });
    const object = await environment.client.get<KubeObject>(MemoryMachine, core.key("m"));
    expect(seen.at(-1)).toBe("Ready");
    expect(seen).toContain("Booting");
    expect(conditionOf(object, "Provisioned")).toMatchObject({ status: "True", reason: "Provisioned" });
    expect(deprecatedConditionsOf(object).map(({ type, status }) => `${type}=${status}`)).toEqual([
      "Ready=True",
      "Provisioned=True",
      "BootstrapSucceeded=Unknown",
    ]);
  });

  it("tell a slow stage and its begin, which costs nothing while it lasts and outlives a restart", async () => {
    await cluster();
    cloud = new MemoryCloud({ clock: environment.clock, bootMs: 300_000, tokens: ["t0ken"] });
    await machine("m");
    await managers.start();
    const saying = (object?: KubeObject): string =>
      (object === undefined ? undefined : conditionOf(object, "Ready")?.message) ?? "";
    const booting = await until("m", (object) => saying(object).startsWith("booting"));
    expect(saying(booting)).toMatch(/^booting since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ \(step 2 of 2\)$/);
    await environment.pass(60_000);
    await managers.stopAll();
    await managers.start();
    await environment.pass(120_000);
    const later = await environment.client.get<KubeObject>(MemoryMachine, core.key("m"));
    expect(later.metadata.resourceVersion, "nothing is written while the machine boots").toBe(
      booting?.metadata.resourceVersion,
    );
    expect(saying(await until("m", isReady))).toBe("");
  });

  it("name the Secret whose token is refused, and end when it is mended", async () => {
    await cluster();
    await core.patch(ClusterResource, core.clusterName, {});
    await environment.client.delete(
      { group: "", version: "v1", kind: "Secret", plural: "secrets", namespaced: true },
      core.key("credentials"),
    );
    await core.createSecret("credentials", { token: Buffer.from("wrong").toString("base64") });
    await machine("m");
    await managers.start();
    const refused = await until(
      "m",
      (object) => object !== undefined && conditionOf(object, "Ready")?.reason === "Unauthorized",
    );
    expect(refused === undefined ? "" : conditionOf(refused, "Ready")?.message).toContain(
      `${core.namespace}/credentials`,
    );
    const calls = cloud.calls.made.length;
    await environment.pass(300_000);
    expect(cloud.calls.made.length - calls, "no hot loop").toBeLessThanOrEqual(15);
    await environment.client.patch(
      { group: "", version: "v1", kind: "Secret", plural: "secrets", namespaced: true },
      core.key("credentials"),
      { type: "merge", body: { data: token } },
    );
    await until("m", isReady);
  });
});

describe("large bootstrap data", () => {
  const objectStoreRef = { objectStoreRef: { name: "store" } };

  it("asks for an object store when there is none, and makes no server", async () => {
    await cluster();
    await machine("m", largeData);
    await managers.start();
    const object = await until(
      "m",
      (found) => found !== undefined && conditionOf(found, "Ready")?.reason === "BootstrapDataTooLarge",
    );
    expect(object === undefined ? "" : conditionOf(object, "Ready")?.message).toContain("enable the object store");
    expect(cloud.servers.size).toBe(0);
  });

  it("goes through the store: pointer to the server, the original bytes behind it, deleted once the node runs", async () => {
    await core.createSecret("store", { type: Buffer.from("signed").toString("base64") });
    await cluster(objectStoreRef);
    await machine("m", largeData);
    await managers.start();
    const object = await until("m", isReady);
    const [server] = [...cloud.servers.values()];
    const [first, url = "", rest] = Buffer.from(server?.userData ?? [])
      .toString("utf8")
      .split("\n");
    expect([first, rest]).toEqual(["#include", ""]);
    expect(await (await fetch(url)).text()).toBe(largeData);
    const uid = object?.metadata.uid ?? "";
    expect([...store.objects.keys()]).toEqual([uid]);
    expect(object === undefined ? undefined : deliveryRecordOf(object)).toMatchObject({
      route: "object-store",
      sizeBytes: Buffer.byteLength(largeData),
      store: `${core.namespace}/store`,
      key: uid,
    });
    expect(JSON.stringify(object)).not.toContain(url);
    await core.setStatus(MachineResource, "m", "status.nodeRef", { name: "node" });
    await until("m", (found) => found !== undefined && deliveryRecordOf(found)?.deleted === true);
    expect(store.objects.size).toBe(0);
    const calls = store.calls.length;
    await core.patch(MemoryMachine, "m", { metadata: { labels: { touched: "yes" } } });
    await environment.pass(30_000);
    expect(store.calls.length, "it is deleted once").toBe(calls);
  });

  it("deletes the data at once, and once more when nothing can be put late any more", async () => {
    await core.createSecret("store", { type: Buffer.from("signed").toString("base64") });
    await cluster(objectStoreRef);
    await machine("m", largeData);
    await managers.start();
    await until("m", isReady);
    const [put] = store.objects;
    const [note, openMs] = ["capstan.dev/open-writes-until", environment.clock.now() + 80_000];
    await core.patch(MemoryMachine, "m", { metadata: { annotations: { [note]: rfc3339(openMs) } } });
    await core.setStatus(MachineResource, "m", "status.nodeRef", { name: "node" });
    await until("m", (found) => found !== undefined && deliveryRecordOf(found)?.deleted === true);
    expect([environment.clock.now() < openMs, store.objects.size]).toEqual([true, 0]);
    store.objects.set(...put!);
    await until("m", (found) => found?.metadata.annotations?.[note] === undefined);
    expect(store.objects.size).toBe(0);
  });

  it("calls no store for data that fits", async () => {
    await core.createSecret("store", { type: Buffer.from("signed").toString("base64") });
    await cluster(objectStoreRef);
    await machine("m");
    await managers.start();
    await until("m", isReady);
    await environment.client.delete(MemoryMachine, core.key("m"));
    await until("m", (object) => object === undefined);
    expect(store.calls).toEqual([]);
  });

  it("deletes the data with the machine, from where it was put, whatever the cluster names by now", async () => {
    await core.createSecret("store", { type: Buffer.from("signed").toString("base64") });
    await cluster(objectStoreRef);
    await machine("kept", largeData);
    await machine("moved", largeData);
    await managers.start();
    await until("kept", isReady);
    await until("moved", isReady);
    expect(store.objects.size).toBe(2);
    await environment.client.delete(MemoryMachine, core.key("kept"));
    await until("kept", (object) => object === undefined);
    expect(store.objects.size).toBe(1);
    await core.patch(MemoryCluster, core.clusterName, { spec: { objectStoreRef: { name: "nowhere" } } });
    await environment.client.delete(MemoryMachine, core.key("moved"));
    await until("moved", (object) => object === undefined);
    expect(store.objects.size).toBe(0);
  });

  const leftovers = () =>
    environment.client.list<KubeObject>(SecretResource, {
      namespace: core.namespace,
      labelSelector: "capstan.dev/stored-bootstrap-data=memorymachine",
    });
  const eventReasons = async (): Promise<readonly unknown[]> => {
    const { items } = await environment.client.list(
      { group: "", version: "v1", kind: "Event", plural: "events", namespaced: true },
      { namespace: core.namespace },
    );
    return items.map((event) => event["reason"]);
  };

  it("lets a store that refuses hold no machine up, and deletes the data in the end, by another process too", async () => {
    await core.createSecret("store", { type: Buffer.from("signed").toString("base64") });
    await cluster(objectStoreRef);
    await machine("m", largeData);
    await managers.start();
    const object = await until("m", isReady);
    const uid = object?.metadata.uid ?? "";
    store.refused.add("delete");
    await environment.client.delete(MemoryMachine, core.key("m"));
    await until("m", (found) => found === undefined);
    expect(cloud.servers.size).toBe(0);
    const { items } = await leftovers();
    expect(items.map(({ metadata }) => metadata.name)).toEqual([`stored-bootstrap-data-${uid}`]);
    await environment.until(async () => (await eventReasons()).includes("BootstrapDataDeleteFailed"));
    const tries = (): number => store.calls.filter((call) => call === "delete").length;
    const before = tries();
    await environment.pass(3_600_000);
    expect(tries() - before, "ever more rarely").toBeLessThanOrEqual(16);
    await managers.stopAll();
    store.refused.clear();
    await managers.start();
    await environment.until(() => store.objects.size === 0);
    await environment.until(async () => (await leftovers()).items.length === 0);
  });

  it("tries again at once when the credentials are mended", async () => {
    await core.createSecret("store", { type: Buffer.from("signed").toString("base64") });
    await cluster(objectStoreRef);
    await machine("m", largeData);
    await managers.start();
    await until("m", isReady);
    await environment.removeByForce(SecretResource, core.key("store"));
    await core.setStatus(MachineResource, "m", "status.nodeRef", { name: "node" });
    const left = await until(
      "m",
      (found) => found !== undefined && conditionOf(found, "BootstrapDataDeleted")?.status === "False",
    );
    expect(left === undefined ? undefined : deliveryRecordOf(left)?.leftover).toBeDefined();
    expect(left === undefined ? "" : conditionOf(left, "Ready")?.status, "the machine is as it was").toBe("True");
    const said = left === undefined ? undefined : conditionOf(left, "BootstrapDataDeleted");
    expect(said).toMatchObject({ status: "False", reason: "BootstrapDataDeleteFailed" });
    expect(said?.message).toContain(`Secret stored-bootstrap-data-${left?.metadata.uid}`);
    const uploaded = left === undefined ? undefined : conditionOf(left, "BootstrapDataUploaded");
    const checksum = createHash("sha256").update(largeData).digest("hex");
    expect(uploaded?.message, "the checksum of what was put there").toContain(`sha256:${checksum}`);
    await environment.pass(600_000);
    expect(store.objects.size).toBe(1);
    const began = environment.clock.now();
    await core.createSecret("store", { type: Buffer.from("signed").toString("base64") });
    await environment.until(() => store.objects.size === 0);
    expect(environment.clock.now() - began, "long before the next try").toBeLessThan(300_000);
    await until("m", (found) => found !== undefined && conditionOf(found, "BootstrapDataDeleted")?.status === "True");
    const swept = await environment.client.find(MemoryMachine, core.key("m"));
    expect(swept === undefined ? undefined : deliveryRecordOf(swept)?.leftover).toBeUndefined();
  });
});

it("never touches a provider id that is there", async () => {
  await cluster();
  await machine("m");
  await managers.start();
  const object = await until("m", isReady);
  const id = object === undefined ? undefined : infraMachine.for("v1beta2").providerID.get(object);
  const server = [...cloud.servers.values()][0]!;
  cloud.servers.delete(server.id);
  cloud.servers.set("999", { ...server, id: "999" });
  const isChanged = (found?: KubeObject): boolean =>
    found !== undefined && conditionOf(found, "Ready")?.reason === "ProviderIDChanged";
  const after = await until("m", isChanged);
  expect(after === undefined ? undefined : infraMachine.for("v1beta2").providerID.get(after)).toBe(id);
});
