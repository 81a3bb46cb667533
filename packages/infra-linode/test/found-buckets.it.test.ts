import { conditionOf } from "@capstan/contract/wire";
import { adoptAnnotation, ownerOf } from "@capstan/kit/engine";
import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { LinodeObjectStorageBucket, LinodeObjectStorageKey } from "../src/api.ts";
import { createNamespace, createObject, createSecret, getObject, isReady, startWorld, trustIds } from "./management.ts";
import type { World } from "./management.ts";

const kind = LinodeObjectStorageBucket;
const region = "us-ord";
const spec = { region, acl: "public-read", forceDeleteBucket: true };
const namespace = "default";
const key = { namespace, name: "theirs" };

const made = (world: World) => world.client.objectStorage.buckets.create({ label: "theirs", region });
const buckets = ({ simulator: { state } }: World): string => JSON.stringify(state.buckets);

const refused = async (world: World): Promise<string> => {
  const ready = async () => {
    const object = await getObject<KubeObject>(world, kind, "theirs");
    return object && conditionOf(object, "Ready");
  };
  await world.until(async () => (await ready())?.reason === "NamedById");
  return (await ready())?.message ?? "";
};

it("a bucket that was there before is neither used, changed nor deleted with the manager's token", async () => {
  await using world = await startWorld();
  await made(world);
  const before = buckets(world);
  const object = await createObject<KubeObject>(world, kind, "theirs", spec);
  expect(await refused(world)).toContain("already exists and no object here owns it");
  // Whoever may write the object can write that it has the bucket, and that it wants it.
  const annotations = { [adoptAnnotation]: "true", "capstan.dev/bucket-owner": ownerOf(object).mark };
  await world.api.patch(kind, key, { type: "merge", body: { metadata: { annotations } } });
  const bucketAccess = [{ bucketName: "theirs", permissions: "read_only", region }];
  await createObject(world, LinodeObjectStorageKey, "theirs", { bucketAccess, generatedSecret: {} });
  await world.pass(700_000);
  expect(await refused(world)).toContain("the bucket theirs in us-ord of metadata.name");
  expect(world.simulator.state.keys.filter(({ label }) => label !== "seed")).toEqual([]);
  await world.api.delete(kind, key);
  await world.until(async () => (await world.api.find(kind, key)) === undefined);
  expect(buckets(world)).toBe(before);
});

it("a bucket that was there before is taken with credentials of one's own", async () => {
  await using world = await startWorld();
  await made(world);
  await createSecret(world, "own", { apiToken: world.simulator.token });
  await createObject(world, kind, "theirs", { ...spec, credentialsRef: { name: "own" } });
  await world.until(() => isReady(world, kind, "theirs"));
});

it("a bucket that was there before is taken where an administrator allows it", async () => {
  await using world = await startWorld();
  await made(world);
  await trustIds(world);
  await createObject(world, kind, "theirs", spec, { annotations: { [adoptAnnotation]: "true" } });
  await world.until(() => isReady(world, kind, "theirs"));
});

it("a bucket that somebody makes after the object's own was refused is not the object's", async () => {
  await using world = await startWorld();
  const refusal = {
    kind: "status",
    status: 400,
    body: JSON.stringify({ errors: [{ reason: "no", field: "region" }] }),
  };
  world.simulator.faults.add({ method: "POST", path: "object-storage/buckets", action: refusal as never });
  await createObject(world, kind, "theirs", spec);
  const condition = async (type: string) =>
    conditionOf((await getObject<KubeObject>(world, kind, "theirs"))!, type) ?? { status: "", reason: "" };
  await world.until(async () => (await condition("Ready")).reason === "LinodeRefused");
  expect(await condition("Owned")).toMatchObject({ status: "False", reason: "NotMade" });
  await made(world);
  const before = buckets(world);
  expect(await refused(world)).toContain("already exists and no object here owns it");
  await world.api.delete(kind, key);
  await world.until(async () => (await world.api.find(kind, key)) === undefined);
  expect(buckets(world)).toBe(before);
});

it("a bucket that was refused at first is the object's own once it is made", async () => {
  await using world = await startWorld();
  const refusal = {
    kind: "status",
    status: 400,
    body: JSON.stringify({ errors: [{ reason: "no", field: "region" }] }),
  };
  world.simulator.faults.add({ method: "POST", path: "object-storage/buckets", action: refusal as never });
  await createObject(world, kind, "theirs", spec);
  await world.until(() => isReady(world, kind, "theirs"));
  expect(conditionOf((await getObject<KubeObject>(world, kind, "theirs"))!, "Owned")).toMatchObject({ status: "True" });
});

it("a bucket that was made before a crash is the object's own", async () => {
  await using world = await startWorld();
  await createObject(world, kind, "theirs", spec);
  await world.until(() => buckets(world).includes("theirs"));
  await world.kill();
  await world.startControllers();
  await world.until(() => isReady(world, kind, "theirs"));
  expect(conditionOf((await getObject<KubeObject>(world, kind, "theirs"))!, "Owned")).toMatchObject({ status: "True" });
});

it("a key is let go though a bucket of another namespace has the name that holds it", async () => {
  await using world = await startWorld();
  await createObject(world, kind, "theirs", { region });
  await world.until(() => isReady(world, kind, "theirs"));
  const bucketAccess = [{ bucketName: "theirs", permissions: "read_only", region }];
  await createObject(world, LinodeObjectStorageKey, "theirs", { bucketAccess, generatedSecret: {} });
  await world.api.patch(kind, key, { type: "merge", body: { spec: { accessKeyRef: { name: "theirs" } } } });
  await world.until(() => isReady(world, LinodeObjectStorageKey, "theirs"));
  await world.pass(30_000);
  const found = await getObject<KubeObject>(world, LinodeObjectStorageKey, "theirs");
  expect(found?.metadata.finalizers).toContain("theirs");
  await createNamespace(world, "blue");
  await world.api.create(kind, {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha2",
    kind: kind.kind,
    metadata: { namespace: "blue", name: "theirs", annotations: { "cluster.x-k8s.io/paused": "" } },
    spec: { region },
  });
  await world.api.delete(kind, key);
  await world.until(async () => (await world.api.find(kind, key)) === undefined);
  await world.api.delete(LinodeObjectStorageKey, key);
  await world.until(async () => (await world.api.find(LinodeObjectStorageKey, key)) === undefined);
});
