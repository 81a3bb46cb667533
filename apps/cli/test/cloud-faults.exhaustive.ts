import { ClusterResource, MachineResource, SecretResource } from "@capstan/contract/wire";
import { LinodeCluster, LinodeMachine } from "@capstan/infra-linode/api";
import type { Fault, Faults } from "@capstan/sim-linode";
import { apiVersionOf, type KubeObject, type Resource } from "@capstan/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aloneExample } from "./alone.ts";
import { startTestSystem, type TestSystem, type WantedCondition } from "./test-system.ts";

const credentialsName = "orchid-credentials";
const objectStoreName = "orchid-object-store";
const withoutSecrets = aloneExample()
  .split("\n---\n")
  .filter((document) => ![credentialsName, objectStoreName].some((name) => document.includes(`\n  name: ${name}\n`)))
  .join("\n---\n");

/** Lists that the API gives to everybody: admission looks names up there, without a token. */
const publicLists = ["regions", "linode/types"];

/** Nothing listens there. */
const deadUrl = "http://127.0.0.1:9";
const wrongToken = "wrong-token-4711";
const wrongSecretKey = "wrong-secret-key-4711";
const storeKey = { access: "SIMULATEDACCESSKEY00", secret: "simulated-secret-key-of-the-object-store" };

const controlPlane = "orchid-control-plane-0";
const createInstance = { method: "POST", path: "linode/instances" };

let system: TestSystem;

const putSecret = async (name: string, stringData: Readonly<Record<string, string>>): Promise<void> => {
  const { client } = system.running;
  const metadata = { namespace: "default", name };
  if ((await client.find(SecretResource, metadata)) === undefined) {
    await client.create(SecretResource, { apiVersion: "v1", kind: "Secret", metadata, stringData });
  } else await client.patch(SecretResource, metadata, { type: "merge", body: { stringData } });
};

type Request = Pick<Fault, "method" | "path">;

/** Every such request is refused. */
const refused = (status: number, request: Request = {}, headers: Readonly<Record<string, string>> = {}): Fault => ({
  ...request,
  times: Number.POSITIVE_INFINITY,
  action: { kind: "status", status, headers },
});

/** One request has its effect, but the client does not hear of it. */
const answerLost = (request: Request): Fault => ({ ...request, action: { kind: "lost-answer" } });

/** From now on exactly these requests fail. */
const replace = (faults: Faults, ...wanted: readonly Fault[]): void => {
  faults.clear();
  for (const fault of wanted) faults.add(fault);
};

const clusterReady = (wanted: Partial<WantedCondition>) =>
  system.condition(LinodeCluster, "orchid", { type: "Ready", ...wanted });

const listOf = async (path: string): Promise<readonly KubeObject[]> =>
  (await system.running.client.request<{ readonly items: readonly KubeObject[] }>({ method: "GET", path })).items;

const pathOf = (kind: Resource): string => `/apis/${apiVersionOf(kind)}/${kind.plural}`;

/** Names of the LinodeMachines. */
const machines = async (): Promise<readonly string[]> =>
  (await listOf(pathOf(LinodeMachine))).map(({ metadata }) => metadata.name ?? "").toSorted();

const workers = async (): Promise<readonly string[]> => (await machines()).filter((name) => name !== controlPlane);

