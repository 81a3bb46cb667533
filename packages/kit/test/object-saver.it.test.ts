import { createApiServer } from "@capstan/apiserver";
import { silentLogger } from "@capstan/contract";
import type { ConditionInput } from "@capstan/contract/wire";
import { conditionsOf, setCondition } from "@capstan/contract/wire";
import { ObjectSaver } from "@capstan/kit/engine";
import { type Client, connect, createClient, loadKubeconfig } from "@capstan/kube";
import type { Environment, ReconcileContext, Request } from "@capstan/runtime";
import { type KubeObject, resource } from "@capstan/schema";
import { type FakeClock, recentClock, seededRandom } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";

const Crds = resource({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
});
const Things = resource({ group: "test.capstan.dev", version: "v1", kind: "Thing", plural: "things" });
const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;
const key = { namespace: "default", name: "t" };

const definition = (subresources: object): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.test.capstan.dev" },
  spec: {
    group: Things.group,
    scope: "Namespaced",
    names: { kind: Things.kind, plural: Things.plural, singular: "thing", listKind: "ThingList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources,
        schema: { openAPIV3Schema: { type: "object", properties: { spec: free, status: free } } },
      },
    ],
  },
});

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Scene {
  readonly client: Client;
  readonly clock: FakeClock;
  readonly saver: ObjectSaver<KubeObject>;
  readonly context: ReconcileContext;
  readonly stored: KubeObject;
  readonly woken: readonly Request[];
  /** What the cache of the controller shows. */
  seen: KubeObject;
}

/** An API server with one thing, and a controller's saver of things. */
const setup = async (
  subresources: object = { status: {} },
  news?: (thing: KubeObject) => string | undefined,
): Promise<Scene> => {
  const clock = recentClock();
  const server = createApiServer({ clock, random: seededRandom(1) });
  await server.start();
  closing.push(() => server.stop());
  const connection = connect({ access: await loadKubeconfig({ text: await server.adminKubeconfig() }), clock });
  closing.push(() => connection.close());
  const client = createClient(connection);
  await client.create(Crds, definition(subresources));
  const thing = { apiVersion: "test.capstan.dev/v1", kind: Things.kind, metadata: key, spec: { size: 1 } };
  const stored = await client.create(Things, thing);
  const saver = new ObjectSaver({ kind: Things, ...(news === undefined ? {} : { news }) });
  const stop = new AbortController();
  closing.push(() => stop.abort());
  const woken: Request[] = [];
  const cache = { get: () => scene.seen };
  const environment = { client, clock, cache, log: silentLogger } as unknown as Environment;
  const context: ReconcileContext = { ...environment, signal: stop.signal };
  const scene: Scene = { client, clock, saver, context, stored, woken, seen: stored };
  await saver.source.start({ add: (request) => woken.push(request) }, environment, { signal: stop.signal });
  return scene;
};

const withCondition = (thing: KubeObject, input: ConditionInput): KubeObject => {
  const before = conditionsOf(thing, "v1beta2");
  return { ...thing, status: { ...(thing["status"] as object), conditions: setCondition(before, input, { now: 0 }) } };
};

const typesIn = (thing: KubeObject): readonly string[] =>
  conditionsOf(thing, "v1beta2")
    .map(({ type }) => type)
    .toSorted();

const deleting = (thing: KubeObject): KubeObject => ({ ...thing, status: { phase: "Deleting" } });
const waiting: ConditionInput = { type: "Ready", status: "False", reason: "Waiting" };
const unhealthy: ConditionInput = { type: "HealthCheckSucceeded", status: "False", reason: "UnhealthyNode" };

/** Holds back that a thing waits; `whole`: said as the whole status. */
const holdProgress = async (
  { saver, stored, context, client }: Scene,
  { whole }: { whole: boolean },
): Promise<void> => {
  const changes = saver.begin(stored, context);
  if (whole) changes.become(withCondition(stored, waiting));
  else changes.condition(waiting);
  await changes.flush();
  expect(await client.get(Things, key)).not.toHaveProperty("status");
};

it("stores the status of another controller's object", async () => {
  const { client, saver, stored, context } = await setup();
  const answer = await saver.saveStatus(stored, deleting(stored), context);
  expect(await client.get(Things, key)).toEqual(answer);
  expect(answer["status"]).toEqual({ phase: "Deleting" });
});

it("has nothing to say of an object that is gone", async () => {
  const { client, saver, stored, context } = await setup();
  await client.delete(Things, key);
  await expect(saver.saveStatus(stored, deleting(stored), context)).resolves.toBe(stored);
});

it("fails for an object that is there and has no status to write", async () => {
  const { saver, stored, context } = await setup({});
  await expect(saver.saveStatus(stored, deleting(stored), context)).rejects.toMatchObject({ code: "kube.not_found" });
});

it("fails for an object that somebody else wrote meanwhile, and loses nothing of it", async () => {
  const { client, saver, stored, context } = await setup();
  await saver.saveStatus(stored, withCondition(stored, unhealthy), context);
  const late = saver.saveStatus(stored, withCondition(stored, waiting), context);
  await expect(late).rejects.toMatchObject({ code: "kube.conflict" });
  expect(typesIn(await client.get(Things, key))).toEqual(["HealthCheckSucceeded"]);
});

const phaseOf = (thing: KubeObject): string | undefined =>
  (thing["status"] as { readonly phase?: string } | undefined)?.phase;

