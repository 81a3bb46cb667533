import { ClusterResource, MachineResource, SecretResource, NamespaceResource } from "@capstan/contract/wire";
import { apiVersionOf, type Resource } from "@capstan/schema";
import { ConformanceEnvironment } from "@capstan/testing/environment";
import { BmcJob, BmcMachine, Hardware } from "@capstan/tinkerbell/api";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TinkerbellMachine } from "../src/api.ts";
import { createMetalProvider } from "../src/index.ts";
import { RackScene } from "./rack-scene.ts";
import { kinds, metadataUrl } from "./subject.ts";
import { type TinkerbellMood, tinkerbellPart } from "./tinkerbell-part.ts";

const mood: TinkerbellMood = {};
const off: string[] = [];
let environment: ConformanceEnvironment;
let stop: () => Promise<void>;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start(kinds);
  const provider = await environment.runManager({ providers: [createMetalProvider({ metadataUrl })] });
  const tinkerbell = await environment.runManager({ providers: [tinkerbellPart(mood, off)] });
  stop = async () => {
    await provider.stop();
    await tinkerbell.stop();
  };
});
afterAll(async () => {
  await stop();
  await environment.stop();
});
beforeEach(() => {
  off.length = 0;
  mood.stuck = false;
  mood.bmcFailure = undefined;
});

const emptied: readonly Resource[] = [
  SecretResource,
  MachineResource,
  ClusterResource,
  ...(kinds as unknown as readonly Resource[]),
];

const contents = async (namespace: string): Promise<readonly string[]> => {
  const lists = await Promise.all(
    emptied.map(async (kind) => {
      const { items } = await environment.client.list(kind, { namespace });
      return items.map(({ metadata }) => `${kind.kind} ${metadata.name}`);
    }),
  );
  return lists.flat();
};

/** As the namespace controller does it: nothing can be created any more, and everything is deleted at once. */
const deleteNamespace = async (namespace: string): Promise<void> => {
  await environment.client.delete(NamespaceResource, { name: namespace });
  for (const kind of emptied) {
    for (const { metadata } of (await environment.client.list(kind, { namespace })).items) {
      await environment.client.delete(kind, { namespace, name: metadata.name ?? "" });
    }
  }
};
const isGone = (namespace: string) => environment.until(async () => (await contents(namespace)).length === 0);
const jobs = async () =>
  (await environment.client.list(BmcJob, {})).items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);

describe("a machine whose namespace is deleted", () => {
  it("is switched off by a Job elsewhere, and the namespace goes", async () => {
    const scene = await RackScene.start(environment, { beside: true });
    await scene.hardware("a");
    await scene.machine("m");
    await scene.ready("m");
    mood.stuck = true;
    await deleteNamespace(scene.rack);
    await scene.says("m", "PoweredOff", "BoardManagementUnreachable");
    expect(await jobs()).toEqual([expect.stringMatching(/^kube-system\/m-[a-z0-9]+-poweroff$/)]);
    mood.stuck = false;
    await isGone(scene.rack);
    expect(off).toEqual([`${scene.rack}/a-bmc`]);
    expect(await jobs()).toEqual([]);
  });

  it("says every way out where board management fails", async () => {
    const scene = await RackScene.start(environment, { beside: true });
    await scene.hardware("a");
    await scene.machine("m");
    await scene.ready("m");
    mood.bmcFailure = "there is no Secret";
    await deleteNamespace(scene.rack);
    const { message } = await scene.says("m", "PoweredOff", "PowerOffFailed");
    expect(message).toContain(`nothing can be created in namespace ${scene.rack}, which is being deleted`);
    expect(message).toContain(`authSecretRef of Machine ${scene.rack}/a-bmc`);
    expect(message).toContain("capstan.dev/skip-power-off=true");
    mood.bmcFailure = undefined;
    await isGone(scene.rack);
    expect(off).toEqual([`${scene.rack}/a-bmc`]);
    expect(await jobs()).toEqual([]);
  });

  it("is switched off by a Job beside it where only the Hardware's namespace goes", async () => {
    const scene = await RackScene.start(environment);
    await scene.hardware("a");
    await scene.machine("m");
    await scene.ready("m");
    await deleteNamespace(scene.rack);
    await environment.eventually(
      Hardware,
      { namespace: scene.rack, name: "a" },
      (hardware) => hardware?.metadata.deletionTimestamp !== undefined,
    );
    mood.stuck = true;
    await scene.remove("m");
    await scene.says("m", "PoweredOff", "BoardManagementUnreachable");
    expect(await jobs()).toEqual([expect.stringMatching(new RegExp(`^${scene.core.namespace}/m-[a-z0-9]+-poweroff$`))]);
    mood.stuck = false;
    await scene.gone("m");
    await isGone(scene.rack);
    expect(off).toEqual([`${scene.rack}/a-bmc`]);
  });
});

