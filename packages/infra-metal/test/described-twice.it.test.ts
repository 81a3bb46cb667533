import { ConformanceEnvironment, type RunningManager } from "@capstan/testing/environment";
import type { MergePatch } from "@capstan/contract/wire";
import { apiVersionOf } from "@capstan/schema";
import { BmcMachine, Hardware } from "@capstan/tinkerbell/api";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TinkerbellMachine } from "../src/api.ts";
import { createMetalProvider } from "../src/index.ts";
import { labelHardwareOf, RackScene } from "./rack-scene.ts";
import { hardwareSpec, kinds, machineAddresses, metadataUrl } from "./subject.ts";
import { type TinkerbellMood, tinkerbellPart } from "./tinkerbell-part.ts";

const mood: TinkerbellMood = {};
const off: string[] = [];
const providers = [createMetalProvider({ metadataUrl }), tinkerbellPart(mood, off)];
let environment: ConformanceEnvironment;
let running: RunningManager;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start(kinds);
  running = await environment.runManager({ providers });
});
afterAll(async () => {
  await running.stop();
  await environment.stop();
});
beforeEach(() => {
  off.length = 0;
});

const restart = async (work: () => Promise<void> = async () => undefined): Promise<void> => {
  await running.stop();
  await work();
  running = await environment.runManager({ providers });
};

const owner = { name: "v1alpha1.tinkerbell.org/ownerName", namespace: "v1alpha1.tinkerbell.org/ownerNamespace" };
const provisioned = { "v1alpha1.tinkerbell.org/provisioned": "true" };
const ownedBy = (scene: RackScene, name: string) => ({ [owner.name]: name, [owner.namespace]: scene.core.namespace });

/** Another Hardware in another namespace that is shared, with something of the Hardware `a`. */
const elsewhere = async (
  scene: RackScene,
  spec: object,
): Promise<{ readonly namespace: string; readonly name: string }> => {
  const key = { namespace: await environment.namespace(), name: "stranger" };
  await labelHardwareOf(environment, key.namespace, "shared");
  const whole = { ...hardwareSpec(key), ...spec };
  const metadata = { ...key, labels: { rack: scene.rack } };
  const object = { apiVersion: apiVersionOf(Hardware), kind: "Hardware", metadata, spec: whole };
  await environment.client.create(Hardware, object);
  return key;
};

const board = (namespace: string, name: string, host: string): Promise<unknown> =>
  environment.client.create(BmcMachine, {
    apiVersion: apiVersionOf(BmcMachine),
    kind: "Machine",
    metadata: { namespace, name },
    spec: { connection: { host, port: 443, insecureTLS: false } },
  });

const boardRef = (name: string) => ({ bmcRef: { apiGroup: "bmc.tinkerbell.org", kind: "Machine", name } });

const labelsOf = async (key: { readonly namespace: string; readonly name: string }) =>
  (await environment.client.get(Hardware, key)).metadata.labels ?? {};

describe("a second Hardware for a machine that runs", () => {
  const same = {
    "a MAC address": (key: { readonly namespace: string; readonly name: string }) => ({
      interfaces: [
        { dhcp: { ip: { address: "10.255.0.1" }, mac: "52:54:ff:ff:00:01" } },
        { dhcp: { mac: machineAddresses(key).mac } },
      ],
    }),
    "a MAC address in another form, as the id of its agent": (key: {
      readonly namespace: string;
      readonly name: string;
    }) => ({
      agentID: machineAddresses(key).mac.toUpperCase().replaceAll(":", "-"),
    }),
    "an address": (key: { readonly namespace: string; readonly name: string }) => ({
      interfaces: [{ dhcp: { mac: "52:54:ff:ff:00:02", ip: { address: machineAddresses(key).ip } } }],
    }),
  };

  it.each(Object.entries(same))(
    "in another namespace, with %s, is not claimed, also after a restart",
    async (_, spec) => {
      const scene = await RackScene.start(environment);
      await scene.hardware("a");
      await scene.machine("m");
      const { resourceVersion } = (await scene.ready("m")).metadata;
      const key = await elsewhere(scene, spec({ namespace: scene.rack, name: "a" }));
      await scene.machine("n");
      const { message } = await scene.says("n", "HardwareClaimed", "MachineDescribedTwice");
      expect(message).toContain(`Hardware ${key.namespace}/${key.name}`);
      expect(message).toContain("another Hardware, in another namespace, describes the same machine");
      expect(message).not.toContain(scene.rack);
      await restart();
      await environment.pass(120_000);
      expect(await labelsOf(key)).toEqual({ rack: scene.rack });
      expect(off).toEqual([]);
      expect((await scene.ready("m")).metadata.resourceVersion, "what somebody describes again is not written").toBe(
        resourceVersion,
      );

      // It stays until its machine has let it go.
      await environment.client.delete(Hardware, { namespace: scene.rack, name: "a" });
      await scene.remove("m");
      await scene.gone("m");

      await scene.ready("n");
      expect(await labelsOf(key)).toMatchObject({ [owner.name]: "n" });
    },
  );

  it("in its own namespace, with its board management, is named, and is claimed once that is corrected", async () => {
    const scene = await RackScene.start(environment);
    await scene.hardware("a");
    await scene.machine("m");
    await scene.ready("m");
    await scene.hardware("b", boardRef("a-bmc"));
    await scene.machine("n");
    const { message } = await scene.says("n", "HardwareClaimed", "MachineDescribedTwice");
    expect(message).toContain(`Hardware ${scene.rack}/a describes the same machine (spec.bmcRef a-bmc)`);
    const key = { namespace: scene.rack, name: "b" };
    await environment.client.patch(Hardware, key, { type: "merge", body: { spec: boardRef("b-bmc") } });
    await scene.ready("n");
    expect(off).toEqual([]);
  });

  it("with another Machine for its board management is not claimed", async () => {
    const scene = await RackScene.start(environment);
    await board(scene.rack, "a-bmc", "bmc-7.lab");
    await scene.hardware("a");
    await scene.machine("m");
    await scene.ready("m");
    const key = await elsewhere(scene, {});
    await board(key.namespace, "stranger-bmc", "BMC-7.lab.");
    await scene.machine("n");
    const { message } = await scene.says("n", "HardwareClaimed", "MachineDescribedTwice");
    expect(message).toContain("bmc-7.lab".toUpperCase().replace("LAB", "lab"));
    expect(message).not.toContain(scene.rack);
    await environment.client.delete(BmcMachine, { namespace: key.namespace, name: "stranger-bmc" });
    await scene.ready("n");
  });
});