describe("one cluster that meets the faults of a cloud one after the other", () => {
  beforeAll(async () => {
    system = await startTestSystem(withoutSecrets);
  });
  afterAll(() => system[Symbol.asyncDispose]());

  it.each([
    { what: "no credentials", secret: undefined, reason: "CredentialsSecretMissing", words: ["create it"] },
    {
      what: "credentials without a token",
      secret: { LINODE_URL: deadUrl },
      reason: "CredentialsKeyMissing",
      words: ['"apiToken"', "add it"],
    },
  ])("$what: named where the user looks, and nothing is sent that needs them", async ({ secret, reason, words }) => {
    if (secret !== undefined) await putSecret(credentialsName, secret);
    const { message } = await clusterReady({ reason });
    for (const word of [`Secret default/${credentialsName}`, ...words]) expect(message).toContain(word);
    await system.condition(ClusterResource, "orchid", { type: "InfrastructureReady", status: "False", message });
    expect(system.simulator.requests.log.filter(({ path }) => !publicLists.includes(path))).toEqual([]);
  });

  it("nobody at the API's address", async () => {
    await putSecret(credentialsName, { apiToken: wrongToken });
    const { message } = await clusterReady({ reason: "LinodeUnavailable" });
    for (const word of ["ECONNREFUSED", "127.0.0.1:9", "LINODE_URL"]) expect(message).toContain(word);
  });

  it("a token that the API does not know", async () => {
    await putSecret(credentialsName, { LINODE_URL: system.simulator.url });
    const { message } = await clusterReady({ reason: "LinodeUnauthorized" });
    for (const word of ["apiToken", `Secret default/${credentialsName}`]) expect(message).toContain(word);
    await system.until(async () =>
      (await listOf("/api/v1/events")).some((event) => event["type"] === "Warning" && event["message"] === message),
    );
  });

  it("a token that may not do this", async () => {
    replace(system.simulator.faults, refused(403));
    await putSecret(credentialsName, { apiToken: system.simulator.token });
    const { message } = await clusterReady({ reason: "LinodeForbidden" });
    for (const word of ["scopes", `Secret default/${credentialsName}`]) expect(message).toContain(word);
  });

  it.each([503, 500])("answers of %i", async (status) => {
    replace(system.simulator.faults, refused(status));
    // What only a user can fix is looked at every five minutes.
    if (status === 503) await system.pass(300_000);
    await clusterReady({ reason: "LinodeUnavailable", message: `[${status}]` });
  });

  it("lost answers to the creation of the NodeBalancer and its port: there is one of each", async () => {
    const { faults, state } = system.simulator;
    const held = refused(429, createInstance, { "retry-after": "30" });
    const ports = { method: "POST", path: "nodebalancers/*/configs" };
    replace(faults, answerLost({ method: "POST", path: "nodebalancers" }), answerLost(ports), held);
    await clusterReady({ status: "True" });
    expect(faults.pending()).toEqual([held]);
    expect(state.nodeBalancers).toMatchObject([{ label: "orchid", configs: [{ port: 6443 }] }]);
  });

  it("the limit of creations: asked again when the API said, not before", async () => {
    const wanted = { type: "Ready", reason: "LinodeRateLimited" };
    const { message } = await system.condition(LinodeMachine, controlPlane, wanted);
    expect(message).toContain(controlPlane);
    const sent = () => system.simulator.requests.count("POST linode/instances");
    const before = sent();
    await system.pass(25_000);
    expect(sent()).toBe(before);
    await system.until(() => sent() > before);
  });

  it("a lost answer to the creation of an instance: there is one", async () => {
    const { faults, state } = system.simulator;
    replace(faults, answerLost(createInstance));
    await system.condition(MachineResource, controlPlane, { type: "NodeHealthy", status: "True" });
    expect(faults.pending()).toEqual([]);
    expect(state.instances).toMatchObject([{ label: controlPlane }]);
  });

  it.each([
    { what: "no Secret", secret: undefined, words: ["does not exist", "create it"] },
    {
      what: "no bucket in its Secret",
      secret: { endpoint: deadUrl, access: storeKey.access, secret: wrongSecretKey },
      words: ['"bucket"', "correct the Secret"],
    },
    { what: "nobody at its address", secret: { bucket: "nowhere" }, words: ["ECONNREFUSED", "endpoint"] },
    { what: "a wrong secret key", secret: "endpoint", words: ["SignatureDoesNotMatch", "secret key"] },
    { what: "no such bucket", secret: { secret: storeKey.secret }, words: ["create the bucket", "nowhere"] },
  ] as const)("an object store with $what: the workers say so and are not created", async ({ secret, words }) => {
    if (secret !== undefined) {
      const here = { endpoint: system.simulator.objectStorage.url };
      await putSecret(objectStoreName, secret === "endpoint" ? here : secret);
    }
    expect(await workers()).toHaveLength(3);
    for (const name of await workers()) {
      const wanted = { type: "Ready", reason: "ObjectStoreFailed", message: words[0] };
      const { message } = await system.condition(LinodeMachine, name, wanted);
      for (const part of [`Secret default/${objectStoreName}`, ...words]) expect(message).toContain(part);
      await system.condition(MachineResource, name, { type: "InfrastructureReady", status: "False", message });
    }
    expect(system.simulator.state.instances).toHaveLength(1);
  });

  it("with everything mended every Machine runs at once, whatever is lost on the way", async () => {
    const { faults, objectStorage, state } = system.simulator;
    await system.pass(900_000);
    replace(
      faults,
      { ...answerLost(createInstance), nth: 2 },
      { path: createInstance.path, times: 3, action: { kind: "reset" } },
    );
    replace(objectStorage.faults, answerLost({ method: "PUT" }), refused(503, { method: "DELETE" }));
    const mendedAt = system.clock.now();
    await putSecret(objectStoreName, { bucket: "capstan-bootstrap" });
    await system.untilRunning();
    expect(system.clock.now() - mendedAt).toBeLessThan(300_000);
    expect(faults.pending()).toEqual([]);
    expect(state.instances.map(({ label }) => label).toSorted()).toEqual(await machines());
    expect(state.instances).toHaveLength(4);
    expect(state.nodeBalancers).toHaveLength(1);
  });

  it("bootstrap data that could not be deleted is deleted later", async () => {
    const { objectStorage, state } = system.simulator;
    const stored = () => Object.values(state.objects).flat().length;
    await system.until(async () =>
      (await listOf("/api/v1/events")).some((event) => event["reason"] === "BootstrapDataDeleteFailed"),
    );
    expect(stored()).toBe(3);
    replace(objectStorage.faults);
    await system.pass(600_000);
    await system.until(() => stored() === 0);
  });

  it("a token that is revoked later: everything says so, nothing is touched, and all is well with a new one", async () => {
    const { state } = system.simulator;
    const before = JSON.stringify([state.instances, state.nodeBalancers]);
    await putSecret(credentialsName, { apiToken: wrongToken });
    const told = { status: "True", message: "it was ready when last looked at" } as const;
    await clusterReady({ ...told, message: "Invalid Token" });
    for (const name of await machines()) await system.condition(LinodeMachine, name, { type: "Ready", ...told });
    await system.pass(600_000);
    await clusterReady({ status: "Unknown", reason: "LinodeUnauthorized" });
    for (const name of await machines()) {
      await system.condition(LinodeMachine, name, { type: "Ready", status: "Unknown", reason: "LinodeUnauthorized" });
    }
    await putSecret(credentialsName, { apiToken: system.simulator.token });
    await clusterReady({ status: "True" });
    for (const name of await machines()) await system.condition(LinodeMachine, name, { type: "Ready", status: "True" });
    expect(JSON.stringify([state.instances, state.nodeBalancers])).toBe(before);
  });

  it("nothing was asked that the APIs do not know, and nothing secret was said to anybody", async () => {
    const { objectStorage, requests, token } = system.simulator;
    expect([...requests.violations, ...objectStorage.requests.violations]).toEqual([]);
    const kinds = [ClusterResource, MachineResource, LinodeCluster, LinodeMachine].map(pathOf);
    const objects = (await Promise.all([...kinds, "/api/v1/events"].map(listOf))).flat();
    const said = [...system.said, ...objects.map((object) => JSON.stringify(object))];
    expect(said.length).toBeGreaterThan(100);
    for (const secret of [token, wrongToken, storeKey.secret, wrongSecretKey, "X-Amz-Signature", "PRIVATE KEY"]) {
      expect(said.filter((line) => line.includes(secret))).toEqual([]);
    }
  });
});
