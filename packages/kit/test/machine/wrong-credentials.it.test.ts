import { SecretResource, conditionOf } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { ConformanceEnvironment, CorePart, SceneManagers } from "@capstan/testing/environment";
import { MemoryCloud, MemoryCluster, MemoryMachine, createMemoryProvider } from "@capstan/testing/infra-memory";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createCluster, createMachine } from "./memory-objects.ts";

const secret = "credentials";
const names = ["a", "b", "c"];
const base64 = (text: string): string => Buffer.from(text).toString("base64");

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([MemoryCluster, MemoryMachine]);
});
afterAll(() => environment.stop());

let core: CorePart;
let cloud: MemoryCloud;
let managers: SceneManagers;
beforeEach(async () => {
  core = new CorePart(environment.client, await environment.namespace());
  cloud = new MemoryCloud({ clock: environment.clock, bootMs: 2000, tokens: ["t0ken"] });
  managers = new SceneManagers(environment, { provider: () => createMemoryProvider(cloud) }, core.namespace);
  await runningFleet();
});
afterEach(() => managers.stopAll());

const ready = (object?: KubeObject) => (object === undefined ? undefined : conditionOf(object, "Ready"));
const isReady = (object?: KubeObject): boolean => ready(object)?.status === "True" && ready(object)?.message === "";
const isUnknown = (object?: KubeObject): boolean => ready(object)?.status === "Unknown";

const all = async (test: (object?: KubeObject) => boolean): Promise<void> => {
  for (const name of names) await environment.eventually<KubeObject>(MemoryMachine, core.key(name), test);
  await environment.eventually<KubeObject>(MemoryCluster, core.key(core.clusterName), test);
};
const one = (): Promise<KubeObject> => environment.client.get<KubeObject>(MemoryMachine, core.key("a"));
const writes = (): number => managers.writes.made.filter((call) => call.endsWith("MemoryMachine")).length;

const exchange = (token: string): Promise<unknown> =>
  environment.client.patch(SecretResource, core.key(secret), {
    type: "merge",
    body: { data: { token: base64(token) } },
  });

async function runningFleet(): Promise<void> {
  await core.createSecret(secret, { token: base64("t0ken") });
  await createCluster(core, { credentialsRef: { name: secret } });
  for (const name of names) await createMachine(core, name);
  await managers.start();
  await all(isReady);
}

describe("credentials that are refused", () => {
  it("leave a fleet ready while the Secret is exchanged, and are told of at once", async () => {
    const before = ready(await one());
    await exchange("mistyped");
    const tells = (object?: KubeObject): boolean =>
      ready(object)?.status === "True" &&
      ready(object)?.message.includes(`Secret ${core.namespace}/${secret}`) === true;
    await all(tells);
    expect(ready(await one())).toMatchObject({
      reason: "Ready",
      message: `it was ready when last looked at: the token is not accepted (credentials: Secret ${core.namespace}/${secret})`,
      lastTransitionTime: before?.lastTransitionTime,
    });
    const told = writes();
    await environment.pass(240_000);
    expect(writes() - told, "nothing new to say").toBe(0);
    await exchange("t0ken");
    await all(isReady);
    expect(ready(await one())).toEqual(before);
    expect(writes() - told).toBe(names.length);
    expect(cloud.servers.size).toBe(names.length);
  });

  const lasting: readonly (readonly [string, () => Promise<unknown>, string])[] = [
    ["a wrong token", () => exchange("mistyped"), "Unauthorized"],
    ["an empty key", () => exchange(""), "CredentialsKeyMissing"],
    ["no Secret", () => environment.removeByForce(SecretResource, core.key(secret)), "CredentialsSecretMissing"],
  ];
  it.each(lasting)("make what runs unknown after five minutes, and never false: %s", async (_, spoil, reason) => {
    const began = environment.clock.now();
    await spoil();
    const statuses = new Set<string | undefined>();
    await all((object) => {
      statuses.add(ready(object)?.status);
      return isUnknown(object);
    });
    expect([...statuses]).not.toContain("False");
    expect(environment.clock.now() - began).toBeGreaterThanOrEqual(300_000);
    const machine = await one();
    expect(ready(machine)?.reason).toBe(reason);
    expect(conditionOf(machine, "Provisioned")?.status).toBe("True");
    const told = writes();
    await environment.pass(1_800_000);
    expect(writes() - told, "nothing new to say").toBe(0);
    await environment.removeByForce(SecretResource, core.key(secret));
    await core.createSecret(secret, { token: base64("t0ken") });
    await all(isReady);
  });

  it("are said of what is to go, which they keep from leaving", async () => {
    await exchange("mistyped");
    await environment.client.delete(MemoryMachine, core.key("a"));
    const object = await environment.eventually<KubeObject>(
      MemoryMachine,
      core.key("a"),
      (machine) => ready(machine)?.reason === "Unauthorized",
    );
    expect(ready(object)?.status).toBe("False");
    await exchange("t0ken");
    await environment.eventually(MemoryMachine, core.key("a"), (machine) => machine === undefined);
  });
});
