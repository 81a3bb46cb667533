import { SecretResource } from "@capstan/contract/wire";
import { apiVersionOf, type Resource } from "@capstan/schema";
import { ConformanceEnvironment, type RunningManager } from "@capstan/testing/environment";
import { BmcJob, BmcMachine, Template, Workflow } from "@capstan/tinkerbell/api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMetalProvider } from "../src/index.ts";
import { RackScene } from "./rack-scene.ts";
import { kinds, metadataUrl } from "./subject.ts";
import { tinkerbellPart } from "./tinkerbell-part.ts";

const off: string[] = [];
let environment: ConformanceEnvironment;
let running: RunningManager;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start(kinds);
  const providers = [createMetalProvider({ metadataUrl }), tinkerbellPart({}, off)];
  running = await environment.runManager({ providers });
});
afterAll(async () => {
  await running.stop();
  await environment.stop();
});

/** What says that it was made for a machine, in a namespace where that has nothing. */
const forge = async (scene: RackScene, namespace: string, kind: Resource, spec: object): Promise<void> => {
  const labels = {
    "capt.tinkerbell.org/machine-name": "m",
    "capt.tinkerbell.org/machine-namespace": scene.core.namespace,
  };
  const metadata = { namespace, name: "m-power-off", labels, finalizers: ["example.dev/kept"] };
  await environment.client.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec });
};

it("what is labelled with a machine elsewhere neither keeps the machine nor says that it is off", async () => {
  const scene = await RackScene.start(environment);
  const elsewhere = await environment.namespace();
  await scene.hardware("a");
  await scene.machine("m");
  await scene.ready("m");
  off.length = 0;
  await forge(scene, elsewhere, Template, { data: "" });
  await forge(scene, elsewhere, Workflow, { templateRef: "none" });
  await forge(scene, elsewhere, BmcJob, {
    machineRef: { namespace: elsewhere, name: "own" },
    tasks: [{ powerAction: "off" }],
  });
  await environment.until(() => off.includes(`${elsewhere}/own`));
  await scene.remove("m");
  await scene.gone("m");
  expect(off).toContain(`${scene.rack}/a-bmc`);
  for (const kind of [Template, Workflow, BmcJob] as readonly Resource[]) {
    const { metadata } = await environment.client.get(kind, { namespace: elsewhere, name: "m-power-off" });
    expect(metadata.deletionTimestamp).toBeUndefined();
  }
});

it("a Secret of another namespace is not kept for board management that no admission has seen", async () => {
  const scene = await RackScene.start(environment);
  const theirs = await environment.namespace();
  for (const namespace of [theirs, scene.rack]) {
    const metadata = { namespace, name: "bmc" };
    await environment.client.create(SecretResource, { apiVersion: "v1", kind: "Secret", metadata });
  }
  const secretRef = (namespace: string) => ({ namespace, name: "bmc" });
  await environment.client.create(BmcMachine, {
    apiVersion: apiVersionOf(BmcMachine),
    kind: "Machine",
    metadata: { namespace: scene.rack, name: "a-bmc" },
    spec: {
      connection: {
        host: "10.0.0.1",
        port: 443,
        insecureTLS: false,
        authSecretRef: secretRef(theirs),
        providerOptions: {
          rpc: { consumerURL: "https://10.0.0.1", hmac: { secrets: { sha256: [secretRef(scene.rack)] } } },
        },
      },
    },
  });
  await scene.hardware("a");
  await scene.machine("m");
  await scene.ready("m");
  const finalizersIn = async (namespace: string) =>
    (await environment.client.get(SecretResource, { namespace, name: "bmc" })).metadata.finalizers ?? [];
  expect(await finalizersIn(theirs)).toEqual([]);
  expect(await finalizersIn(scene.rack)).toEqual([expect.stringContaining("held-by-tinkerbellmachine")]);
});
