import { createHash } from "node:crypto";
import { rfc3339 } from "@capstan/contract";
import {
  ClusterResource,
  MachineResource,
  SecretResource,
  conditionOf,
  deprecatedConditionsOf,
  infraMachine,
} from "@capstan/contract/wire";
import { deliveryRecordOf } from "@capstan/kit/delivery";
import type { KubeObject } from "@capstan/schema";
import { MemoryCloud, MemoryCluster, MemoryMachine } from "@capstan/testing/infra-memory";
import { describe, expect, it } from "vitest";
import { createCluster, createMachine } from "./memory-objects.ts";
import { memoryWorld } from "./memory-world.ts";

const limit = 2000;
const token = { token: Buffer.from("t0ken").toString("base64") };
/** Does not compress below the limit. */
const largeData = `#cloud-config\n# ${Array.from({ length: 6000 }, (_, index) => ((index * 7919) % 9973).toString(36)).join("")}\n`;
const isReady = (object?: KubeObject): boolean =>
  object !== undefined && conditionOf(object, "Ready")?.status === "True";

const world = memoryWorld({ cloud: { tokens: ["t0ken"], userDataLimitBytes: limit } });

const cluster = async (spec: object = {}): Promise<void> => {
  await world.core.createSecret("credentials", token);
  await createCluster(world.core, { credentialsRef: { name: "credentials" }, ...spec });
};

const machine = (name: string, data?: string): Promise<void> => createMachine(world.core, name, data);

const until = (name: string, test: (object?: KubeObject) => boolean) =>
  world.environment.eventually<KubeObject>(MemoryMachine, world.core.key(name), test);

describe("many machines", () => {
  it("share a handful of lists, and cost one list a minute once they are settled", async () => {
    await cluster();
    const names = Array.from({ length: 200 }, (_, index) => `m${index}`);
    for (let start = 0; start < names.length; start += 20) {
      await Promise.all(names.slice(start, start + 20).map((name) => machine(name)));
    }
    const startedAt = world.environment.clock.now();
    await world.managers.start();
    await world.environment.until(async () => {
      const { items } = await world.environment.client.list<KubeObject>(MemoryMachine, {
        namespace: world.core.namespace,
      });
      return items.every(isReady);
    });
    expect(world.cloud.servers.size).toBe(200);
    expect(world.cloud.calls.made.filter((call) => call === "create")).toHaveLength(200);
    const lists = world.cloud.calls.made.filter((call) => call === "list").length;
    const seconds = (world.environment.clock.now() - startedAt) / 1000;
    // One a second, and those of the cluster's load balancer.
    expect(lists).toBeLessThan(seconds + 10);
    await world.environment.pass(120_000);
    const before = world.cloud.calls.made.length;
    await world.environment.pass(300_000);
    expect(world.cloud.calls.made.length - before).toBeLessThanOrEqual(6);
  });
});

