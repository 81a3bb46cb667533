import { MachineResource, SecretResource, conditionOf } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { MemoryCluster, MemoryMachine } from "@capstan/testing/infra-memory";
import { beforeEach, describe, expect, it } from "vitest";
import { createCluster, createMachine } from "./memory-objects.ts";
import { memoryWorld } from "./memory-world.ts";

const secret = "credentials";
const names = ["a", "b", "c"];
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const world = memoryWorld({ cloud: { tokens: ["t0ken"] } });
beforeEach(() => runningFleet());

const ready = (object?: KubeObject) => (object === undefined ? undefined : conditionOf(object, "Ready"));
const isReady = (object?: KubeObject): boolean => ready(object)?.status === "True" && ready(object)?.message === "";
const isUnknown = (object?: KubeObject): boolean => ready(object)?.status === "Unknown";

const all = async (test: (object?: KubeObject) => boolean): Promise<void> => {
  for (const name of names) await world.environment.eventually<KubeObject>(MemoryMachine, world.core.key(name), test);
  await world.environment.eventually<KubeObject>(MemoryCluster, world.core.key(world.core.clusterName), test);
};
const one = (): Promise<KubeObject> => world.environment.client.get<KubeObject>(MemoryMachine, world.core.key("a"));
const writes = (): number => world.managers.writes.made.filter((call) => call.endsWith("MemoryMachine")).length;

const exchange = (token: string): Promise<unknown> =>
  world.environment.client.patch(SecretResource, world.core.key(secret), {
    type: "merge",
    body: { data: { token: base64(token) } },
  });

async function runningFleet(): Promise<void> {
  await world.core.createSecret(secret, { token: base64("t0ken") });
  await createCluster(world.core, { credentialsRef: { name: secret } });
  for (const name of names) {
    await createMachine(world.core, name);
    await world.core.setStatus(MachineResource, name, "status.nodeRef", { name });
  }
  await world.managers.start();
  await all(isReady);
}

describe("credentials that are refused", () => {
  it("leave a fleet ready while the Secret is exchanged, and are told of at once", async () => {
    const before = ready(await one());
    await exchange("mistyped");
    const tells = (object?: KubeObject): boolean =>
      ready(object)?.status === "True" &&
      ready(object)?.message.includes(`Secret ${world.core.namespace}/${secret}`) === true;
    await all(tells);
    expect(ready(await one())).toMatchObject({
      reason: "Ready",
      message: `it was ready when last looked at: the token is not accepted (credentials: Secret ${world.core.namespace}/${secret})`,
      lastTransitionTime: before?.lastTransitionTime,
    });
    const told = writes();
    await world.environment.pass(240_000);
    expect(writes() - told, "nothing new to say").toBe(0);
    await exchange("t0ken");
    await all(isReady);
    expect(ready(await one())).toEqual(before);
    expect(writes() - told).toBe(names.length);
    expect(world.cloud.servers.size).toBe(names.length);
  });

  const lasting: readonly (readonly [string, () => Promise<unknown>, string])[] = [
    ["a wrong token", () => exchange("mistyped"), "Unauthorized"],
    ["an empty key", () => exchange(""), "CredentialsKeyMissing"],
    ["a variable of a template", () => exchange("${TOKEN:=none}"), "CredentialsVariableLeft"],
    [
      "no Secret",
      () => world.environment.removeByForce(SecretResource, world.core.key(secret)),
      "CredentialsSecretMissing",
    ],
  ];
  it.each(lasting)("make what runs unknown after five minutes, and never false: %s", async (_, spoil, reason) => {
    const began = world.environment.clock.now();
    await spoil();
    const statuses = new Set<string | undefined>();
    await all((object) => {
      statuses.add(ready(object)?.status);
      return isUnknown(object);
    });
    expect([...statuses]).not.toContain("False");
    expect(world.environment.clock.now() - began).toBeGreaterThanOrEqual(300_000);
    const machine = await one();
    expect(ready(machine)?.reason).toBe(reason);
    expect(conditionOf(machine, "Provisioned")?.status).toBe("True");
    const told = writes();
    await world.environment.pass(1_800_000);
    expect(writes() - told, "nothing new to say").toBe(0);
    await world.environment.removeByForce(SecretResource, world.core.key(secret));
    await world.core.createSecret(secret, { token: base64("t0ken") });
    await all(isReady);
  });

  it("are said of what is to go, which they keep from leaving", async () => {
    await exchange("mistyped");
    await world.environment.client.delete(MemoryMachine, world.core.key("a"));
    const object = await world.environment.eventually<KubeObject>(
      MemoryMachine,
      world.core.key("a"),
      (machine) => ready(machine)?.reason === "Unauthorized",
    );
    expect(ready(object)?.status).toBe("False");
    await exchange("t0ken");
    await world.environment.eventually(MemoryMachine, world.core.key("a"), (machine) => machine === undefined);
  });
});
