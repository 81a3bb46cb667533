import { SecretResource } from "@capstan/contract/wire";
import { ConformanceEnvironment } from "@capstan/testing/environment";
import { Hardware, Workflow } from "@capstan/tinkerbell/api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMetalProvider, type MetalProviderOptions } from "../src/index.ts";
import { RackScene } from "./rack-scene.ts";
import { kinds, metadataUrl } from "./subject.ts";
import { type TinkerbellMood, tinkerbellPart } from "./tinkerbell-part.ts";

const mood: TinkerbellMood = {};
let environment: ConformanceEnvironment;
let provider: { stop(): Promise<void> };
const run = async (options: MetalProviderOptions = {}) => {
  provider = await environment.runManager({ providers: [createMetalProvider({ metadataUrl, ...options })] });
};
beforeAll(async () => {
  environment = await ConformanceEnvironment.start(kinds);
  await environment.runManager({ providers: [tinkerbellPart(mood)] });
  await run();
});
afterAll(() => environment.stop());

const annotation = "capstan.dev/user-data-secret";

const patch = (scene: RackScene, name: string, body: object): Promise<unknown> =>
  environment.client.patch(Hardware, { namespace: scene.rack, name }, { type: "merge", body: body as never });

it("leaves user data that a user wrote into the Hardware unchanged", async () => {
  const scene = await RackScene.start(environment);
  await scene.hardware("a", { userData: "mine" });
  await scene.machine("m");
  await scene.ready("m");
  expect(await scene.userData("m")).toMatchObject({ userData: `provider-id: tinkerbell://${scene.rack}/a` });
  await scene.joined("m");
  await scene.says("m", "UserDataDelivered", "Wiped");
  expect((await scene.of(Hardware, "a"))?.spec?.userData).toBe("mine");
  await scene.remove("m");
  await scene.gone("m");
  const left = await scene.of(Hardware, "a");
  expect(left?.spec?.userData).toBe("mine");
  expect(left?.metadata.annotations ?? {}).toEqual({});
});

it("uses what upstream's manager wrote into the Hardware, and removes it at the end", async () => {
  const scene = await RackScene.start(environment);
  const owner = {
    "v1alpha1.tinkerbell.org/ownerName": "m",
    "v1alpha1.tinkerbell.org/ownerNamespace": scene.core.namespace,
  };
  await scene.hardware("a", { userData: "keys" }, { labels: owner });
  await scene.machine("m", { providerID: `tinkerbell://${scene.rack}/a`, hardwareName: "a" });
  await scene.ready("m");
  expect((await scene.of(Hardware, "a"))?.spec?.userData).toBe("keys");
  expect((await scene.says("m", "UserDataDelivered", "Delivered")).message).toContain("spec.userData of Hardware");
  await scene.joined("m");
  await scene.says("m", "UserDataDelivered", "Wiped");
  expect((await scene.of(Hardware, "a"))?.spec).not.toHaveProperty("userData");
});

it("writes it into the Hardware for another metadata service", async () => {
  await provider.stop();
  await run({ userDataIn: "hardware" });
  const scene = await RackScene.start(environment);
  await scene.hardware("a");
  await scene.machine("m");
  await scene.ready("m");
  expect((await scene.of(Hardware, "a"))?.spec?.userData).toBe(`provider-id: tinkerbell://${scene.rack}/a`);
  expect((await scene.of(Hardware, "a"))?.metadata.annotations ?? {}).not.toHaveProperty(annotation);
  expect(await scene.userData("m")).toBeUndefined();
  await scene.remove("m");
  await scene.gone("m");
  expect((await scene.of(Hardware, "a"))?.spec).not.toHaveProperty("userData");
  await provider.stop();
  await run();
});

it("neither overwrites nor deletes a Secret of another owner", async () => {
  const scene = await RackScene.start(environment);
  const key = scene.core.key("m-user-data");
  const secret = { apiVersion: "v1", kind: "Secret", metadata: key, type: "Opaque", data: { own: "eA==" } };
  await environment.client.create(SecretResource, secret);
  await scene.hardware("a");
  await scene.machine("m");
  const { message } = await scene.says("m", "Ready", "NameTaken");
  expect(message).toContain("m-user-data");
  await scene.remove("m");
  await scene.gone("m");
  expect((await environment.client.get(SecretResource, key))["data"]).toEqual({ own: "eA==" });
});

it("names the fix when the Secret disappears before the installation", async () => {
  const scene = await RackScene.start(environment);
  await scene.hardware("a");
  mood.stuck = true;
  await scene.machine("m");
  await scene.says("m", "UserDataDelivered", "Delivered");
  await environment.until(async () => (await scene.of(Workflow, "m")) !== undefined);
  await environment.client.delete(SecretResource, scene.core.key("m-user-data"));
  expect((await scene.says("m", "Ready", "UserDataMissing")).message).toContain("delete the Machine");
  mood.stuck = false;
});

it("is wiped although the Hardware names another Secret", async () => {
  const scene = await RackScene.start(environment);
  await scene.hardware("a");
  await scene.machine("m");
  await scene.ready("m");
  await patch(scene, "a", { metadata: { annotations: { [annotation]: "kube-system/other" } } });
  await scene.joined("m");
  await environment.until(async () => (await scene.userData("m")) === undefined);
  expect((await scene.of(Hardware, "a"))?.metadata.annotations?.[annotation]).toBe("");
});