describe("conditions", () => {
  it("tell every stage, in both generations", async () => {
    await cluster();
    // Long enough for a stage to be seen from outside.
    world.cloud = new MemoryCloud({ clock: world.environment.clock, bootMs: 30_000, tokens: ["t0ken"] });
    const seen: string[] = [];
    await machine("m");
    world.cloud.calls.disturb({ operation: "create", kind: "refuse" });
    await world.managers.start();
    await until("m", (object) => {
      const reason = object === undefined ? undefined : conditionOf(object, "Ready")?.reason;
      if (reason !== undefined && reason !== seen.at(-1)) seen.push(reason);
      return isReady(object);
    });
    const object = await world.environment.client.get<KubeObject>(MemoryMachine, world.core.key("m"));
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
    world.cloud = new MemoryCloud({ clock: world.environment.clock, bootMs: 300_000, tokens: ["t0ken"] });
    await machine("m");
    await world.managers.start();
    const saying = (object?: KubeObject): string =>
      (object === undefined ? undefined : conditionOf(object, "Ready")?.message) ?? "";
    const booting = await until("m", (object) => saying(object).startsWith("booting"));
    expect(saying(booting)).toMatch(/^booting since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ \(step 2 of 2\)$/);
    await world.environment.pass(60_000);
    await world.managers.stopAll();
    await world.managers.start();
    await world.environment.pass(120_000);
    const later = await world.environment.client.get<KubeObject>(MemoryMachine, world.core.key("m"));
    expect(later.metadata.resourceVersion, "nothing is written while the machine boots").toBe(
      booting?.metadata.resourceVersion,
    );
    expect(saying(await until("m", isReady))).toBe("");
  });

  it("name the Secret whose token is refused, and end when it is mended", async () => {
    await cluster();
    await world.core.patch(ClusterResource, world.core.clusterName, {});
    await world.environment.client.delete(
      { group: "", version: "v1", kind: "Secret", plural: "secrets", namespaced: true },
      world.core.key("credentials"),
    );
    await world.core.createSecret("credentials", { token: Buffer.from("wrong").toString("base64") });
    await machine("m");
    await world.managers.start();
    const refused = await until(
      "m",
      (object) => object !== undefined && conditionOf(object, "Ready")?.reason === "Unauthorized",
    );
    expect(refused === undefined ? "" : conditionOf(refused, "Ready")?.message).toContain(
      `${world.core.namespace}/credentials`,
    );
    const calls = world.cloud.calls.made.length;
    await world.environment.pass(300_000);
    expect(world.cloud.calls.made.length - calls, "no hot loop").toBeLessThanOrEqual(15);
    await world.environment.client.patch(
      { group: "", version: "v1", kind: "Secret", plural: "secrets", namespaced: true },
      world.core.key("credentials"),
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
    await world.managers.start();
    const object = await until(
      "m",
      (found) => found !== undefined && conditionOf(found, "Ready")?.reason === "BootstrapDataTooLarge",
    );
    expect(object === undefined ? "" : conditionOf(object, "Ready")?.message).toContain(
      "the cluster has no object store",
    );
    expect(world.cloud.servers.size).toBe(0);
  });

  it("goes through the store: pointer to the server, the original bytes behind it, deleted once the node runs", async () => {
    await world.core.createSecret("store", { type: Buffer.from("signed").toString("base64") });
    await cluster(objectStoreRef);
    await machine("m", largeData);
    await world.managers.start();
    const object = await until("m", isReady);
    const [server] = [...world.cloud.servers.values()];
    const [first, url = "", rest] = Buffer.from(server?.userData ?? [])
      .toString("utf8")
      .split("\n");
    expect([first, rest]).toEqual(["#include", ""]);
    expect(await (await fetch(url)).text()).toBe(largeData);
    const uid = object?.metadata.uid ?? "";
    expect([...world.store.objects.keys()]).toEqual([uid]);
    expect(object === undefined ? undefined : deliveryRecordOf(object)).toMatchObject({
      route: "object-store",
      sizeBytes: Buffer.byteLength(largeData),
      store: `${world.core.namespace}/store`,
      key: uid,
    });
    expect(JSON.stringify(object)).not.toContain(url);
    await world.core.setStatus(MachineResource, "m", "status.nodeRef", { name: "node" });
    await until("m", (found) => found !== undefined && deliveryRecordOf(found)?.deleted === true);
    expect(world.store.objects.size).toBe(0);
    const calls = world.store.calls.length;
    await world.core.patch(MemoryMachine, "m", { metadata: { labels: { touched: "yes" } } });
    await world.environment.pass(30_000);
    expect(world.store.calls.length, "it is deleted once").toBe(calls);
  });

  it("deletes the data at once, and once more when nothing can be put late any more", async () => {
    await world.core.createSecret("store", { type: Buffer.from("signed").toString("base64") });
    await cluster(objectStoreRef);
    await machine("m", largeData);
    await world.managers.start();
    await until("m", isReady);
    const [put] = world.store.objects;
    const [note, openMs] = ["capstan.dev/open-writes-until", world.environment.clock.now() + 80_000];
    await world.core.patch(MemoryMachine, "m", { metadata: { annotations: { [note]: rfc3339(openMs) } } });
    await world.core.setStatus(MachineResource, "m", "status.nodeRef", { name: "node" });
    await until("m", (found) => found !== undefined && deliveryRecordOf(found)?.deleted === true);
    expect([world.environment.clock.now() < openMs, world.store.objects.size]).toEqual([true, 0]);
    world.store.objects.set(...put!);
    await until("m", (found) => found?.metadata.annotations?.[note] === undefined);
    expect(world.store.objects.size).toBe(0);
  });

  it("calls no store for data that fits", async () => {
    await world.core.createSecret("store", { type: Buffer.from("signed").toString("base64") });
    await cluster(objectStoreRef);
    await machine("m");
    await world.managers.start();
    await until("m", isReady);
    await world.environment.client.delete(MemoryMachine, world.core.key("m"));
    await until("m", (object) => object === undefined);
    expect(world.store.calls).toEqual([]);
  });

  it("deletes the data with the machine, from where it was put, whatever the cluster names by now", async () => {
    await world.core.createSecret("store", { type: Buffer.from("signed").toString("base64") });
    await cluster(objectStoreRef);
    await machine("kept", largeData);
    await machine("moved", largeData);
    await world.managers.start();
    await until("kept", isReady);
    await until("moved", isReady);
    expect(world.store.objects.size).toBe(2);
    await world.environment.client.delete(MemoryMachine, world.core.key("kept"));
    await until("kept", (object) => object === undefined);
    expect(world.store.objects.size).toBe(1);
    await world.core.patch(MemoryCluster, world.core.clusterName, { spec: { objectStoreRef: { name: "nowhere" } } });
    await world.environment.client.delete(MemoryMachine, world.core.key("moved"));
    await until("moved", (object) => object === undefined);
    expect(world.store.objects.size).toBe(0);
  });

  const leftovers = () =>
    world.environment.client.list<KubeObject>(SecretResource, {
      namespace: world.core.namespace,
      labelSelector: "capstan.dev/stored-bootstrap-data=memorymachine",
    });
  const eventReasons = async (): Promise<readonly unknown[]> => {
    const { items } = await world.environment.client.list(
      { group: "", version: "v1", kind: "Event", plural: "events", namespaced: true },
      { namespace: world.core.namespace },
    );
    return items.map((event) => event["reason"]);
  };

  it("lets a store that refuses hold no machine up, and deletes the data in the end, by another process too", async () => {
    await world.core.createSecret("store", { type: Buffer.from("signed").toString("base64") });
    await cluster(objectStoreRef);
    await machine("m", largeData);
    await world.managers.start();
    const object = await until("m", isReady);
    const uid = object?.metadata.uid ?? "";
    world.store.refused.add("delete");
    await world.environment.client.delete(MemoryMachine, world.core.key("m"));
    await until("m", (found) => found === undefined);
    expect(world.cloud.servers.size).toBe(0);
    const { items } = await leftovers();
    expect(items.map(({ metadata }) => metadata.name)).toEqual([`stored-bootstrap-data-${uid}`]);
    await world.environment.until(async () => (await eventReasons()).includes("BootstrapDataDeleteFailed"));
    const tries = (): number => world.store.calls.filter((call) => call === "delete").length;
    const before = tries();
    await world.environment.pass(3_600_000);
    expect(tries() - before, "ever more rarely").toBeLessThanOrEqual(16);
    await world.managers.stopAll();
    world.store.refused.clear();
    await world.managers.start();
    await world.environment.until(() => world.store.objects.size === 0);
    await world.environment.until(async () => (await leftovers()).items.length === 0);
  });

  it("tries again at once when the credentials are mended", async () => {
    await world.core.createSecret("store", { type: Buffer.from("signed").toString("base64") });
    await cluster(objectStoreRef);
    await machine("m", largeData);
    await world.managers.start();
    await until("m", isReady);
    await world.environment.removeByForce(SecretResource, world.core.key("store"));
    await world.core.setStatus(MachineResource, "m", "status.nodeRef", { name: "node" });
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
    await world.environment.pass(600_000);
    expect(world.store.objects.size).toBe(1);
    const began = world.environment.clock.now();
    await world.core.createSecret("store", { type: Buffer.from("signed").toString("base64") });
    await world.environment.until(() => world.store.objects.size === 0);
    expect(world.environment.clock.now() - began, "long before the next try").toBeLessThan(300_000);
    await until("m", (found) => found !== undefined && conditionOf(found, "BootstrapDataDeleted")?.status === "True");
    const swept = await world.environment.client.find(MemoryMachine, world.core.key("m"));
    expect(swept === undefined ? undefined : deliveryRecordOf(swept)?.leftover).toBeUndefined();
  });
});

it("never touches a provider id that is there", async () => {
  await cluster();
  await machine("m");
  await world.managers.start();
  const object = await until("m", isReady);
  const id = object === undefined ? undefined : infraMachine.for("v1beta2").providerID.get(object);
  const server = [...world.cloud.servers.values()][0]!;
  world.cloud.servers.delete(server.id);
  world.cloud.servers.set("999", { ...server, id: "999" });
  const isChanged = (found?: KubeObject): boolean =>
    found !== undefined && conditionOf(found, "Ready")?.reason === "ProviderIDChanged";
  const after = await until("m", isChanged);
  expect(after === undefined ? undefined : infraMachine.for("v1beta2").providerID.get(after)).toBe(id);
});
