import { objectStores } from "@capstan/contract/v1";
import { conditionOf } from "@capstan/contract/wire";
import { SignedStore } from "@capstan/testing";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AzureCluster } from "../src/api.ts";
import type { OneMachine } from "./machine-scene.ts";
import { oneMachine } from "./machine-scene.ts";
import { startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

const large = `#cloud-config\n# ${"x".repeat(70_000)}\n`;
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const madeMachines = ({ cloud }: OneMachine): number =>
  cloud.simulator.requests.log.filter(({ method, path }) => method === "PUT" && /\/virtualMachines\/m$/i.test(path))
    .length;

const customDataOf = ({ cloud }: OneMachine): string => {
  const vm = cloud.simulator.state.resources.find(({ type }) => type.endsWith("/virtualMachines"));
  const text = JSON.stringify([vm?.secrets, vm?.properties]);
  return Buffer.from(/"customData":"([^"]*)"/.exec(text)?.[1] ?? "", "base64").toString("utf8");
};

/** A machine whose cluster names the Secret `store`, and stores of the two types that such a Secret may be of. */
const withStores = async () => {
  const now = () => environment.clock.now();
  const [blobs, buckets] = [await SignedStore.start(now), await SignedStore.start(now)];
  const openers = [
    { ...blobs.opener, type: "azure-blob" },
    { ...buckets.opener, type: "s3" },
  ];
  const scene = await oneMachine(environment, { prepare: (manager) => manager.provide(objectStores, openers) });
  const annotations = { "capstan.dev/object-store": "store" };
  await scene.core.patch(AzureCluster, scene.core.clusterName, { metadata: { annotations } });
  return {
    scene,
    stores: { "azure-blob": blobs, s3: buckets },
    [Symbol.asyncDispose]: async () => {
      await scene[Symbol.asyncDispose]();
      await Promise.all([blobs, buckets].map((store) => store[Symbol.asyncDispose]()));
    },
  };
};

it.each([
  ["azure-blob", {}],
  ["s3", { type: base64("s3") }],
] as const)(
  "bootstrap data that is too large goes by the store of the Secret that the AzureCluster names: %s, where it says %j",
  async (type, data) => {
    await using opened = await withStores();
    const { scene, stores } = opened;
    await scene.core.createSecret("store", data);
    await scene.create({}, {}, large);
    await scene.managers.start();
    await scene.isReady();
    const customData = customDataOf(scene);
    expect(customData.length).toBeLessThan(8000);
    expect(customData, "it is fetched by a signed URL").toMatch(/http:\/\/127\.0\.0\.1:\d+\/\S+\?e=\d+&s=[0-9a-f]+/);
    const used = Object.entries(stores).filter(([, { calls }]) => calls.includes("put"));
    expect(used.map(([name]) => name)).toEqual([type]);
    expect(madeMachines(scene)).toBe(1);
  },
);

it("without the Secret that the AzureCluster names nothing is made, and what is missing is said", async () => {
  await using opened = await withStores();
  const { scene } = opened;
  await scene.create({}, {}, large);
  await scene.managers.start();
  const said = (object: Parameters<typeof conditionOf>[0]): string =>
    conditionOf(object, "Ready", "v1beta1")?.message ?? "";
  const machine = await scene.is((found) => said(found).includes("does not exist; create it"));
  expect(said(machine)).toContain("/store");
  expect(madeMachines(scene)).toBe(0);
  await scene.core.createSecret("store", {});
  await scene.isReady();
});
