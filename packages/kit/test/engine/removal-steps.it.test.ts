import type { ProviderV1 } from "@capstan/contract/v1";
import { conditionOf } from "@capstan/contract/wire";
import { defineProvider } from "@capstan/kit";
import { managedObject, observations } from "@capstan/kit/engine";
import { isBeingDeleted } from "@capstan/kube-values";
import { apiVersionOf } from "@capstan/schema";
import { CallGate, ConformanceEnvironment, SceneManagers, crashEverywhere } from "@capstan/testing/environment";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { Volume } from "./volume.ts";

/** A disk that has to be detached and wiped, in this order, before it can be destroyed. */
class Rack {
  readonly calls: string[] = [];
  onCall: (call: string, phase: "before" | "after") => void = () => undefined;
  disk: "absent" | "detached" | "attached" | "wiped" = "absent";
  /** So many of the next calls change nothing. */
  ineffective = 0;

  call(name: string, from: readonly Rack["disk"][], to: Rack["disk"]): void {
    this.calls.push(name);
    this.onCall(name, "before");
    if (!from.includes(this.disk)) throw new Error(`${name} of a disk that is ${this.disk}`);
    if (this.ineffective > 0) this.ineffective -= 1;
    else this.disk = to;
    this.onCall(name, "after");
  }
}

const { absent, pending, present, removing } = observations();

/** `careless`: asks to attach the disk without a look at the deletion. */
const createDiskProvider = (rack: Rack, options: { readonly careless?: boolean } = {}): ProviderV1 =>
  defineProvider({
    name: "infra-disks",
    kinds: [Volume],
    register: (host) =>
      host.add(
        managedObject<Volume>({
          kind: Volume,
          noun: "the disk",
          finalizer: "storage.example.dev/disk",
          observe: async ({ object }) => {
            if (rack.disk === "absent") return absent();
            if (isBeingDeleted(object) && options.careless !== true) {
              if (rack.disk === "attached") return removing({ step: "detach" });
              if (rack.disk === "detached") return removing({ step: "wipe", reason: "Emptying" });
            }
            return rack.disk === "attached" ? present({}) : pending({ reason: "Detached", step: "attach" });
          },
          create: async () => rack.call("make", ["absent"], "detached"),
          steps: {
            attach: async () => rack.call("attach", ["detached"], "attached"),
            detach: async () => rack.call("detach", ["attached"], "detached"),
            wipe: async () => rack.call("wipe", ["detached"], "wiped"),
          },
          remove: async () =>
            rack.call("destroy", options.careless === true ? ["attached", "detached"] : ["wiped"], "absent"),
        }),
      ),
  });

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([Volume]);
});
afterAll(() => environment.stop());

/** One disk in a namespace and a rack of its own. */
class Scene {
  readonly rack = new Rack();
  readonly key: { readonly namespace: string; readonly name: string };
  readonly managers: SceneManagers;

  constructor(namespace: string, options: { readonly careless?: boolean } = {}) {
    const { rack } = this;
    this.key = { namespace, name: "d" };
    const onCall = (hook: (call: string, phase: "before" | "after") => void): void => {
      rack.onCall = hook;
    };
    const world = { provider: () => createDiskProvider(rack, options), onCall };
    this.managers = new SceneManagers(environment, world, namespace);
  }

  create(): Promise<Volume> {
    const volume = { apiVersion: apiVersionOf(Volume), kind: Volume.kind, metadata: this.key, spec: { size: 1 } };
    return environment.client.create(Volume, volume);
  }

  /** Waits for the condition `Ready` of a reason. */
  async says(reason: string): Promise<void> {
    const says = (volume?: Volume): boolean => volume !== undefined && conditionOf(volume, "Ready")?.reason === reason;
    await environment.eventually(Volume, this.key, says);
  }

  async remove(): Promise<void> {
    await environment.client.delete(Volume, this.key);
  }

  async gone(): Promise<void> {
    await environment.eventually(Volume, this.key, (volume) => volume === undefined);
  }
}

let scene: Scene;
beforeEach(async () => {
  scene = new Scene(await environment.namespace());
});
afterEach(() => scene.managers.stopAll());

it("runs the steps of what is being removed in their order, and removes the rest", async () => {
  await scene.create();
  await scene.managers.start();
  await scene.says("Ready");
  await scene.remove();
  await scene.gone();
  expect(scene.rack.calls).toEqual(["make", "attach", "detach", "wipe", "destroy"]);
});

it("looks again before it runs a step that it ran, and says which one it is", async () => {
  await scene.create();
  await scene.managers.start();
  await scene.says("Ready");
  scene.rack.ineffective = 1;
  await scene.remove();
  await scene.says("Detach");
  expect(scene.rack.calls).toEqual(["make", "attach", "detach"]);
  await scene.gone();
  expect(scene.rack.calls).toEqual(["make", "attach", "detach", "detach", "wipe", "destroy"]);
});

it("runs no step while the object is deleted that was not asked for to remove it", async () => {
  scene = new Scene(scene.key.namespace, { careless: true });
  scene.rack.disk = "detached";
  scene.rack.ineffective = 3;
  await scene.create();
  await scene.managers.start();
  await scene.says("Attach");
  const before = scene.rack.calls.length;
  await scene.remove();
  await scene.gone();
  expect(new Set(scene.rack.calls.slice(before))).toEqual(new Set(["destroy"]));
});

it("removes in order although it crashes between any two calls", async () => {
  await crashEverywhere(async (gate) => {
    scene = new Scene(await environment.namespace());
    await scene.create();
    await scene.managers.start();
    await scene.says("Ready");
    await scene.managers.stopAll();
    await scene.remove();
    await scene.managers.start(gate);
    const isGone = (volume?: Volume): boolean => gate.crashedAt !== undefined || volume === undefined;
    await environment.eventually(Volume, scene.key, isGone);
    if (gate.crashedAt !== undefined) {
      await scene.managers.stopAll();
      await scene.managers.start(new CallGate());
    }
    await scene.gone();
    expect(scene.rack.disk).toBe("absent");
    const removal = scene.rack.calls.slice(2).filter((call, index, all) => call !== all[index - 1]);
    expect(removal).toEqual(["detach", "wipe", "destroy"]);
    await scene.managers.stopAll();
  });
});
