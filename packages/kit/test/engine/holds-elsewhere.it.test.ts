import { Annotation } from "@capstan/contract";
import { conditionOf, SecretResource } from "@capstan/contract/wire";
import { holdNamesOf, holdsAnnotation } from "@capstan/kit/engine";
import { hasFinalizer } from "@capstan/kube-values";
import { apiVersionOf, type KubeObject, type Resource } from "@capstan/schema";
import type { RunningManager } from "@capstan/testing/environment";
import { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Account, Bench, createLabProvider, Experiment, Task } from "./lab.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([Account, Bench, Experiment, Task]);
});
afterAll(() => environment.stop());

const finalizer = holdNamesOf(Experiment).of({ name: "" });

const create = (kind: Resource, namespace: string, name: string, rest: object = {}): Promise<KubeObject> =>
  environment.client.create(kind, {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { namespace, name },
    ...rest,
  });

/** An experiment that is paid with the Secret of another namespace. */
const experiment = async (namespace: string, secretNamespace: string): Promise<void> => {
  await create(Account, namespace, "rich", { spec: { credit: true, secret: "token", secretNamespace } });
  await create(Bench, namespace, "e", { spec: {} });
  await create(Experiment, namespace, "e", { spec: { command: "stir", account: "rich" } });
};

const works = async (namespace: string): Promise<void> => {
  await environment.eventually(
    Experiment,
    { namespace, name: "e" },
    (object) => object !== undefined && conditionOf(object, "Ready")?.reason === "Working",
  );
};

const remove = async (namespace: string): Promise<void> => {
  await environment.client.delete(Experiment, { namespace, name: "e" });
  await environment.eventually(Experiment, { namespace, name: "e" }, (object) => object === undefined);
};

const manager = (...namespaces: readonly string[]): Promise<RunningManager> =>
  environment.runManager({ providers: [createLabProvider({ opened: [], asked: [] })], namespace: namespaces });

it("is let go in a shared namespace by the manager of the last that needs it", async () => {
  const [shared, one, two] = [
    await environment.namespace(),
    await environment.namespace(),
    await environment.namespace(),
  ];
  const key = { namespace: shared, name: "token" };
  await create(SecretResource, shared, "token", { data: { token: "dA==" } });
  const isHeld = async (): Promise<boolean> => {
    const secret = await environment.client.find(SecretResource, key);
    return secret !== undefined && hasFinalizer(secret, finalizer);
  };
  const first = await manager(shared, one);
  await experiment(one, shared);
  await works(one);
  const second = await manager(shared, two);
  // Whoever starts looks at what is held.
  await environment.pass(60_000);
  expect(await isHeld()).toBe(true);
  await experiment(two, shared);
  await works(two);
  await environment.client.delete(SecretResource, key);
  await remove(one);
  await environment.pass(60_000);
  expect(await isHeld()).toBe(true);
  await first.stop();
  await remove(two);
  await environment.until(async () => (await environment.client.find(SecretResource, key)) === undefined);
  await second.stop();
});

it("is let go by a manager of all namespaces, wherever those were that needed it", async () => {
  const [shared, one] = [await environment.namespace(), await environment.namespace()];
  const key = { namespace: shared, name: "token" };
  await create(SecretResource, shared, "token", { data: { token: "dA==" } });
  const first = await manager(shared, one);
  await experiment(one, shared);
  await works(one);
  await first.stop();
  await environment.removeByForce(Experiment, { namespace: one, name: "e" });
  await environment.client.delete(SecretResource, key);
  const all = await environment.runManager({ providers: [createLabProvider({ opened: [], asked: [] })] });
  await environment.until(async () => (await environment.client.find(SecretResource, key)) === undefined);
  await all.stop();
});

it("is let go though an object elsewhere says that it needs it and never did", async () => {
  const [shared, one] = [await environment.namespace(), await environment.namespace()];
  const key = { namespace: shared, name: "token" };
  await create(SecretResource, shared, "token", { data: { token: "dA==" } });
  const record = JSON.stringify([{ kind: "Secret", ...key }]);
  const annotations = { [Annotation.paused]: "", [holdsAnnotation]: record };
  await environment.client.create(Experiment, {
    apiVersion: apiVersionOf(Experiment),
    kind: Experiment.kind,
    metadata: { namespace: one, name: "e", annotations, finalizers: ["example.dev/kept"] },
    spec: { command: "stir", account: "rich" },
  });
  const all = await environment.runManager({ providers: [createLabProvider({ opened: [], asked: [] })] });
  await experiment(shared, shared);
  await works(shared);
  await environment.client.delete(SecretResource, key);
  await environment.pass(10_000);
  expect((await environment.client.get(SecretResource, key)).metadata.finalizers).toEqual([finalizer]);
  await remove(shared);
  await environment.until(async () => (await environment.client.find(SecretResource, key)) === undefined);
  await all.stop();
});
