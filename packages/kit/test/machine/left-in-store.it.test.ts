import { objectStores } from "@capstan/contract/v1";
import { SecretResource, conditionOf, valueAt } from "@capstan/contract/wire";
import { toBase64 } from "@capstan/kube-values";
import type { Manager } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { SignedStore } from "@capstan/testing";
import { ConformanceEnvironment, CorePart, SceneManagers } from "@capstan/testing/environment";
import { MemoryCloud, MemoryCluster, MemoryMachine, createMemoryProvider } from "@capstan/testing/infra-memory";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCluster, createMachine } from "./memory-objects.ts";

const EventResource = { group: "", version: "v1", kind: "Event", plural: "events", namespaced: true };
/** Does not compress below the limit. */
const largeData = `#cloud-config\n# ${Array.from({ length: 6000 }, (_, index) => ((index * 7919) % 9973).toString(36)).join("")}\n`;

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

it("data that is left in a store keeps no Secret of it, and is deleted once that is created again", async () => {
  const { client, clock } = environment;
  const core = new CorePart(client, await environment.namespace());
  const cloud = new MemoryCloud({ clock, bootMs: 2000, userDataLimitBytes: 2000 });
  const world = {
    provider: () => createMemoryProvider(cloud),
    prepare: (manager: Manager) => manager.provide(objectStores, [store.opener]),
  };
  const managers = new SceneManagers(environment, world, core.namespace);
  const leftovers = async (): Promise<readonly KubeObject[]> => {
    const labelSelector = "capstan.dev/stored-bootstrap-data=memorymachine";
    return (await client.list<KubeObject>(SecretResource, { namespace: core.namespace, labelSelector })).items;
  };
  /** Of the record of what is left. */
  const messages = async (): Promise<readonly string[]> =>
    (await client.list<KubeObject>(EventResource, { namespace: core.namespace })).items
      .filter((event) => String(valueAt(event, "involvedObject.name")).startsWith("stored-bootstrap-data-"))
      .map((event) => String(event["message"]));

  await core.createSecret("store", { type: toBase64("signed") });
  await createCluster(core, { objectStoreRef: { name: "store" } });
  await createMachine(core, "m", largeData);
  await managers.start();
  const machine = await environment.eventually<KubeObject>(
    MemoryMachine,
    core.key("m"),
    (object) => object !== undefined && conditionOf(object, "Ready")?.status === "True",
  );
  const uid = machine?.metadata.uid ?? "";
  store.refused.add("delete");
  await client.delete(SecretResource, core.key("store"));
  await client.delete(MemoryCluster, core.key(core.clusterName));
  await client.delete(MemoryMachine, core.key("m"));
  await environment.until(async () => (await client.find(SecretResource, core.key("store"))) === undefined);
  expect(await leftovers()).toHaveLength(1);
  await environment.until(async () => (await messages()).some((text) => text.includes("does not exist")));
  const ways = `create it; or delete the objects ${uid} and `;
  const last = "from the store yourself, then this Secret";
  expect((await messages()).some((text) => text.includes(ways) && text.endsWith(last))).toBe(true);

  store.refused.clear();
  await core.createSecret("store", { type: toBase64("signed") });
  await environment.until(() => store.objects.size === 0);
  await environment.until(async () => (await leftovers()).length === 0);
  expect((await client.get(SecretResource, core.key("store"))).metadata.finalizers).toBeUndefined();
  await managers.stopAll();
});
