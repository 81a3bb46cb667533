import { Annotation } from "@capstan/contract";
import { conditionOf, ownerReference, SecretResource } from "@capstan/contract/wire";
import { operationsAnnotation } from "@capstan/kit/engine";
import { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { VolumeScene } from "./volume-scene.ts";
import { createVolumeProvider, sizeAnnotation, Volume } from "./volume.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([Volume]);
});
afterAll(() => environment.stop());

let scene: VolumeScene;
beforeEach(async () => {
  scene = new VolumeScene(environment, await environment.namespace());
});
afterEach(() => scene.managers.stopAll());

const recordOf = (volume: Volume): string | undefined => volume.metadata.annotations?.[operationsAnnotation];

describe("an operation", () => {
  it("is saved, polled, and forgotten when it has succeeded", async () => {
    await scene.create();
    await scene.managers.start();
    expect(await scene.says("Creating")).toMatch(/^making since .*: the volume is being created$/);
    const saved = JSON.parse(recordOf(await scene.get()) ?? "{}") as unknown;
    expect(saved).toMatchObject({ volume: { handle: "operation-1", verb: "create" } });
    await scene.says("Ready");
    const made = await scene.get();
    expect(recordOf(made)).toBeUndefined();
    expect(made.status).toMatchObject({ size: 1 });
    expect(made.metadata.annotations, "facts that do not fit the status").toMatchObject({ [sizeAnnotation]: "1" });
    expect(scene.cloud.count("make")).toBe(1);
    expect(scene.cloud.count("poll")).toBeLessThanOrEqual(8);
    expect(scene.cloud.count("find"), "before it began, and after it ended").toBe(2);
  });

  it("writes nothing while it goes on, and keeps to its pace whatever wakes the object", async () => {
    await scene.create();
    await scene.managers.start();
    await scene.says("Creating");
    await environment.pass(2000);
    const begun = await scene.get();
    const polls = scene.cloud.count("poll");
    await environment.pass(20_000);
    expect((await scene.get()).metadata.resourceVersion).toBe(begun.metadata.resourceVersion);
    expect(scene.cloud.count("poll") - polls).toBeLessThanOrEqual(2);
    for (const touched of ["a", "b", "c"]) {
      await scene.patch({ metadata: { labels: { touched } } });
      await environment.pass(1000);
    }
    expect(scene.cloud.count("poll") - polls).toBeLessThanOrEqual(3);
  });

  it("is said within seconds, whatever else wakes the object while it goes on", async () => {
    await scene.create();
    await scene.managers.start();
    await environment.until(() => scene.cloud.count("make") === 1);
    // No time passes before the object is woken.
    let volume = await scene.get();
    while (recordOf(volume) === undefined) volume = await scene.get();
    await scene.patch({ metadata: { labels: { other: "writer" } } });
    await environment.pass(4000);
    expect(conditionOf(await scene.get(), "Ready")).toMatchObject({ status: "False", reason: "Creating" });
    expect(scene.cloud.count("poll")).toBe(0);
  });

  it("that has ended at once has no handle, and leaves nothing to poll", async () => {
    scene = new VolumeScene(environment, scene.key.namespace, { takesMs: 0 });
    await scene.create();
    await scene.managers.start();
    await scene.says("Ready");
    expect(recordOf(await scene.get())).toBeUndefined();
    await scene.remove();
    await scene.until((volume) => volume === undefined);
    expect(scene.cloud.calls).toEqual(["find", "make", "find", "find", "destroy", "find"]);
  });

  it("is taken up by the next process", async () => {
    await scene.create();
    await scene.managers.start();
    await scene.says("Creating");
    await scene.managers.stopAll();
    await scene.managers.start();
    await scene.says("Ready");
    expect(scene.cloud.count("make")).toBe(1);
  });

  it("that is lost leaves it to observe what has come of it", async () => {
    await scene.create();
    await scene.managers.start();
    await scene.says("Creating");
    await environment.pass(50_000);
    scene.cloud.forgetOperations();
    await environment.pass(15_000);
    await scene.says("Ready");
  });

  it("is not lost to another writer of the object", async () => {
    await scene.create();
    scene.cloud.onCall = (call, phase) => {
      if (call === "make" && phase === "after") pending = scene.patch({ metadata: { labels: { other: "writer" } } });
    };
    let pending: Promise<unknown> = Promise.resolve();
    const { namespace } = scene.key;
    const running = await environment.runManager({ providers: [createVolumeProvider(scene.cloud)], namespace });
    await scene.says("Creating");
    await pending;
    await scene.says("Ready");
    await running.stop();
    expect((await scene.get()).metadata.labels).toEqual({ other: "writer" });
    expect(scene.cloud.count("make")).toBe(1);
  });

  it("that changes something which exists leaves it ready", async () => {
    await scene.create();
    await scene.managers.start();
    await scene.says("Ready");
    await scene.patch({ spec: { size: 2 } });
    await scene.says("Grow");
    await scene.says("Ready");
    expect((await scene.get()).status).toMatchObject({ size: 2 });
    expect(scene.cloud.count("make")).toBe(2);
  });

  it("removes, and the object stays until it has ended", async () => {
    await scene.create();
    await scene.managers.start();
    await scene.says("Ready");
    await environment.client.delete(Volume, scene.key);
    expect(await scene.says("Deleting")).toBe("the volume is being deleted");
    await environment.pass(30_000);
    expect(await environment.client.find(Volume, scene.key)).toBeDefined();
    await scene.until((volume) => volume === undefined);
    expect(scene.cloud.volumes.size).toBe(0);
    expect(scene.cloud.count("destroy")).toBe(1);
  });

  it("is waited for although the object is deleted meanwhile", async () => {
    await scene.create();
    await scene.managers.start();
    await scene.says("Creating");
    await environment.client.delete(Volume, scene.key);
    await scene.until((volume) => volume === undefined);
    await environment.pass(120_000);
    expect(scene.cloud.volumes.size).toBe(0);
  });

  it("is left alone while the object is paused", async () => {
    await scene.create();
    await scene.managers.start();
    await scene.says("Creating");
    await scene.patch({ metadata: { annotations: { [Annotation.paused]: "true" } } });
    await environment.pass(1000);
    const polls = scene.cloud.count("poll");
    await environment.pass(120_000);
    expect(scene.cloud.count("poll")).toBe(polls);
    await scene.patch({ metadata: { annotations: { [Annotation.paused]: null } } });
    await scene.says("Ready");
  });
});

