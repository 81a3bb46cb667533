import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiServer, customResources } from "@capstan/apiserver";
import type { ProviderV1 } from "@capstan/contract/v1";
import { conditionOf } from "@capstan/contract/wire";
import { connect, createClient, loadKubeconfig } from "@capstan/kube";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CallGate } from "../src/conformance/call-gate.ts";
import { ConformanceEnvironment } from "../src/conformance/environment.ts";
import { ConfigMap, Greeting, greetingController } from "./guide/greeting-controller.ts";
import { runGreetings } from "./guide/run-greetings.ts";

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

const hello = (namespace: string): Greeting => ({
  apiVersion: "example.dev/v1",
  kind: "Greeting",
  metadata: { namespace, name: "hello" },
  spec: { text: "Hello" },
});

it("makes the ConfigMap, keeps it as the spec says, and rests", async () => {
  const namespace = await environment.namespace();
  const key = { namespace, name: "hello" };
  const gate = new CallGate();
  const running = await environment.runManager({ providers: [provider], namespace, gate });
  await environment.client.create(Greeting, hello(namespace));
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

it("runs as a program of its own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "greetings-"));
  const server = createApiServer({ clock: systemClock, random: cryptoRandom, extensions: [customResources()] });
  await server.start();
  const text = await server.adminKubeconfig();
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, text);
  const end = new AbortController();
  const run = runGreetings(kubeconfig, end.signal);
  run.catch(() => undefined);
  const connection = connect({ access: await loadKubeconfig({ text }), clock: systemClock });
  const client = createClient(connection);
  const create = () => client.create(Greeting, hello("default"));
  await expect
    .poll(() =>
      create().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await expect
    .poll(() => client.find(ConfigMap, { namespace: "default", name: "hello" }))
    .toMatchObject({
      data: { text: "Hello" },
    });
  end.abort();
  await run;
  await connection.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});
