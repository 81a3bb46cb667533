import { join } from "node:path";
import { createApiServer } from "@capstan/apiserver";
import { ConfigMapResource } from "@capstan/contract/wire";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { resource } from "@capstan/schema";
import { expect, it } from "vitest";
import { createProviders } from "../src/modules/providers.ts";
import { createManagedWorld, nothingOutside } from "./managed-world.ts";
import { startTestSystem } from "./test-system.ts";

const provider = join(import.meta.dirname, "../../../packages/testing/test/guide/greeting-provider.ts");
const Greeting = resource({ group: "example.dev", version: "v1", kind: "Greeting", plural: "greetings" });
const key = { namespace: "default", name: "hello" };
const hello = { apiVersion: "example.dev/v1", kind: "Greeting", metadata: key, spec: { text: "Hello" } };

it("capstan up runs the guide's controller", async () => {
  await using system = await startTestSystem(JSON.stringify(hello), { providers: ["core", provider] });
  const { client } = system.running;
  await system.until(async () => (await client.find(ConfigMapResource, key)) !== undefined);
});

it("capstan manager runs it under a role of no more than it says it does", async () => {
  const server = createApiServer({ clock: systemClock, random: cryptoRandom });
  await server.start();
  await using world = await createManagedWorld({
    clock: systemClock,
    random: cryptoRandom,
    pass: (work) => work,
    server,
  });
  await world.install({ providers: await createProviders(["core", provider], nothingOutside) });
  const access = await world.accessOf("capstan-greetings");
  const started = await world.start({ providers: [provider] }, { access });
  await started.manager.ready();
  await world.admin.create(Greeting, hello);
  await expect
    .poll(() => world.admin.find(Greeting, key))
    .toMatchObject({ status: { conditions: [{ status: "True" }] } });
  expect(await world.admin.find(ConfigMapResource, key)).toMatchObject({ data: { text: "Hello" } });
  expect(world.failures).toEqual([]);
});
