import { CapstanError } from "@capstan/contract";
import { conditionOf, SecretResource } from "@capstan/contract/wire";
import { holdNamesOf, holdsAnnotation } from "@capstan/kit/engine";
import { hasFinalizer } from "@capstan/kube-values";
import { apiVersionOf, type KubeObject, type Resource } from "@capstan/schema";
import { CallGate, ConformanceEnvironment, SceneManagers } from "@capstan/testing/environment";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testHoldCrashes } from "./hold-crashes.ts";
import { Account, Bench, createLabProvider, Experiment, Task } from "./lab.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([Account, Bench, Experiment, Task]);
});
afterAll(() => environment.stop());

const EventResource = { group: "", version: "v1", kind: "Event", plural: "events", namespaced: true };
const finalizer = holdNamesOf(Experiment).of({ name: "" });
const needed = [
  [Account, "rich"],
  [SecretResource, "token"],
] as const;

let namespace: string;
let managers: SceneManagers;
beforeEach(async () => {
  namespace = await environment.namespace();
  const log = { opened: [], asked: [] };
  managers = new SceneManagers(environment, { provider: () => createLabProvider(log) }, namespace);
});
afterEach(() => managers.stopAll());

const key = (name: string) => ({ namespace, name });

const create = (kind: Resource, name: string, rest: object = {}): Promise<KubeObject> =>
  environment.client.create(kind, {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: key(name),
    ...rest,
  });

const money = async (): Promise<void> => {
  await create(Account, "rich", { spec: { credit: true, secret: "token" } });
  await create(SecretResource, "token", { data: { token: Buffer.from("t0ken").toString("base64") } });
};

const experiment = async (name: string): Promise<void> => {
  await create(Bench, name, { spec: {} });
  await create(Experiment, name, { spec: { command: "stir", account: "rich" } });
};

const says = (name: string, reason: string): Promise<unknown> =>
  environment.eventually(
    Experiment,
    key(name),
    (object) => object !== undefined && conditionOf(object, "Ready")?.reason === reason,
  );

/** The experiment `e` begins, with what it needs. */
const working = async (): Promise<void> => {
  await money();
  await experiment("e");
  await managers.start();
  await says("e", "Working");
};

const isGone = async (kind: Resource, name: string): Promise<boolean> =>
  (await environment.client.find(kind, key(name))) === undefined;

const areHeld = async (): Promise<readonly boolean[]> =>
  Promise.all(
    needed.map(async ([kind, name]) => {
      const object = await environment.client.find<KubeObject>(kind, key(name));
      return object !== undefined && hasFinalizer(object, finalizer);
    }),
  );

const remove = (kind: Resource, name: string): Promise<void> => environment.client.delete(kind, key(name));

describe("what a removal needs", () => {
  it("stays until the last that needs it is gone, whatever is deleted first, and goes then", async () => {
    await money();
    await Promise.all(["a", "b"].map(experiment));
    await managers.start();
    await says("a", "Working");
    await says("b", "Working");
    for (const [kind, name] of needed) await remove(kind, name);
    await remove(Experiment, "a");
    await environment.until(() => isGone(Experiment, "a"));
    await environment.pass(60_000);
    expect(await areHeld()).toEqual([true, true]);
    await remove(Experiment, "b");
    await environment.until(async () => {
      const gone = await Promise.all(needed.map(([kind, name]) => isGone(kind, name)));
      return gone.every(Boolean);
    });
    expect(await isGone(Experiment, "b")).toBe(true);
  });

  it("is written to once, however many need it, and not at all afterwards", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `e${index}`);
    await money();
    await Promise.all(names.map(experiment));
    const gate = new CallGate();
    await managers.start(gate);
    for (const name of names) await says(name, "Working");
    await environment.pass(600_000);
    const writes = (call: string): number => gate.passed.filter((point) => point === `after ${call}`).length;
    expect([writes("patch Account"), writes("patch Secret")]).toEqual([1, 1]);
  });

  it("is recorded on the object, without anything secret", async () => {
    await working();
    const { metadata } = await environment.client.get(Experiment, key("e"));
    expect(JSON.parse(metadata.annotations?.[holdsAnnotation] ?? "")).toEqual([
      { kind: "Secret", namespace, name: "token", keys: ["token"] },
      { kind: "Account.lab.example.dev", namespace, name: "rich" },
    ]);
  });

  it("is not begun with once it is being deleted, and waited for until another has its name", async () => {
    await money();
    await experiment("first");
    await managers.start();
    await says("first", "Working");
    await remove(SecretResource, "token");
    await experiment("second");
    await says("second", "NeededObjectBeingDeleted");
    const second = await environment.client.get(Experiment, key("second"));
    expect(conditionOf(second, "Ready")?.message).toContain(`Secret ${namespace}/token, which is being deleted`);
    expect(second.metadata.finalizers ?? []).toEqual([]);
    await remove(Experiment, "first");
    await environment.until(() => isGone(SecretResource, "token"));
    await create(SecretResource, "token", { data: { token: "dA==" } });
    await says("second", "Working");
  });

  it("is held again when somebody takes the finalizer away", async () => {
    await working();
    for (const [kind, name] of needed) {
      await environment.client.patch(kind, key(name), { type: "merge", body: { metadata: { finalizers: null } } });
    }
    await environment.until(async () => (await areHeld()).every(Boolean));
  });

  it("is let go where nobody needs it, as after a move or a restore", async () => {
    await money();
    for (const [kind, name] of needed) {
      const body = { metadata: { finalizers: [finalizer, "example.dev/other"] } };
      await environment.client.patch(kind, key(name), { type: "merge", body });
    }
    await managers.start();
    await environment.until(async () => (await areHeld()).every((held) => !held));
    const secret = await environment.client.get(SecretResource, key("token"));
    expect(secret.metadata.finalizers).toEqual(["example.dev/other"]);
  });

  it("is let go when it is exchanged for another", async () => {
    await create(SecretResource, "other", { data: { token: "dA==" } });
    await working();
    await environment.client.patch(Account, key("rich"), { type: "merge", body: { spec: { secret: "other" } } });
    await environment.eventually<KubeObject>(
      SecretResource,
      key("other"),
      (secret) => secret !== undefined && hasFinalizer(secret, finalizer),
    );
    await environment.eventually<KubeObject>(
      SecretResource,
      key("token"),
      (secret) => secret !== undefined && !hasFinalizer(secret, finalizer),
    );
  });

  it("that was removed by force is named, with everything that can be done", async () => {
    await working();
    await environment.removeByForce(SecretResource, key("token"));
    await remove(Experiment, "e");
    await says("e", "CredentialsSecretMissing");
    const message = conditionOf(await environment.client.get(Experiment, key("e")), "Ready")?.message;
    expect(message).toBe(
      `Secret ${namespace}/token with the credentials does not exist, so the experiment cannot be deleted; recreate the Secret with the keys token, or delete the experiment yourself and remove the finalizer lab.example.dev/experiment from Experiment ${namespace}/e`,
    );
    await create(SecretResource, "token", { data: { token: "dA==" } });
    await environment.until(() => isGone(Experiment, "e"));
  });
});