describe("an operation that fails", () => {
  it("is started again, less and less often", async () => {
    scene.cloud.disturb({ reason: "NoCapacity", retry: { kind: "backoff" }, times: 4 });
    await scene.create();
    await scene.managers.start();
    expect(await scene.says("NoCapacity")).toBe("make came to nothing");
    // Four minutes of work, and 5, 10, 20, 40 s in between.
    const startedAt = environment.clock.now();
    await scene.says("Ready");
    expect(scene.cloud.count("make")).toBe(5);
    expect(environment.clock.now() - startedAt).toBeGreaterThan(4 * 60_000 + 75_000 - 5000);
  });

  it("for good is not started again before something it depends on is different", async () => {
    scene.cloud.disturb({ reason: "NotOffered", retry: { kind: "never" }, times: 1 });
    await scene.create();
    await scene.managers.start();
    await scene.says("NotOffered");
    const { namespace } = scene.key;
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { namespace, name: "owner" } };
    const owner = ownerReference(SecretResource, await environment.client.create(SecretResource, secret));
    const finds = scene.cloud.count("find");
    for (const ownerReferences of [[owner], []]) {
      await scene.patch({ metadata: { ownerReferences } });
      await environment.pass(10_000);
    }
    expect(scene.cloud.count("find"), "it was woken").toBe(finds + 2);
    expect(scene.cloud.count("make")).toBe(1);
    await scene.patch({ spec: { size: 2 } });
    await scene.says("Ready");
    expect(scene.cloud.count("make")).toBe(2);
  });
});
