import { conditionOf } from "@capstan/contract/wire";
import { CallGate, ConformanceEnvironment, crashEverywhere } from "@capstan/testing/environment";
import { expect, it } from "vitest";
import { VolumeScene } from "./volume-scene.ts";
import { Volume } from "./volume.ts";

/** A volume is made and removed by operations, by a process that dies at one in so many of its calls. */
export const testOperationCrashes = ({ every }: { readonly every: number }): void => {
  it("makes one volume, and leaves none", { timeout: 240_000 }, async () => {
    const environment = await ConformanceEnvironment.start([Volume]);
    try {
      await crashEverywhere((gate) => liveWithCrash(environment, gate), { every });
    } finally {
      await environment.stop();
    }
  });
};

const liveWithCrash = async (environment: ConformanceEnvironment, gate: CallGate): Promise<void> => {
  const scene = new VolumeScene(environment, await environment.namespace());
  await scene.create();
  await scene.managers.start(gate);
  const isDone = (volume?: Volume): boolean =>
    gate.crashedAt !== undefined || (volume !== undefined && conditionOf(volume, "Ready")?.status === "True");
  await scene.until(isDone);
  if (gate.crashedAt === undefined) {
    await environment.client.delete(Volume, scene.key);
    await scene.until((volume) => gate.crashedAt !== undefined || volume === undefined);
  }
  if (gate.crashedAt === undefined) return;
  await scene.managers.stopAll();
  await scene.managers.start(new CallGate());
  const left = await scene.find();
  if (left !== undefined && left.metadata.deletionTimestamp === undefined) await scene.says("Ready");
  expect(scene.cloud.volumes.size).toBeLessThanOrEqual(1);
  await scene.remove();
  await scene.until((volume) => volume === undefined);
  await environment.pass(61_000);
  expect(scene.cloud.volumes.size).toBe(0);
  await scene.managers.stopAll();
};
