import { conditionOf } from "@capstan/contract/wire";
import { openWritesAnnotation } from "@capstan/kit/engine";
import { apiVersionOf } from "@capstan/schema";
import { ConformanceEnvironment, SceneManagers } from "@capstan/testing/environment";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createDiskProvider, Disk, LateCloud } from "./late-cloud.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([Disk]);
});
afterAll(() => environment.stop());

let cloud: LateCloud;
let key: { readonly namespace: string; readonly name: string };
let managers: SceneManagers;
beforeEach(async () => {
  cloud = new LateCloud(environment.clock);
  key = { namespace: await environment.namespace(), name: "d" };
  const onCall = (hook: LateCloud["onCall"]): void => {
    cloud.onCall = hook;
  };
  managers = new SceneManagers(environment, { provider: () => createDiskProvider(cloud), onCall }, key.namespace);
});
afterEach(() => managers.stopAll());

const create = async (annotations: Readonly<Record<string, string>> = {}): Promise<void> => {
  const metadata = { ...key, annotations };
  await environment.client.create(Disk, {
    apiVersion: apiVersionOf(Disk),
    kind: "Disk",
    metadata,
    spec: { label: "d" },
  });
};
const until = (test: (disk: Disk | undefined) => boolean) => environment.eventually(Disk, key, test);
const isReady = (disk?: Disk): boolean => disk !== undefined && conditionOf(disk, "Ready")?.status === "True";
const noteOn = (disk?: Disk): string | undefined => disk?.metadata.annotations?.[openWritesAnnotation];
const messageOf = (disk?: Disk): string => (disk && conditionOf(disk, "Ready")?.message) ?? "";

/** Deletes the disk; answers how long that took. */
const removal = async (): Promise<number> => {
  const began = environment.clock.now();
  await environment.client.delete(Disk, key);
  await until((disk) => disk === undefined);
  return environment.clock.now() - began;
};

it("waits for nothing where every request was answered", async () => {
  await create();
  await managers.start();
  const made = await until((disk) => isReady(disk) && noteOn(disk) === undefined);
  expect(made).toBeDefined();
  expect(
    managers.writes.made.filter((write) => write === "patch Disk"),
    "finalizer with note, its end, status",
  ).toHaveLength(3);
  expect(await removal()).toBeLessThan(20_000);
  expect(cloud.disks).toEqual([]);
});

it.each([400, 409, 500, 503])("waits for nothing after an answer of %i", async (status) => {
  cloud.fate = { kind: "refused", status };
  await create();
  await managers.start();
  await environment.until(() => cloud.asked > 0);
  expect(await removal()).toBeLessThan(20_000);
});

it.each([408, 502, 504])("waits after an answer of %i, which is a gateway's", async (status) => {
  cloud.fate = { kind: "refused", status };
  await create();
  await managers.start();
  await environment.until(() => cloud.asked > 0);
  expect(await removal()).toBeGreaterThan(80_000);
});

it("lets nothing go that a request without an answer may still make", async () => {
  cloud.fate = { kind: "late", ms: 60_000 };
  await create();
  await managers.start();
  await environment.until(() => cloud.asked > 0);
  await environment.client.delete(Disk, key);
  const leaving = await until((disk) => messageOf(disk).includes("may still take effect"));
  expect(messageOf(leaving)).toMatch(/^the disk is gone; .* checking again at 20\d\d-.*Z$/);
  expect(cloud.disks).toEqual([]);
  await until((disk) => disk === undefined);
  await environment.pass(100_000);
  expect(cloud.disks).toEqual([]);
});

it("removes the second one too, which an earlier request makes after all", async () => {
  cloud.fate = { kind: "late", ms: 40_000, times: 1 };
  await create();
  await managers.start();
  await until(isReady);
  expect(cloud.disks).toHaveLength(1);
  await removal();
  await environment.pass(100_000);
  expect(cloud.disks).toEqual([]);
});

it.each(["before", "after"])("knows nothing of a request %s which the process died, and waits", async (phase) => {
  await create();
  await managers.start();
  const died = new Promise<void>((resolve) => {
    cloud.onCall = (_call, at) => {
      if (at !== phase) return;
      resolve();
      throw new Error("the process dies here");
    };
  });
  await died;
  await managers.stopAll();
  const { uid = "" } = (await environment.client.get(Disk, key)).metadata;
  cloud.onCall = () => undefined;
  environment.clock.schedule(60_000, () => cloud.disks.push(`capstan-uid=${uid}`));
  await environment.client.delete(Disk, key);
  await managers.start();
  await until((disk) => disk === undefined);
  await environment.pass(100_000);
  expect(cloud.disks).toEqual([]);
});

it("takes away a note that is out of date, and does not wait for it", async () => {
  await create({ [openWritesAnnotation]: "2020-01-01T00:00:00Z" });
  await managers.start();
  await until((disk) => isReady(disk) && noteOn(disk) === undefined);
  expect(await removal()).toBeLessThan(20_000);
});

it("forgets a request without an answer in the end", async () => {
  cloud.fate = { kind: "late", ms: 1000, times: 1 };
  await create();
  await managers.start();
  await until(isReady);
  await environment.pass(700_000);
  await until((disk) => noteOn(disk) === undefined);
  expect(await removal()).toBeLessThan(20_000);
  expect(cloud.disks).toEqual([]);
});
