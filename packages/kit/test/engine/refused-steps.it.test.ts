import { CapstanError } from "@capstan/contract";
import { conditionOf } from "@capstan/contract/wire";
import { defineProvider } from "@capstan/kit";
import { managedObject, observations } from "@capstan/kit/engine";
import { apiVersionOf } from "@capstan/schema";
import { ConformanceEnvironment, SceneManagers } from "@capstan/testing/environment";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
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

/** A volume that is made, and whose labels and size are set again with a token that may. */
const made = async (sees: "labels" | "size") => {
  const cloud: {
    made: boolean;
    right: boolean;
    /** What every write ends with. */
    refusal: CapstanError | undefined;
    writes: number;
  } = { made: false, right: true, refusal: undefined, writes: 0 };
  const write = async (): Promise<void> => {
    cloud.writes += 1;
    if (cloud.refusal !== undefined) throw cloud.refusal;
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
  const patch = (body: Readonly<Record<string, unknown>>) =>
    environment.client.patch(Volume, key, { type: "merge", body });
  return { cloud, patch, says };
};

it("a volume that is there stays ready when its labels may not be set, and says so", async () => {
  const { cloud, says } = await made("labels");
  Object.assign(cloud, { refusal: readOnly, right: false });
  await says("True", `it is ready, but differs from the spec: ${readOnly.message}`);
  cloud.refusal = undefined;
  await says("True", "");
});

const tooBig = new CapstanError({
  code: "acme.too_big",
  reason: "TooBig",
  message: "the volume is too big; make spec.size smaller",
  retry: { kind: "after", ms: 300_000, unlessChanged: true },
});

it("a volume that is there says what of its spec is refused", async () => {
  const { cloud, patch, says } = await made("labels");
  Object.assign(cloud, { refusal: tooBig, right: false });
  await says("True", `it is ready, but differs from the spec: ${tooBig.message}`);
  cloud.refusal = undefined;
  await patch({ spec: { size: 2 } });
  await says("True", "");
});

it("a volume that nobody may mend for now is mended at once when its spec changes", async () => {
  const { cloud, patch, says } = await made("size");
  Object.assign(cloud, { refusal: tooBig, right: false });
  await says("False", tooBig.message);
  cloud.refusal = undefined;
  const { writes } = cloud;
  const began = environment.clock.now();
  await patch({ spec: { size: 2 } });
  await says("True", "");
  expect(cloud.writes).toBe(writes + 1);
  expect(environment.clock.now() - began).toBeLessThan(250_000);
});

it("a volume that is not as it should be is not ready when nobody may mend it", async () => {
  const { cloud, says } = await made("size");
  Object.assign(cloud, { refusal: readOnly, right: false });
  await says("False", readOnly.message);
  cloud.refusal = undefined;
  await says("True", "");
});
