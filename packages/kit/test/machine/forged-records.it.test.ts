import type { ProviderV1 } from "@capstan/contract/v1";
import { objectStores } from "@capstan/contract/v1";
import { ClusterResource, MachineResource, SecretResource, conditionOf } from "@capstan/contract/wire";
import { deliveryRecordOf } from "@capstan/kit/delivery";
import { uploadedReport } from "@capstan/kit/report";
import { toBase64 } from "@capstan/kube-values";
import type { Manager } from "@capstan/runtime";
import { apiVersionOf, type KubeObject, type OwnerReference } from "@capstan/schema";
import { SignedStore } from "@capstan/testing";
import { ConformanceEnvironment, CorePart, SceneManagers } from "@capstan/testing/environment";
import { MemoryCloud, MemoryCluster, MemoryMachine } from "@capstan/testing/infra-memory";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createCluster, createMachine, providerWith } from "./memory-objects.ts";

/** Does not compress below the limit. */
const largeData = `#cloud-config\n# ${Array.from({ length: 6000 }, (_, index) => ((index * 7919) % 9973).toString(36)).join("")}\n`;
const dataAnnotation = "capstan.dev/bootstrap-delivery";
const reportAnnotation = "capstan.dev/stored-bootstrap-report";

/** Of a machine of another team, whose data is in the same store. */
const theirs = "0c6f7a52-57c1-4f0e-9a53-6f1b6f0d2a11";

let environment: ConformanceEnvironment;
let store: SignedStore;
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([MemoryCluster, MemoryMachine]);
  store = await SignedStore.start(() => environment.clock.now());
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await environment.stop();
});

let core: CorePart;
let other: CorePart;
let cloud: MemoryCloud;
let managers: SceneManagers;

/** The provider over the cloud in memory, whose machines report through the store. */
const provider = (): ProviderV1 => providerWith(cloud, () => ({ report: { channels: [uploadedReport()] } }));

const body = (text: string) => ({ bytes: Buffer.from(text), metadata: { "capstan-owner": "of-the-other-team" } });

beforeEach(async () => {
  store.calls.length = 0;
  store.refused.clear();
  store.objects.clear();
  store.objects.set(theirs, body(largeData));
  store.objects.set(`${theirs}.report`, body("capstan-bootstrap-report/v1 failed\nPASSWORD=hunter2"));
  core = new CorePart(environment.client, await environment.namespace());
  other = new CorePart(environment.client, await environment.namespace());
  cloud = new MemoryCloud({ clock: environment.clock, bootMs: 2000, userDataLimitBytes: 2000 });
  const prepare = (manager: Manager): void => manager.provide(objectStores, [store.opener]);
  managers = new SceneManagers(environment, { provider, prepare });
  await core.createSecret("store", { type: toBase64("signed") });
  await other.createSecret("store", { type: toBase64("signed") });
});
afterEach(async () => {
  await managers.stopAll();
  const labelSelector = "capstan.dev/stored-bootstrap-data";
  for (const { metadata } of (await environment.client.list<KubeObject>(SecretResource, { labelSelector })).items) {
    await environment.client.delete(SecretResource, { namespace: metadata.namespace ?? "", name: metadata.name ?? "" });
  }
});

const isReady = (object: KubeObject | undefined): boolean =>
  object !== undefined && conditionOf(object, "Ready")?.status === "True";
const until = (holds: (object: KubeObject | undefined) => boolean) =>
  environment.eventually<KubeObject>(MemoryMachine, core.key("m"), holds);
const gone = (object: KubeObject | undefined): boolean => object === undefined;
const record = (name: string, said: object) => ({ [name]: JSON.stringify(said) });
const keys = () => [...store.objects.keys()].toSorted();

/** A machine of ours that fits without a store, and what somebody wrote onto it. */
const machineWith = async (annotations: Readonly<Record<string, string>>, spec: object = {}): Promise<void> => {
  await createCluster(core, { ...spec });
  await createMachine(core, "m");
  await core.patch(MemoryMachine, "m", { metadata: { annotations } });
};

describe("records that somebody writes onto a machine", () => {
  it.each(["its own namespace", "another namespace"])(
    "delete and show nothing of another machine in a store of %s",
    async (place) => {
      const secret = `${(place === "its own namespace" ? core : other).namespace}/store`;
      await machineWith({
        ...record(dataAnnotation, { route: "object-store", sizeBytes: 1, stores: [secret], key: theirs }),
        ...record(reportAnnotation, { channels: ["upload"], store: secret, key: `${theirs}.report` }),
      });
      await managers.start();
      await until(isReady);
      await environment.pass(30_000);
      expect(await environment.client.find(SecretResource, core.key("m-bootstrap-log"))).toBeUndefined();
      expect(
        conditionOf((await environment.client.get<KubeObject>(MemoryMachine, core.key("m")))!, "BootstrapSucceeded")
          ?.status,
      ).not.toBe("False");
      await core.setStatus(MachineResource, "m", "status.nodeRef", { name: "node" });
      await environment.pass(30_000);
      await environment.client.delete(MemoryMachine, core.key("m"));
      await until(gone);
      expect(keys()).toEqual([theirs, `${theirs}.report`]);
      if (place === "another namespace") {
        expect(store.calls, "nobody asks a store that only a record names").toEqual([]);
      }
    },
  );

  it("keep a Secret of another namespace from nobody", async () => {
    await machineWith(record("capstan.dev/holds", [{ kind: "Secret", namespace: other.namespace, name: "store" }]));
    await managers.start();
    await until(isReady);
    await environment.client.delete(SecretResource, other.key("store"));
    expect(await environment.client.find(SecretResource, other.key("store"))).toBeUndefined();
  });
});