describe("what switching a machine off takes", () => {
  /** The Machine of the board management of Hardware `a`, and its Secret. */
  const board = async (scene: RackScene): Promise<void> => {
    const { client } = environment;
    const namespace = scene.rack;
    await client.create(SecretResource, { apiVersion: "v1", kind: "Secret", metadata: { namespace, name: "bmc" } });
    const connection = {
      host: `bmc.${namespace}`,
      port: 443,
      insecureTLS: false,
      authSecretRef: { namespace, name: "bmc" },
    };
    await client.create(BmcMachine, {
      apiVersion: apiVersionOf(BmcMachine),
      kind: "Machine",
      metadata: { namespace, name: "a-bmc" },
      spec: { connection },
    });
  };
  const left = async (scene: RackScene) =>
    (await contents(scene.rack)).filter((each) => ["Secret bmc", "Machine a-bmc", "Hardware a"].includes(each));

  it("stays until it is off, however early it is deleted", async () => {
    const scene = await RackScene.start(environment);
    await board(scene);
    await scene.hardware("a");
    await scene.machine("m");
    await scene.ready("m");
    for (const [kind, name] of [
      [SecretResource, "bmc"],
      [BmcMachine, "a-bmc"],
      [Hardware, "a"],
    ] as const) {
      await environment.client.delete(kind, { namespace: scene.rack, name });
    }
    await environment.pass(5000);
    expect(await left(scene)).toHaveLength(3);
    mood.stuck = true;
    await scene.remove("m");
    await scene.says("m", "PoweredOff", "PoweringOff");
    expect(await left(scene)).toHaveLength(3);
    mood.stuck = false;
    await scene.gone("m");
    await environment.until(async () => (await left(scene)).length === 0);
    expect(off).toEqual([`${scene.rack}/a-bmc`]);
  });

  it("is let go when the machine is gone, and stays for others", async () => {
    const scene = await RackScene.start(environment);
    await board(scene);
    await scene.hardware("a");
    await scene.machine("m");
    await scene.ready("m");
    await scene.remove("m");
    await scene.gone("m");
    const finalizers = async (kind: Resource, name: string) =>
      (await environment.client.get(kind, { namespace: scene.rack, name })).metadata.finalizers ?? [];
    await environment.until(
      async () =>
        [...(await finalizers(SecretResource, "bmc")), ...(await finalizers(BmcMachine, "a-bmc"))].length === 0,
    );
    expect(await left(scene)).toHaveLength(3);
  });

  it("is shut for new machines when it is on its way out", async () => {
    const scene = await RackScene.start(environment);
    await board(scene);
    const body = { metadata: { finalizers: ["example.org/kept"] } };
    const key = { namespace: scene.rack, name: "a-bmc" };
    await environment.client.patch(BmcMachine, key, { type: "merge", body });
    await environment.client.delete(BmcMachine, key);
    await scene.hardware("a");
    await scene.machine("m");
    await environment.eventually(TinkerbellMachine, scene.core.key("m"), (object) =>
      JSON.stringify(object?.status ?? {}).includes("which spec.bmcRef names, is being deleted"),
    );
    await environment.pass(30_000);
    expect(await scene.made()).toEqual([]);
    await environment.client.patch(BmcMachine, key, { type: "merge", body: { metadata: { finalizers: null } } });
    await scene.ready("m");
  });
});

it("a machine with a long name is switched off", async () => {
  const scene = await RackScene.start(environment);
  const name = "m".repeat(63);
  await scene.hardware("a");
  await scene.machine(name);
  await scene.ready(name);
  mood.stuck = true;
  await scene.remove(name);
  await scene.says(name, "PoweredOff", "BoardManagementUnreachable");
  const [job = ""] = await jobs();
  expect(job.split("/")[1]!.length).toBeLessThanOrEqual(63);
  mood.stuck = false;
  await scene.gone(name);
});
