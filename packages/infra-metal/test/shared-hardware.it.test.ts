import { ConformanceEnvironment } from "@capstan/testing/environment";
import { Hardware, Workflow } from "@capstan/tinkerbell/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMetalProvider } from "../src/index.ts";
import { labelHardwareOf, RackScene } from "./rack-scene.ts";
import { kinds, metadataUrl } from "./subject.ts";
import { tinkerbellPart } from "./tinkerbell-part.ts";

let environment: ConformanceEnvironment;
let stop: () => Promise<void>;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start(kinds);
  const provider = await environment.runManager({ providers: [createMetalProvider({ metadataUrl })] });
  const tinkerbell = await environment.runManager({ providers: [tinkerbellPart({}, [])] });
  stop = async () => {
    await provider.stop();
    await tinkerbell.stop();
  };
});
afterAll(async () => {
  await stop();
  await environment.stop();
});

const owner = { name: "v1alpha1.tinkerbell.org/ownerName", namespace: "v1alpha1.tinkerbell.org/ownerNamespace" };
const offeredTo = "capstan.dev/offered-to";

const annotate = (scene: RackScene, name: string, annotations: object): Promise<unknown> =>
  environment.client.patch(
    Hardware,
    { namespace: scene.rack, name },
    { type: "merge", body: { metadata: { annotations } } },
  );

const untouched = async (scene: RackScene, name: string, labels: object = {}): Promise<void> => {
  const hardware = await scene.of(Hardware, name);
  expect(hardware?.metadata.labels).toEqual({ rack: scene.rack, ...labels });
  expect(hardware?.spec).not.toHaveProperty("userData");
};

describe("Hardware of a namespace that nobody shares", () => {
  it("is not taken by machines of another one, and gets none of their data", async () => {
    const scene = await RackScene.start(environment);
    await labelHardwareOf(environment, scene.rack, null);
    await scene.hardware("a");
    await scene.machine("m");
    const { message } = await scene.says("m", "HardwareClaimed", "NoHardware");
    expect(message).not.toContain(scene.rack);
    await untouched(scene, "a");
  });

  it.each(["with the machine's uid", "without"])("gets no data by labels that name a machine, %s", async (how) => {
    const scene = await RackScene.start(environment);
    await labelHardwareOf(environment, scene.rack, null);
    await scene.machine("m");
    await scene.says("m", "HardwareClaimed", "NoHardware");
    const labels = { [owner.name]: "m", [owner.namespace]: scene.core.namespace };
    const { items } = await environment.client.list(Hardware, { namespace: scene.rack });
    expect(items).toEqual([]);
    await scene.hardware("forged", {}, { labels });
    const uid = how.startsWith("with the") ? await scene.uidOf("m") : "";
    await annotate(scene, "forged", uid === "" ? {} : { "capstan.dev/claimant-uid": uid });
    await environment.pass(60_000);
    await scene.says("m", "HardwareClaimed", "NoHardware");
    await untouched(scene, "forged", labels);
    expect(await scene.made()).toEqual([]);
  });
});

describe("Hardware of a shared namespace", () => {
  it("is taken by those to whom it is offered", async () => {
    const scene = await RackScene.start(environment);
    await scene.hardware("a", {}, { annotations: { [offeredTo]: "some,others" } });
    await scene.machine("m");
    await scene.says("m", "HardwareClaimed", "NoHardware");
    await annotate(scene, "a", { [offeredTo]: `some, ${scene.core.namespace}` });
    expect((await scene.ready("m")).spec).toMatchObject({ hardwareName: "a" });
  });

  it("stays its machine's when the namespace is shared no longer, and the machine has another uid after a move", async () => {
    const scene = await RackScene.start(environment);
    await scene.hardware("a");
    await scene.machine("m");
    await scene.ready("m");
    await labelHardwareOf(environment, scene.rack, null);
    await annotate(scene, "a", { "capstan.dev/claimant-uid": "0b8b9f3c-5f1c-4b7c-9d3a-2f5f0f1b8c11" });
    await environment.pass(60_000);
    await scene.ready("m");
    expect(await scene.of(Workflow, "m")).toBeDefined();
    await scene.remove("m");
    await scene.gone("m");
    await untouched(scene, "a");
  });
});

it("Hardware of every namespace is taken where the option says so, as upstream has it", async () => {
  const own = await ConformanceEnvironment.start(kinds);
  const provider = await own.runManager({ providers: [createMetalProvider({ metadataUrl, sharedNamespaces: ["*"] })] });
  const scene = await RackScene.start(own);
  await labelHardwareOf(own, scene.rack, null);
  await scene.hardware("a");
  await scene.machine("m");
  await scene.says("m", "HardwareClaimed", "Claimed");
  await provider.stop();
  await own.stop();
});