describe("a Secret that somebody makes as the record of what is left in a store", () => {
  const leftover = (part: CorePart, said: object, name = `stored-bootstrap-data-${theirs}`): Promise<KubeObject> =>
    environment.client.create(SecretResource, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        ...part.key(name),
        labels: { "capstan.dev/stored-bootstrap-data": "memorymachine" },
        annotations: record("capstan.dev/stored-bootstrap-data", {
          uid: theirs,
          keys: [theirs, `${theirs}.report`],
          everything: true,
          machine: "MemoryMachine m",
          since: "2030-01-01T00:00:00Z",
          ...said,
        }),
      },
      type: "capstan.dev/stored-bootstrap-data",
    });

  it("deletes nothing that is another machine's", async () => {
    const own = [`${core.namespace}/store`];
    await leftover(core, { stores: own });
    await leftover(core, { stores: own, uid: theirs.slice(0, 8) }, `stored-bootstrap-data-${theirs.slice(0, 8)}`);
    await leftover(core, { stores: own, uid: "x", keys: [theirs] }, "stored-bootstrap-data-y");
    await managers.start();
    await environment.pass(120_000);
    expect(keys()).toEqual([theirs, `${theirs}.report`]);
  });

  it("leads to no store of another namespace", async () => {
    const owner = { namespace: core.namespace, name: "m", id: theirs };
    await leftover(core, { stores: [`${other.namespace}/store`], owner });
    await managers.start();
    await environment.pass(120_000);
    expect(store.calls).toEqual([]);
    expect(keys()).toHaveLength(2);
  });
});

describe("a machine that was moved", () => {
  const objectStoreRef = { objectStoreRef: { name: "store" } };

  /** As clusterctl moves an object, and a restore makes it again: all of it but its status, under another uid. */
  const move = async (): Promise<KubeObject> => {
    await managers.stopAll();
    const { client } = environment;
    const before = await client.get<KubeObject>(MemoryMachine, core.key("m"));
    await environment.removeByForce(MemoryMachine, core.key("m"));
    const { annotations = {}, finalizers = [], labels = {}, ownerReferences = [] } = before.metadata;
    const owners: readonly OwnerReference[] = ownerReferences;
    await client.create(MemoryMachine, {
      apiVersion: apiVersionOf(MemoryMachine),
      kind: MemoryMachine.kind,
      metadata: { ...core.key("m"), annotations, finalizers, labels, ownerReferences: owners },
      spec: before["spec"],
    });
    await managers.start();
    return before;
  };

  beforeEach(async () => {
    store.objects.clear();
    await createCluster(core, objectStoreRef);
    await createMachine(core, "m", largeData);
    await core.patch(MachineResource, "m", { metadata: { annotations: { "capstan.dev/bootstrap-report": "10m" } } });
    await managers.start();
    await until(isReady);
  });

  it("has its data deleted once its Node is there, under the uid that it had", async () => {
    const before = await move();
    expect(keys()).toEqual([before.metadata.uid]);
    await until(isReady);
    await core.setStatus(MachineResource, "m", "status.nodeRef", { name: "node" });
    await until((object) => object !== undefined && deliveryRecordOf(object)?.deleted === true);
    expect(keys()).toEqual([]);
  });

  it("takes its data along, and what the store refuses is recorded and deleted in the end", async () => {
    const before = await move();
    await until(isReady);
    await move();
    await until(isReady);
    store.refused.add("delete");
    await environment.client.delete(MemoryMachine, core.key("m"));
    await until(gone);
    expect(keys()).toEqual([before.metadata.uid]);
    const name = `stored-bootstrap-data-${before.metadata.uid}`;
    expect(await environment.client.find(SecretResource, core.key(name))).toBeDefined();
    store.refused.clear();
    await environment.until(() => store.objects.size === 0);
    await environment.until(async () => (await environment.client.find(SecretResource, core.key(name))) === undefined);
  });

  it("reads the report that its server uploads later", async () => {
    const server = [...cloud.servers.values()][0];
    const [, url = ""] = Buffer.from(server?.userData ?? [])
      .toString("utf8")
      .split("\n");
    const document = await (await fetch(url)).text();
    const [, target = ""] = /--header 'if-none-match: \*' '([^']+)'/.exec(document) ?? [];
    await move();
    await until(isReady);
    const put = { method: "PUT", headers: { "if-none-match": "*" }, body: "capstan-bootstrap-report/v1 succeeded\n" };
    expect((await fetch(target, put)).status).toBe(200);
    await until((object) => object !== undefined && conditionOf(object, "BootstrapSucceeded")?.status === "True");
  });
});

it("a store of another namespace that the cluster names keeps the record beside its Secret", async () => {
  store.objects.clear();
  await createCluster(core, { objectStoreRef: { name: "store", namespace: other.namespace } });
  await createMachine(core, "m", largeData);
  await managers.start();
  const machine = await until(isReady);
  store.refused.add("delete");
  await environment.client.delete(MemoryMachine, core.key("m"));
  await until(gone);
  const name = `stored-bootstrap-data-${machine?.metadata.uid}`;
  expect(await environment.client.find(SecretResource, core.key(name))).toBeUndefined();
  expect(await environment.client.find(SecretResource, other.key(name))).toBeDefined();
  store.refused.clear();
  await environment.client.delete(ClusterResource, core.key(core.clusterName));
  await environment.until(() => store.objects.size === 0);
});
