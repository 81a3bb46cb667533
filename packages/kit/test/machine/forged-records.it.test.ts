import type { ProviderV1 } from "@capstan/contract/v1";
import { ClusterResource, MachineResource, SecretResource, conditionOf } from "@capstan/contract/wire";
import { deliveryRecordOf } from "@capstan/kit/delivery";
import { uploadedReport } from "@capstan/kit/machine";
import { toBase64 } from "@capstan/kube-values";
import { apiVersionOf, type KubeObject, type OwnerReference } from "@capstan/schema";
import { CorePart } from "@capstan/testing/environment";
import { type MemoryCloud, MemoryMachine } from "@capstan/testing/infra-memory";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCluster, createMachine, providerWith } from "./memory-objects.ts";
import { memoryWorld } from "./memory-world.ts";

/** Does not compress below the limit. */
const largeData = `#cloud-config\n# ${Array.from({ length: 6000 }, (_, index) => ((index * 7919) % 9973).toString(36)).join("")}\n`;
const dataAnnotation = "capstan.dev/bootstrap-delivery";
const reportAnnotation = "capstan.dev/stored-bootstrap-report";

/** Of a machine of another team, whose data is in the same store. */
const theirs = "0c6f7a52-57c1-4f0e-9a53-6f1b6f0d2a11";

/** The provider over the cloud in memory, whose machines report through the store. */
const provider = (cloud: MemoryCloud): ProviderV1 =>
  providerWith(cloud, () => ({ report: { channels: [uploadedReport()] } }));

const body = (text: string) => ({ bytes: Buffer.from(text), metadata: { "capstan-owner": "of-the-other-team" } });

const world = memoryWorld({ cloud: { userDataLimitBytes: 2000 }, provider, everywhere: true });
let other: CorePart;
beforeEach(async () => {
  const { core, environment, store } = world;
  store.objects.set(theirs, body(largeData));
  store.objects.set(`${theirs}.report`, body("capstan-bootstrap-report/v1 failed\nPASSWORD=hunter2"));
  other = new CorePart(environment.client, await environment.namespace());
  await core.createSecret("store", { type: toBase64("signed") });
  await other.createSecret("store", { type: toBase64("signed") });
});
afterEach(async () => {
  const { client } = world.environment;
  await world.managers.stopAll();
  const labelSelector = "capstan.dev/stored-bootstrap-data";
  for (const { metadata } of (await client.list<KubeObject>(SecretResource, { labelSelector })).items) {
    await client.delete(SecretResource, { namespace: metadata.namespace ?? "", name: metadata.name ?? "" });
  }
});

const isReady = (object: KubeObject | undefined): boolean =>
  object !== undefined && conditionOf(object, "Ready")?.status === "True";
const until = (holds: (object: KubeObject | undefined) => boolean) =>
  world.environment.eventually<KubeObject>(MemoryMachine, world.core.key("m"), holds);
const gone = (object: KubeObject | undefined): boolean => object === undefined;
const record = (name: string, said: object) => ({ [name]: JSON.stringify(said) });
const keys = () => [...world.store.objects.keys()].toSorted();

/** A machine of ours that fits without a world.store, and what someone wrote onto it. */
const machineWith = async (annotations: Readonly<Record<string, string>>, spec: object = {}): Promise<void> => {
  await createCluster(world.core, { ...spec });
  await createMachine(world.core, "m");
  await world.core.patch(MemoryMachine, "m", { metadata: { annotations } });
};

describe("records that somebody writes onto a machine", () => {
  it.each(["its own namespace", "another namespace"])(
    "delete and show nothing of another machine in a store of %s",
    async (place) => {
      const secret = `${(place === "its own namespace" ? world.core : other).namespace}/store`;
      const forged = {
        ...record(dataAnnotation, { route: "object-store", sizeBytes: 1, stores: [secret], key: theirs }),
        ...record(reportAnnotation, { channels: ["upload"], store: secret, key: `${theirs}.report` }),
      };
      await machineWith(forged);
      await world.managers.start();
      await until(isReady);
      // What was delivered has been recorded over it.
      await world.core.patch(MemoryMachine, "m", { metadata: { annotations: forged } });
      await world.environment.pass(30_000);
      expect(await world.environment.client.find(SecretResource, world.core.key("m-bootstrap-log"))).toBeUndefined();
      expect(
        conditionOf(
          await world.environment.client.get<KubeObject>(MemoryMachine, world.core.key("m")),
          "BootstrapSucceeded",
        )?.status,
      ).not.toBe("False");
      await world.core.setStatus(MachineResource, "m", "status.nodeRef", { name: "node" });
      await world.environment.pass(30_000);
      await world.environment.client.delete(MemoryMachine, world.core.key("m"));
      await until(gone);
      expect(keys()).toEqual([theirs, `${theirs}.report`]);
      if (place === "another namespace") {
        expect(world.store.calls, "nobody asks a store that only a record names").toEqual([]);
      }
    },
  );

  it("keep a Secret of another namespace from nobody", async () => {
    await machineWith(record("capstan.dev/holds", [{ kind: "Secret", namespace: other.namespace, name: "store" }]));
    await world.managers.start();
    await until(isReady);
    await world.environment.client.delete(SecretResource, other.key("store"));
    expect(await world.environment.client.find(SecretResource, other.key("store"))).toBeUndefined();
  });
});