it("holds back whatever is no news, also conditions that come true, and writes news at once", async () => {
  const scene = await setup(undefined, phaseOf);
  const { client, clock, context, saver, stored } = scene;
  const first = saver.begin(stored, context);
  first.condition({ type: "Ready", status: "True", reason: "Ready" });
  await first.flush();
  expect(await client.get(Things, key)).not.toHaveProperty("status");
  const second = saver.begin(stored, context);
  second.condition({ type: "Ready", status: "True", reason: "Ready" });
  second.mergeStatus({ phase: "Running" });
  await second.flush();
  expect(await client.get(Things, key)).toMatchObject({
    status: { phase: "Running", conditions: [{ type: "Ready" }] },
  });
  scene.seen = second.object;
  const third = saver.begin(second.object, context);
  third.mergeStatus({ phase: null });
  await third.flush();
  expect(phaseOf(await client.get(Things, key)), "news that ends can wait").toBe("Running");
  await clock.advance(1500);
  await clock.advanceUntil(async () => phaseOf(await client.get(Things, key)) === undefined);
});

it("takes in what others have said of the status, and keeps its own", async () => {
  const scene = await setup();
  const { client, context, saver, stored } = scene;
  const changes = saver.begin(stored, context);
  scene.seen = await saver.saveStatus(stored, withCondition(stored, unhealthy), context);
  const wanted = changes.rebased(deleting(stored));
  expect(wanted["status"]).toMatchObject({ phase: "Deleting", conditions: [{ type: "HealthCheckSucceeded" }] });
  changes.become(withCondition(wanted, waiting));
  await changes.flush({ all: true });
  expect(typesIn(await client.get(Things, key))).toEqual(["HealthCheckSucceeded", "Ready"]);
});

it.each([
  ["the spec has changed, too", (thing: KubeObject) => ({ ...deleting(thing), spec: { size: 9 } }), deleting],
  ["both have changed conditions", (thing: KubeObject) => thing, (thing: KubeObject) => withCondition(thing, waiting)],
])("leaves a conflict where %s", async (_, other, own) => {
  const scene = await setup();
  const { client, context, saver, stored } = scene;
  const changes = saver.begin(stored, context);
  const said = await saver.saveStatus(stored, withCondition(stored, unhealthy), context);
  scene.seen = await client.update(Things, other(said));
  const wanted = changes.rebased(own(stored));
  expect(wanted).toEqual(own(stored));
  changes.become(wanted);
  await expect(changes.flush({ all: true })).rejects.toMatchObject({ code: "kube.conflict" });
});

it("saves metadata and spec at once as they differ, and the status as it was wanted then", async () => {
  const { client, saver, stored, context } = await setup();
  const changes = saver.begin(stored, context);
  const wanted = { ...deleting(stored), metadata: { ...stored.metadata, labels: { a: "1" } }, spec: { size: 2 } };
  const saved = await changes.save(wanted);
  expect(saved).toMatchObject({ metadata: { labels: { a: "1" } }, spec: { size: 2 }, status: { phase: "Deleting" } });
  expect(await client.get(Things, key)).not.toHaveProperty("status");
  changes.become(saved);
  await changes.flush();
  expect(await client.get(Things, key)).toMatchObject({ spec: { size: 2 }, status: { phase: "Deleting" } });
});

it("writes progress that waited when its time comes", async () => {
  const scene = await setup();
  await holdProgress(scene, { whole: false });
  await scene.clock.advanceUntil(async () => typesIn(await scene.client.get(Things, key)).includes("Ready"));
  expect(scene.woken).toEqual([]);
});

it("has a whole status that waited worked out anew when its time comes, and holds it back no more", async () => {
  const scene = await setup();
  await holdProgress(scene, { whole: true });
  await scene.clock.advance(1500);
  expect(scene.woken).toEqual([key]);
  const changes = scene.saver.begin(scene.stored, scene.context);
  changes.become(withCondition(scene.stored, waiting));
  await changes.flush();
  expect(typesIn(await scene.client.get(Things, key))).toEqual(["Ready"]);
});

it.each([
  ["shows", false],
  ["does not show yet", false],
  ["shows", true],
  ["does not show yet", true],
])("loses nothing of what another controller says meanwhile, when the cache %s it (whole: %s)", async (what, whole) => {
  const scene = await setup();
  const { client, clock, context, saver, stored, woken } = scene;
  await holdProgress(scene, { whole });
  const other = await new ObjectSaver({ kind: Things }).saveStatus(stored, withCondition(stored, unhealthy), context);
  if (what === "shows") scene.seen = other;
  const isOver = async (): Promise<boolean> =>
    woken.length > 0 || typesIn(await client.get(Things, key)).includes("Ready");
  await clock.advanceUntil(isOver);
  if (woken.length > 0) {
    expect(typesIn(await client.get(Things, key))).toEqual(["HealthCheckSucceeded"]);
    const changes = saver.begin(scene.seen, context);
    changes.become(withCondition(scene.seen, waiting));
    await changes.flush().catch((error: unknown) => expect(error).toMatchObject({ code: "kube.conflict" }));
  }
  expect(typesIn(await client.get(Things, key))).toContain("HealthCheckSucceeded");
});

it("changes what comes of its own late write, which is under way as the reconcile begins", async () => {
  const scene = await setup();
  const { client, clock, saver, stored, woken } = scene;
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const patch: Client["patch"] = async (...call) => {
    await gate;
    return client.patch(...call);
  };
  await holdProgress({ ...scene, context: { ...scene.context, client: { ...client, patch } } }, { whole: false });
  await clock.advance(1500);
  const changes = saver.begin(stored, scene.context);
  const saving = changes.save({ ...deleting(stored), spec: { size: 2 } });
  open();
  changes.become(await saving);
  await changes.flush();
  expect(await client.get(Things, key)).toMatchObject({ spec: { size: 2 }, status: { phase: "Deleting" } });
  expect((await client.get(Things, key))["status"]).not.toHaveProperty("conditions");
  expect(woken).toEqual([]);
});
