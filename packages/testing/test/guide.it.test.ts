import { readFileSync } from "node:fs";
import type { ProviderV1 } from "@capstan/contract/v1";
import { conditionOf } from "@capstan/contract/wire";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CallGate } from "../src/conformance/call-gate.ts";
import { ConformanceEnvironment } from "../src/conformance/environment.ts";
import { ConfigMap, Greeting, greetingController } from "./guide/greeting-controller.ts";

const text = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([Greeting]);
});
afterAll(() => environment.stop());

const provider: ProviderV1 = {
  contract: "v1",
  name: "greeting",
  kinds: [Greeting],
  register: (host) => host.add(greetingController),
};

it("is the controller that the guide shows", () => {
  const [, shown] = /```ts\n([\s\S]*?)```/.exec(text("../../../docs/guides/writing-a-controller.md")) ?? [];
  expect(shown).toBe(text("./guide/greeting-controller.ts"));
});

it("makes the ConfigMap, keeps it as the spec says, and rests", async () => {
  const namespace = await environment.namespace();
  const key = { namespace, name: "hello" };
  const gate = new CallGate();
  const running = await environment.runManager({ providers: [provider], namespace, gate });
  await environment.client.create(Greeting, {
    apiVersion: "example.dev/v1",
    kind: "Greeting",
    metadata: key,
    spec: { text: "Hello" },
  });
  await environment.eventually(
    Greeting,
    key,
    (object) => object !== undefined && conditionOf(object, "Ready")?.status === "True",
  );
  expect(await environment.client.get(ConfigMap, key)).toMatchObject({ data: { text: "Hello" } });
  const textIs = (wanted: string) =>
    environment.eventually(
      ConfigMap,
      key,
      (object) => (object?.["data"] as { text?: string } | undefined)?.text === wanted,
    );
  await environment.client.patch(ConfigMap, key, { type: "merge", body: { data: { text: "Bye" } } });
  await textIs("Hello");
  await environment.client.patch(Greeting, key, { type: "merge", body: { spec: { text: "Good day" } } });
  await textIs("Good day");
  await environment.client.delete(ConfigMap, key);
  await textIs("Good day");
  await environment.pass(10_000);
  const settled = gate.passed.length;
  await environment.pass(600_000);
  expect(gate.passed).toHaveLength(settled);
  await running.stop();
});