describe("a Secret that somebody makes as the record of what is left in a store", () => {
  const leftover = (part: CorePart, said: object, name = `stored-bootstrap-data-${theirs}`): Promise<KubeObject> =>
    world.environment.client.create(SecretResource, {
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
    const own = [`${world.core.namespace}/store`];
    await leftover(world.core, { stores: own });
    await leftover(world.core, { stores: own, uid: theirs.slice(0, 8) }, `stored-bootstrap-data-${theirs.slice(0, 8)}`);
    await leftover(world.core, { stores: own, uid: "x", keys: [theirs] }, "stored-bootstrap-data-y");
    await world.managers.start();
    await world.environment.pass(120_000);
    expect(keys()).toEqual([theirs, `${theirs}.report`]);
  });

  it("leads to no store of another namespace", async () => {
    const owner = { namespace: world.core.namespace, name: "m", id: theirs };
    await leftover(world.core, { stores: [`${other.namespace}/store`], owner });
    await world.managers.start();
    await world.environment.pass(120_000);
    expect(world.store.calls).toEqual([]);
    expect(keys()).toHaveLength(2);
  });
});

describe("a machine that was moved", () => {
  const objectStoreRef = { objectStoreRef: { name: "store" } };

  /** As clusterctl moves an object, and a restore makes it again: all of it but its status, under another uid. */
  const move = async (): Promise<KubeObject> => {
    await world.managers.stopAll();
    const { client } = world.environment;
    const before = await client.get<KubeObject>(MemoryMachine, world.core.key("m"));
    await world.environment.removeByForce(MemoryMachine, world.core.key("m"));
    const { annotations = {}, finalizers = [], labels = {}, ownerReferences = [] } = before.metadata;
    const owners: readonly OwnerReference[] = ownerReferences;
    await client.create(MemoryMachine, {
      apiVersion: apiVersionOf(MemoryMachine),
      kind: MemoryMachine.kind,
      metadata: { ...world.core.key("m"), annotations, finalizers, labels, ownerReferences: owners },
      spec: before["spec"],
    });
    await world.managers.start();
    return before;
  };

  beforeEach(async () => {
    world.store.objects.clear();
    await createCluster(world.core, objectStoreRef);
    await createMachine(world.core, "m", largeData);
    await world.core.patch(MachineResource, "m", {
      metadata: { annotations: { "capstan.dev/bootstrap-report": "10m" } },
    });
    await world.managers.start();
    await until(isReady);
  });

  it("has its data deleted once its Node is there, under the uid that it had", async () => {
    const before = await move();
    expect(keys()).toEqual([before.metadata.uid]);
    await until(isReady);
    await world.core.setStatus(MachineResource, "m", "status.nodeRef", { name: "node" });
    await until((object) => object !== undefined && deliveryRecordOf(object)?.deleted === true);
    expect(keys()).toEqual([]);
  });

  it("takes its data along, and what the store refuses is recorded and deleted in the end", async () => {
    const before = await move();
    await until(isReady);
    await move();
    await until(isReady);
    world.store.refused.add("delete");
    await world.environment.client.delete(MemoryMachine, world.core.key("m"));
    await until(gone);
    expect(keys()).toEqual([before.metadata.uid]);
    const name = `stored-bootstrap-data-${before.metadata.uid}`;
    expect(await world.environment.client.find(SecretResource, world.core.key(name))).toBeDefined();
    world.store.refused.clear();
    await world.environment.until(() => world.store.objects.size === 0);
    await world.environment.until(
      async () => (await world.environment.client.find(SecretResource, world.core.key(name))) === undefined,
    );
  });

  it("reads the report that its server uploads later", async () => {
    const server = [...world.cloud.servers.values()][0];
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
  world.store.objects.clear();
  await createCluster(world.core, { objectStoreRef: { name: "store", namespace: other.namespace } });
  await createMachine(world.core, "m", largeData);
  await world.managers.start();
  const machine = await until(isReady);
  world.store.refused.add("delete");
  await world.environment.client.delete(MemoryMachine, world.core.key("m"));
  await until(gone);
  const name = `stored-bootstrap-data-${machine?.metadata.uid}`;
  expect(await world.environment.client.find(SecretResource, world.core.key(name))).toBeUndefined();
  expect(await world.environment.client.find(SecretResource, other.key(name))).toBeDefined();
  world.store.refused.clear();
  await world.environment.client.delete(ClusterResource, world.core.key(world.core.clusterName));
  await world.environment.until(() => world.store.objects.size === 0);
});
