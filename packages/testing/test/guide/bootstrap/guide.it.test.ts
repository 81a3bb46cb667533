import { readFileSync } from "node:fs";
import { conditionOf, MachineResource } from "@capstan/contract/wire";
import { defineProvider } from "@capstan/kit";
import { bootstrapConfig } from "@capstan/kit/bootstrap";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CorePart } from "../../../src/conformance/core-part.ts";
import { ConformanceEnvironment } from "../../../src/conformance/environment.ts";
import { registered } from "./registered.ts";
import { SimpleConfig } from "./simple-config.ts";
import { author } from "./simple-provider.ts";

const text = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([SimpleConfig]);
});
afterAll(() => environment.stop());

it("shows what is here, and nothing that is not run", () => {
  const guide = text("../../../../../docs/guides/write-a-bootstrap-provider.md");
  const blocks = [...guide.matchAll(/```(?:ts|yaml)\n([\s\S]*?)```/g)].map(([, block]) => block);
  const files = [
    "simple-config.ts",
    "documents.ts",
    "simple-provider.ts",
    "registered.ts",
    "conformance.it.test.ts",
    "cluster.yaml",
  ];
  expect(blocks).toEqual(files.map((name) => text(name)));
});

it("strikes machines off the registry when their config goes", async () => {
  const entered = new Set<string>();
  const registry = {
    enter: async (name: string) => void entered.add(name),
    strike: async (name: string) => void entered.delete(name),
  };
  const provider = defineProvider({
    name: "bootstrap-registered",
    kinds: [SimpleConfig],
    register: (host) => host.add(bootstrapConfig(registered(author, registry))),
  });
  const core = new CorePart(environment.client, await environment.namespace());
  await core.createCluster({ controlPlaneEndpoint: { host: "192.0.2.10", port: 6443 } });
  await core.infrastructureProvisioned();
  const machine = await core.createMachine("m", { bootstrap: { dataSecretName: "" } }, { controlPlane: true });
  const running = await environment.runManager({ providers: [provider], namespace: core.namespace });
  const owner = { kind: MachineResource, object: machine, controller: true };
  const { metadata } = await core.createOwned(SimpleConfig, "m", {}, owner);
  await environment.eventually<SimpleConfig>(
    SimpleConfig,
    core.key("m"),
    (object) => object !== undefined && conditionOf(object, "Ready")?.status === "True",
  );
  expect([...entered]).toEqual([metadata.uid]);
  await environment.client.delete(SimpleConfig, core.key("m"));
  await environment.eventually(SimpleConfig, core.key("m"), (object) => object === undefined);
  expect(entered.size).toBe(0);
  await running.stop();
});
