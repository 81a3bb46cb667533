import { conditionOf } from "@capstan/contract/wire";
import { ownerOf } from "@capstan/kit/engine";
import { apiVersionOf } from "@capstan/schema";
import type { KubeObject, Resource } from "@capstan/schema";
import { expect, it } from "vitest";
import {
  LinodeFirewall,
  LinodeMachine,
  LinodeObjectStorageBucket,
  LinodePlacementGroup,
  LinodeVPC,
} from "../src/api.ts";
import {
  createCluster,
  createMachine,
  createNamespace,
  createObject,
  getCluster,
  getMachine,
  getObject,
  isReady,
  namespace,
  reportInfrastructure,
  startWorld,
} from "./management.ts";
import type { World } from "./management.ts";

type Spec = Readonly<Record<string, unknown>>;

/** The object as it is stored, with all that the controllers wrote into it, in another namespace. */
const copyTo = async ({ api }: World, kind: Resource, into: string, object: KubeObject): Promise<void> => {
  const { annotations = {}, labels = {}, name = "" } = object.metadata;
  const metadata = { name, namespace: into, annotations, labels };
  await api.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec: object["spec"] });
};

const copyIs = async (world: World, kind: Resource, reason: string): Promise<string> => {
  const find = () => world.api.find<KubeObject>(kind, { namespace: "blue", name: "mine" });
  const ready = async () => {
    const object = await find();
    return object && conditionOf(object, "Ready");
  };
  await world.until(async () => (await ready())?.reason === reason);
  return (await ready())?.message ?? "";
};

const removeCopy = async (world: World, kind: Resource): Promise<void> => {
  const key = { namespace: "blue", name: "mine" };
  await world.api.delete(kind, key);
  await world.until(async () => (await world.api.find(kind, key)) === undefined);
};

const account = ({ simulator: { state } }: World): string =>
  JSON.stringify([state.vpcs, state.firewalls, state.placementGroups, state.buckets, state.instances]);

it.each<[kind: Resource, spec: Spec, changed: Spec]>([
  [LinodeVPC, { region: "us-ord", subnets: [{ label: "default", ipv4: "10.0.0.0/24" }] }, { description: "theirs" }],
  [LinodeFirewall, { enabled: true, inboundPolicy: "DROP" }, { inboundPolicy: "ACCEPT" }],
  [LinodePlacementGroup, { region: "us-ord" }, {}],
  [LinodeObjectStorageBucket, { region: "us-ord" }, { acl: "public-read", forceDeleteBucket: true }],
])(
  "a copy of a $kind in another namespace neither changes nor deletes what the first one has",
  async (kind, spec, changed) => {
    await using world = await startWorld();
    await createObject(world, kind, "mine", spec);
    await world.until(() => isReady(world, kind, "mine"));
    await world.pass(30_000);
    const before = account(world);
    await createNamespace(world, "blue");
    const first = (await getObject<KubeObject>(world, kind, "mine"))!;
    await copyTo(world, kind, "blue", { ...first, spec: { ...(first["spec"] as object), ...changed } });
    expect(await copyIs(world, kind, "OwnedByAnother")).toContain(`belongs to another namespace's ${kind.kind}; `);
    await world.pass(700_000);
    await removeCopy(world, kind);
    expect(account(world)).toBe(before);
    expect(await isReady(world, kind, "mine")).toBe(true);
  },
);

it("a bucket stays with the first of two objects that both claim to have it", async () => {
  await using world = await startWorld();
  const kind = LinodeObjectStorageBucket;
  await createObject(world, kind, "mine", { region: "us-ord" });
  await world.until(() => isReady(world, kind, "mine"));
  await world.pass(30_000);
  const before = account(world);
  await createNamespace(world, "blue");
  const spec = { region: "us-ord", acl: "public-read", forceDeleteBucket: true };
  const metadata = { namespace: "blue", name: "mine" };
  const second = await world.api.create<KubeObject>(kind, {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata,
    spec,
  });
  const annotations = { "capstan.dev/bucket-owner": ownerOf(second).mark };
  await world.api.patch(kind, metadata, { type: "merge", body: { metadata: { annotations } } });
  expect(await copyIs(world, kind, "OwnedByAnother")).toContain(`belongs to another namespace's ${kind.kind}; `);
  await world.pass(700_000);
  expect(account(world)).toBe(before);
  await removeCopy(world, kind);
  expect(account(world)).toBe(before);
  expect(await isReady(world, kind, "mine")).toBe(true);
});

it("a LinodeMachine that names the instance of another one neither changes nor deletes it", async () => {
  await using world = await startWorld();
  await createCluster(world, "prod", {});
  await world.until(async () => (await getCluster(world, "prod"))?.status?.ready === true);
  await reportInfrastructure(world, "prod");
  await createMachine(world, "first", { cluster: "prod" });
  await world.until(async () => (await getMachine(world, "first"))?.status?.ready === true);
  await world.pass(30_000);
  const before = account(world);
  const { spec } = (await getMachine(world, "first"))!;
  await createMachine(world, "mine", { cluster: "prod", spec: { ...spec, tags: ["theirs"] } });
  await world.until(async () => conditionOf((await getMachine(world, "mine"))!, "Ready")?.reason === "OwnedByAnother");
  expect(conditionOf((await getMachine(world, "mine"))!, "Ready")?.message).toContain(
    "belongs to LinodeMachine default/first; ",
  );
  await world.pass(60_000);
  await world.api.delete(LinodeMachine, { namespace, name: "mine" });
  await world.until(async () => (await getMachine(world, "mine")) === undefined);
  expect(account(world)).toBe(before);
});

it("a placement group that was moved stays with its object when that is copied", async () => {
  await using world = await startWorld();
  const kind = LinodePlacementGroup;
  const key = { namespace, name: "mine" };
  await createObject(world, kind, "mine", { region: "us-ord" });
  await world.until(() => isReady(world, kind, "mine"));
  const moved = (await getObject<KubeObject>(world, kind, "mine"))!;
  await world.kill();
  await world.api.patch(kind, key, { type: "merge", body: { metadata: { finalizers: [] } } });
  await world.api.delete(kind, key);
  await copyTo(world, kind, namespace, moved);
  await world.startControllers();
  await world.until(() => isReady(world, kind, "mine"));
  await world.pass(30_000);
  const before = account(world);
  await createNamespace(world, "blue");
  await copyTo(world, kind, "blue", moved);
  expect(await copyIs(world, kind, "OwnedByAnother")).toContain(`belongs to another namespace's ${kind.kind}; `);
  await removeCopy(world, kind);
  await world.pass(700_000);
  expect(account(world)).toBe(before);
  expect(await isReady(world, kind, "mine")).toBe(true);
});
