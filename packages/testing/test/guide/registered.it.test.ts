import { conditionOf, MachineResource } from "@capstan/contract/wire";
import { defineProvider } from "@capstan/kit";
import { type BootstrapAuthor, bootstrapConfig, ready } from "@capstan/kit/bootstrap";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CorePart } from "../../src/conformance/core-part.ts";
import { ConformanceEnvironment } from "../../src/conformance/environment.ts";
import { PlainConfig } from "../../src/plain-control-plane.ts";
import { registered } from "./registered.ts";

const author: BootstrapAuthor<PlainConfig> = {
  kind: PlainConfig,
  generate: async () => ready({ value: "#cloud-config\n", format: "cloud-config" }),
};

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([PlainConfig]);
});
afterAll(() => environment.stop());

it("strikes machines off the registry when their config goes", async () => {
  const entered = new Set<string>();
  const registry = {
    enter: async (name: string) => void entered.add(name),
    strike: async (name: string) => void entered.delete(name),
  };
  const provider = defineProvider({
    name: "bootstrap-registered",
    kinds: [PlainConfig],
    register: (host) => host.add(bootstrapConfig(registered(author, registry))),
  });
  const core = new CorePart(environment.client, await environment.namespace());
  await core.createCluster({ controlPlaneEndpoint: { host: "192.0.2.10", port: 6443 } });
  await core.infrastructureProvisioned();
  const machine = await core.createMachine("m", { bootstrap: { dataSecretName: "" } }, { controlPlane: true });
  const running = await environment.runManager({ providers: [provider], namespace: core.namespace });
  const owner = { kind: MachineResource, object: machine, controller: true };
  const { metadata } = await core.createOwned(PlainConfig, "m", { role: "init" }, owner);
  await environment.eventually<PlainConfig>(
    PlainConfig,
    core.key("m"),
    (object) => object !== undefined && conditionOf(object, "Ready")?.status === "True",
  );
  expect([...entered]).toEqual([metadata.uid]);
  await environment.client.delete(PlainConfig, core.key("m"));
  await environment.eventually(PlainConfig, core.key("m"), (object) => object === undefined);
  expect(entered.size).toBe(0);
  await running.stop();
});
