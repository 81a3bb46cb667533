import { ConformanceEnvironment } from "@capstan/testing/environment";
import { Hardware, Workflow } from "@capstan/tinkerbell/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMetalProvider } from "../src/index.ts";
import { labelHardwareOf, RackScene } from "./rack-scene.ts";
import { kinds, metadataUrl } from "./subject.ts";
import { type TinkerbellMood, tinkerbellPart } from "./tinkerbell-part.ts";

const mood: TinkerbellMood = {};
let environment: ConformanceEnvironment;
let stop: () => Promise<void>;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start(kinds);
  const provider = await environment.runManager({ providers: [createMetalProvider({ metadataUrl })] });
  const tinkerbell = await environment.runManager({ providers: [tinkerbellPart(mood, [])] });
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
  expect(hardware?.metadata.annotations ?? {}).not.toHaveProperty("capstan.dev/user-data-secret");
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

it("machines of one name in two namespaces have Hardware of one shared namespace at the same time", async () => {
  const scene = await RackScene.start(environment);
  const other = await RackScene.start(environment, { rack: scene.rack });
  await scene.hardware("a");
  await scene.hardware("b");
  await scene.machine("m");
  await scene.ready("m");
  await other.machine("m");
  await other.ready("m");
  const kept = ["Template m", "Workflow m"];
  const second = (await scene.made()).filter((each) => !kept.includes(each));
  expect(second).toEqual([
    expect.stringMatching(/^Template m-[0-9a-f]{10}$/),
    expect.stringMatching(/^Workflow m-[0-9a-f]{10}$/),
  ]);
  expect((await scene.of(Workflow, second[1]!.slice("Workflow ".length)))?.spec?.templateRef).toBe(
    second[0]!.slice("Template ".length),
  );

  // One whose board management does not answer keeps the other from nothing.
  mood.stuck = true;
  await scene.remove("m");
  await environment.until(async () => (await scene.made()).includes("Job m-poweroff"));
  await other.remove("m");
  const jobs = async () => (await scene.made()).filter((each) => each.startsWith("Job "));
  await environment.until(async () => (await jobs()).length === 2);
  expect(await jobs()).toEqual(["Job m-poweroff", expect.stringMatching(/^Job m-poweroff-[0-9a-f]{10}$/)]);
  mood.stuck = false;
  await scene.gone("m");
  await other.gone("m");
  expect(await scene.made()).toEqual([]);
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
