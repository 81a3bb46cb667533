import { CapstanError } from "@capstan/contract";
import { conditionOf } from "@capstan/contract/wire";
import { defineProvider } from "@capstan/kit";
import { managedObject, observations } from "@capstan/kit/engine";
import { apiVersionOf } from "@capstan/schema";
import { ConformanceEnvironment, SceneManagers } from "@capstan/testing/environment";
import { afterAll, afterEach, beforeAll, it } from "vitest";
import { Volume } from "./volume.ts";

const { absent, pending, present } = observations();
const readOnly = new CapstanError({
  code: "acme.forbidden",
  reason: "ReadOnly",
  message: "the token may only read; give it the right to write",
  retry: { kind: "never" },
});

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([Volume]);
});
afterAll(() => environment.stop());

let managers: SceneManagers | undefined;
afterEach(() => managers?.stopAll());

/** A volume that is made, and whose labels and size are set anew with a token that may. */
const made = async (sees: "labels" | "size") => {
  const cloud = { made: false, mayWrite: true, right: true };
  const write = async (): Promise<void> => {
    if (!cloud.mayWrite) throw readOnly;
    cloud.made = true;
    cloud.right = true;
  };
  const author = managedObject<Volume>({
    kind: Volume,
    noun: "the volume",
    making: [],
    observe: async () => {
      if (!cloud.made) return absent();
      if (cloud.right) return present({ pollMs: 10_000 });
      return sees === "labels" ? present({ step: "mend" }) : pending({ reason: "TooSmall", step: "mend" });
    },
    create: write,
    steps: { mend: write },
    remove: async () => undefined,
  });
  const provider = () => defineProvider({ name: "infra-acme", kinds: [Volume], register: (host) => host.add(author) });
  const namespace = await environment.namespace();
  managers = new SceneManagers(environment, { provider }, namespace);
  const key = { namespace, name: "v" };
  await managers.start();
  await environment.client.create(Volume, {
    apiVersion: apiVersionOf(Volume),
    kind: Volume.kind,
    metadata: key,
    spec: { size: 1 },
  });
  const says = (status: string, message: string): Promise<unknown> =>
    environment.eventually<Volume>(Volume, key, (volume) => {
      const ready = volume && conditionOf(volume, "Ready");
      return ready?.status === status && ready.message === message;
    });
  await says("True", "");
  return { cloud, says };
};

it("a volume that is there stays ready when its labels may not be set, and says so", async () => {
  const { cloud, says } = await made("labels");
  Object.assign(cloud, { mayWrite: false, right: false });
  await says("True", `it is ready, but not as wished: ${readOnly.message}`);
  cloud.mayWrite = true;
  await says("True", "");
});

it("a volume that is not as it should be is not ready when nobody may mend it", async () => {
  const { cloud, says } = await made("size");
  Object.assign(cloud, { mayWrite: false, right: false });
  await says("False", readOnly.message);
  cloud.mayWrite = true;
  await says("True", "");
});
