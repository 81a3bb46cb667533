import { conditionOf, SecretResource } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { MemoryMachine } from "@capstan/testing/infra-memory";
import { beforeEach, expect, it } from "vitest";
import { createCluster, createMachine } from "./memory-objects.ts";
import { memoryWorld } from "./memory-world.ts";

const EventResource = { group: "", version: "v1", kind: "Event", plural: "events", namespaced: true };
const quarterMs = 900_000;

const world = memoryWorld({ cloud: { tokens: ["t0ken"] } });

const until = (test: (ready: ReturnType<typeof conditionOf>) => boolean, maxMs?: number) =>
  world.environment.eventually<KubeObject>(
    MemoryMachine,
    world.core.key("m"),
    (object) => object !== undefined && test(conditionOf(object, "Ready")),
    maxMs,
  );

const warningEvents = async () => {
  const { items } = await world.environment.client.list<KubeObject>(EventResource, { namespace: world.core.namespace });
  return items.flatMap((item) =>
    item["type"] === "Warning" ? [{ reason: item["reason"], count: item["count"] }] : [],
  );
};

beforeEach(async () => {
  await world.core.createSecret("credentials", { token: Buffer.from("t0ken").toString("base64") });
  await createCluster(world.core, { credentialsRef: { name: "credentials" } });
  await createMachine(world.core, "m");
});

it("says once that a bootstrap Secret is missing, and makes the server as soon as it is there", async () => {
  const { core, environment, managers } = world;
  await environment.client.delete(SecretResource, core.key("m"));
  const { warnings } = await managers.start();
  const waiting = await until((ready) => ready?.reason === "BootstrapSecretMissing");
  expect(conditionOf(waiting!, "Ready")?.message).toBe(
    `bootstrap Secret ${core.namespace}/m does not exist; create it: it is used as soon as it is there`,
  );
  await environment.pass(quarterMs);
  expect(warnings.filter((line) => line.includes("bootstrap Secret")).length).toBeLessThanOrEqual(8);
  expect(await warningEvents()).toEqual([{ reason: "BootstrapSecretMissing", count: 1 }]);
  const before = environment.clock.now();
  await core.createBootstrapSecret("m", "#cloud-config\n");
  await until((ready) => ready?.status === "True", 60_000);
  expect(environment.clock.now() - before).toBeLessThan(30_000);
});

it("makes the server as soon as a bootstrap Secret without data has some", async () => {
  const { core, environment, managers } = world;
  const body = (value: string | null) => ({ type: "merge" as const, body: { data: { value } } });
  await environment.client.patch(SecretResource, core.key("m"), body(null));
  const { warnings } = await managers.start();
  await until((ready) => ready?.reason === "BootstrapValueMissing");
  await environment.pass(quarterMs);
  expect(warnings.filter((line) => line.includes("bootstrap Secret")).length).toBeLessThanOrEqual(8);
  await environment.client.patch(
    SecretResource,
    core.key("m"),
    body(Buffer.from("#cloud-config\n").toString("base64")),
  );
  await until((ready) => ready?.status === "True", 60_000);
});
