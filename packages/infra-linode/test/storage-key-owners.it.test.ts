import { conditionOf, SecretResource } from "@capstan/contract/wire";
import { toBase64 } from "@capstan/kube-values";
import { apiVersionOf } from "@capstan/schema";
import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { LinodeObjectStorageBucket, LinodeObjectStorageKey } from "../src/api.ts";
import {
  createNamespace,
  createObject,
  createSecret,
  getObject,
  isReady,
  namespace,
  startWorld,
} from "./management.ts";
import type { World } from "./management.ts";

const kind = LinodeObjectStorageKey;
const accessTo = (bucketName: string) => ({
  bucketAccess: [{ bucketName, permissions: "read_write", region: "us-ord" }],
  generatedSecret: {},
});
const reasonOf = async (world: World, name: string): Promise<string | undefined> => {
  const object = await getObject<KubeObject>(world, kind, name);
  return object && conditionOf(object, "Ready")?.reason;
};
/** Of the keys that were made for objects. */
const labels = ({ simulator: { state } }: World): readonly string[] =>
  state.keys.map(({ label }) => label).filter((label) => label !== "seed");

/** Another team, with a bucket and a key for it. */
const otherTeam = async (world: World): Promise<void> => {
  await createNamespace(world, "team-b");
  for (const [each, spec] of [
    [LinodeObjectStorageBucket, { region: "us-ord" }],
    [kind, accessTo("theirs")],
  ] as const) {
    const metadata = { namespace: "team-b", name: "theirs" };
    await world.api.create<KubeObject>(each, { apiVersion: apiVersionOf(each), kind: each.kind, metadata, spec });
  }
  await world.until(() => labels(world).length === 1);
};

it("the manager's token makes keys for the buckets of the namespace alone", async () => {
  await using world = await startWorld();
  await otherTeam(world);
  await world.client.objectStorage.buckets.create({ label: "nobodys", region: "us-ord" });
  const before = labels(world);
  for (const bucket of ["theirs", "nobodys"]) {
    await createObject(world, kind, bucket, accessTo(bucket));
    await world.until(async () => (await reasonOf(world, bucket)) === "BucketNotOwned");
  }
  await createObject(world, kind, "elsewhere", {
    ...accessTo("ours"),
    bucketAccess: [{ bucketName: "ours", permissions: "read_only", region: "us-east" }],
  });
  await createObject(world, LinodeObjectStorageBucket, "ours", { region: "us-ord" });
  await world.until(async () => (await reasonOf(world, "elsewhere")) === "BucketNotOwned");
  expect(labels(world)).toEqual(before);
  await createObject(world, kind, "ours", accessTo("ours"));
  await world.until(() => isReady(world, kind, "ours"));
});

it("credentials of the object's own make keys for what they reach", async () => {
  await using world = await startWorld();
  await world.client.objectStorage.buckets.create({ label: "nobodys", region: "us-ord" });
  await createSecret(world, "own", { apiToken: world.simulator.token });
  await createObject(world, kind, "mine", { ...accessTo("nobodys"), credentialsRef: { name: "own" } });
  await world.until(() => isReady(world, kind, "mine"));
});

it.each(["newb-ca", "newb-kubeconfig", "newb-token"])("a Secret of free contents is not called %s", async (name) => {
  await using world = await startWorld();
  await createObject(world, LinodeObjectStorageBucket, "ours", { region: "us-ord" });
  const format = { "tls.crt": "a certificate", "tls.key": "a key", value: "a token" };
  await createObject(world, kind, "key", { ...accessTo("ours"), generatedSecret: { name, format } });
  await world.until(async () => (await reasonOf(world, "key")) === "SecretNameReserved");
  expect(await world.api.find(SecretResource, { namespace, name })).toBeUndefined();
  expect(labels(world)).toEqual([]);
});

it("a record in a Secret that names another's key neither takes nor revokes it", async () => {
  await using world = await startWorld();
  await otherTeam(world);
  const theirs = world.simulator.state.keys.find(({ label }) => label.startsWith("theirs"));
  await createObject(world, LinodeObjectStorageBucket, "ours", { region: "us-ord" });
  await world.api.create(SecretResource, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      namespace,
      name: "mine-obj-key",
      labels: {
        "capstan.dev/object-storage-key-name": "mine",
        "capstan.dev/object-storage-key-namespace": namespace,
      },
      annotations: { "capstan.dev/object-storage-key": JSON.stringify({ id: theirs?.id, generation: 0, created: "" }) },
    },
    data: { access: toBase64("x") },
  });
  await createObject(world, kind, "mine", accessTo("ours"));
  await world.until(() => isReady(world, kind, "mine"));
  await world.pass(700_000);
  expect(world.simulator.state.keys.map(({ id }) => id)).toContain(theirs?.id);
  await world.api.delete(kind, { namespace, name: "mine" });
  await world.until(async () => (await getObject(world, kind, "mine")) === undefined);
  expect(labels(world)).toEqual([theirs?.label]);
});

it("a key stays with its object when that is moved", async () => {
  await using world = await startWorld();
  await createObject(world, LinodeObjectStorageBucket, "ours", { region: "us-ord" });
  await createObject(world, kind, "mine", accessTo("ours"));
  await world.until(() => isReady(world, kind, "mine"));
  await world.pass(30_000);
  const before = labels(world);
  const key = { namespace, name: "mine" };
  const { metadata, spec } = (await getObject<KubeObject>(world, kind, "mine")) as KubeObject & { spec: unknown };
  await world.kill();
  await world.api.patch(kind, key, { type: "merge", body: { metadata: { finalizers: [] } } });
  await world.api.delete(kind, key);
  const { annotations = {}, finalizers = [], labels: ownLabels = {} } = metadata;
  await world.api.create<KubeObject>(kind, {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { ...key, annotations, finalizers, labels: ownLabels },
    spec,
  });
  const secret = { namespace, name: "mine-obj-key" };
  await world.api.patch(SecretResource, secret, { type: "merge", body: { metadata: { ownerReferences: null } } });
  await world.startControllers();
  await world.until(() => isReady(world, kind, "mine"));
  await world.pass(30_000);
  expect(labels(world)).toEqual(before);
  await world.api.delete(kind, key);
  await world.until(async () => (await getObject(world, kind, "mine")) === undefined);
  expect(labels(world)).toEqual([]);
});