it("the older of two that are free is claimed, and the other is not", async () => {
  const scene = await RackScene.start(environment);
  await scene.hardware("z");
  await environment.pass(2000);
  await scene.hardware("a", { interfaces: hardwareSpec({ namespace: scene.rack, name: "z" }).interfaces });
  await Promise.all(["m", "n"].map((name) => scene.machine(name)));
  await environment.until(async () => (await labelsOf({ namespace: scene.rack, name: "z" }))[owner.name] !== undefined);
  await environment.pass(60_000);
  expect(await labelsOf({ namespace: scene.rack, name: "a" })).toEqual({ rack: scene.rack });
});

it("of two machines that claimed at once, one gives way before anything happened to either Hardware", async () => {
  const scene = await RackScene.start(environment, { beside: true });
  await restart(async () => {
    await scene.hardware("a", {}, { labels: ownedBy(scene, "m") });
    await environment.pass(2000);
    const { interfaces } = hardwareSpec({ namespace: scene.rack, name: "a" });
    await scene.hardware("b", { interfaces }, { labels: ownedBy(scene, "n") });
    await Promise.all(["m", "n"].map((name) => scene.machine(name)));
  });
  await scene.ready("m");
  await scene.says("n", "HardwareClaimed", "MachineDescribedTwice");
  expect(await labelsOf({ namespace: scene.rack, name: "b" })).toEqual({ rack: scene.rack });
  expect(await scene.made()).toEqual(["Template m", "Workflow m"]);
});

describe("a machine that has the second Hardware since before that was refused", () => {
  const both = async (spec: (scene: RackScene) => MergePatch): Promise<RackScene> => {
    const scene = await RackScene.start(environment);
    for (const [hardware, machine] of [
      ["a", "m"],
      ["b", "n"],
    ] as const) {
      const more = hardware === "b" ? spec(scene) : {};
      await scene.hardware(hardware, more, { labels: ownedBy(scene, machine), annotations: provisioned });
      await scene.machine(machine, { providerID: `tinkerbell://${scene.rack}/${hardware}`, hardwareName: hardware });
      await scene.ready(machine);
      await environment.pass(2000);
    }
    return scene;
  };

  it("goes without switching off the one that runs, which is switched off with the last", async () => {
    const scene = await both(({ rack }) => ({ interfaces: hardwareSpec({ namespace: rack, name: "a" }).interfaces }));
    await scene.remove("n");
    await scene.gone("n");
    expect(off).toEqual([]);
    await scene.ready("m");
    await scene.remove("m");
    await scene.gone("m");
    expect(off).toEqual([`${scene.rack}/a-bmc`]);
  });

  it.each([
    ["the board management", () => boardRef("a-bmc")],
    [
      "an interface",
      ({ rack }: RackScene) => ({ interfaces: hardwareSpec({ namespace: rack, name: "a" }).interfaces }),
    ],
  ])("goes together with the other one where they have %s in common, and the power goes off", async (_, spec) => {
    const scene = await both(spec);
    await Promise.all(["m", "n"].map((name) => scene.remove(name)));
    await Promise.all(["m", "n"].map((name) => scene.gone(name)));
    expect(off).toContain(`${scene.rack}/a-bmc`);
  });

  it("that waits goes on once the other one is deleted, too", async () => {
    const scene = await both(() => boardRef("a-bmc"));
    await scene.remove("n");
    await scene.says("n", "PoweredOff", "MachineInUse");
    await scene.remove("m");
    await Promise.all(["m", "n"].map((name) => scene.gone(name)));
    expect(off).toContain(`${scene.rack}/a-bmc`);
  });

  it("waits where only the board management is the same, until that is corrected", async () => {
    const scene = await both(() => boardRef("a-bmc"));
    await scene.remove("n");
    const { message } = await scene.says("n", "PoweredOff", "MachineInUse");
    expect(message).toContain(`Hardware ${scene.rack}/a describes the same machine (spec.bmcRef a-bmc)`);
    expect(message).toContain("capstan.dev/skip-power-off=true");
    expect(off).toEqual([]);
    const key = { namespace: scene.rack, name: "b" };
    await environment.client.patch(Hardware, key, { type: "merge", body: { spec: boardRef("b-bmc") } });
    await scene.gone("n");
    expect(off).toEqual([`${scene.rack}/b-bmc`]);
    await environment.eventually(TinkerbellMachine, scene.core.key("m"), (object) => object !== undefined);
  });
});
