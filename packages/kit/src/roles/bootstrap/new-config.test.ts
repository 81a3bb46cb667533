import { CapstanError, clusterSecretType, Label } from "@capstan/contract";
import type { Environment } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { seededRandom } from "@capstan/testing";
import { expect, it } from "vitest";
import { completesNewConfigs, type SpecAtCreation } from "./new-config.ts";

const secret: KubeObject = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { namespace: "n", name: "c-ca", uid: "u", resourceVersion: "1", labels: { [Label.clusterName]: "c" } },
  type: clusterSecretType,
  data: { "tls.crt": "YQ==" },
};
const object = (kind: string, name: string): KubeObject => ({
  apiVersion: "v1",
  kind,
  metadata: { namespace: "n", name },
  spec: { a: { b: 1 } },
});
const place = { cluster: object("Cluster", "c"), machine: object("Machine", "m") };

const completing = (spec: SpecAtCreation<KubeObject>) => {
  let reads = 0;
  const find = async (): Promise<KubeObject> => {
    reads += 1;
    return secret;
  };
  const environment = { cache: { get: () => secret }, client: { find }, random: seededRandom(1) };
  const complete = completesNewConfigs(spec, environment as unknown as Environment);
  return { complete: () => complete(object("Config", "m"), place), reads: () => reads };
};

it("adds what the author knows, of Secrets that are read once", async () => {
  const { complete, reads } = completing(async (context) => ({
    a: { c: (await context.clusterSecret("ca"))?.["tls.crt"] },
  }));
  for (const _ of [1, 2, 3]) expect((await complete())["spec"]).toEqual({ a: { b: 1, c: "a" } });
  expect(reads()).toBe(1);
});

it("leaves the config as it is where nothing is known, and where that fails", async () => {
  const failure = new CapstanError({ code: "x.y", reason: "X", message: "x" });
  expect(await completing(async () => undefined).complete()).toEqual(object("Config", "m"));
  expect(await completing(() => Promise.reject(failure)).complete()).toEqual(object("Config", "m"));
});