const refuse = (times: number): void =>
  managers.writes.disturb({
    operation: "patch Secret",
    kind: "refuse",
    times,
    error: new CapstanError({
      code: "kube.forbidden",
      reason: "Forbidden",
      message: "no Secret may be patched here",
      retry: { kind: "never" },
    }),
  });
const refusal = (): string =>
  `Secret ${namespace}/token, which is needed for the deletion, cannot be protected: no Secret may be patched here; allow the manager to patch it`;

const saysHeld = (status: string) => (object: Experiment | undefined) =>
  object !== undefined && conditionOf(object, "NeededObjectsHeld")?.status === status;

describe("what cannot be held, since the API server refuses the write,", () => {
  it("is said before anything is made, and nothing is", async () => {
    await money();
    await experiment("e");
    refuse(1000);
    await managers.start();
    await says("e", "HoldRefused");
    const { metadata, ...rest } = await environment.client.get(Experiment, key("e"));
    expect(conditionOf({ metadata, ...rest }, "Ready")?.message).toBe(
      `Experiment ${namespace}/e: ${refusal()}, or name another one`,
    );
    expect(metadata.finalizers ?? []).toEqual([]);
  });

  it("is no obstacle to the removal, which says so", async () => {
    await working();
    await managers.stopAll();
    const body = { metadata: { finalizers: null } };
    await environment.client.patch(SecretResource, key("token"), { type: "merge", body });
    refuse(1000);
    await remove(Experiment, "e");
    await managers.start();
    const said = new Set<string | undefined>();
    await environment.eventually(Experiment, key("e"), (object) => {
      if (object !== undefined) said.add(conditionOf(object, "NeededObjectsHeld")?.message);
      return object === undefined;
    });
    expect(said).toContain(refusal());
  });

  it("is let go by nobody but a user, who is told", async () => {
    await working();
    refuse(1000);
    await remove(Experiment, "e");
    await environment.until(() => isGone(Experiment, "e"));
    await environment.until(async () => {
      const { items } = await environment.client.list<KubeObject>(EventResource, { namespace });
      return items.some(({ reason, ...event }) => {
        const { name } = (event["regarding"] ?? event["involvedObject"]) as { readonly name: string };
        return reason === "HoldNotReleased" && name === "token";
      });
    });
  });

  it("is no obstacle to what runs, and is held once it may be", async () => {
    await working();
    await managers.stopAll();
    const body = { metadata: { finalizers: null } };
    await environment.client.patch(SecretResource, key("token"), { type: "merge", body });
    refuse(1);
    await managers.start();
    const found = await environment.eventually(Experiment, key("e"), saysHeld("False"));
    expect(conditionOf(found ?? expect.fail(), "NeededObjectsHeld")?.message).toBe(refusal());
    expect(conditionOf(found ?? expect.fail(), "Ready")?.reason).toBe("Working");
    await environment.eventually(Experiment, key("e"), saysHeld("True"), 1_200_000);
    expect(await areHeld()).toEqual([true, true]);
  });
});

it("never leaves a user without what it needs although one comes as the last one goes", async () => {
  await money();
  await experiment("old");
  let comes: Promise<void> | undefined;
  const onPoint = (name: string): void => {
    if (isGoing && name === "before patch Secret") comes ??= experiment("new");
  };
  let isGoing = false;
  await managers.start(new CallGate({ onPoint }));
  await says("old", "Working");
  isGoing = true;
  await remove(Experiment, "old");
  await environment.until(() => comes !== undefined);
  await comes;
  await says("new", "Working");
  expect(await areHeld()).toEqual([true, true]);
});

// `npm run test:exhaustive` takes every call.
describe("a crash between two calls", () => {
  testHoldCrashes({ every: 7 });
});
