import { connect } from "@capstan/kube";
import { type KubeObject, resource } from "@capstan/schema";
import { type FakeClock, fakeClock, seededRandom } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import { controller, createManager, type Manager, watch, watchOwned } from "../src/index.ts";
import { TinyServer } from "./tiny-server.ts";

const Parent = resource({ group: "test.capstan.dev", version: "v1", kind: "Parent", plural: "parents" });
const Child = resource({ group: "test.capstan.dev", version: "v1", kind: "Child", plural: "children" });

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const parent = (name: string, spec: unknown = {}): KubeObject => ({
  apiVersion: "test.capstan.dev/v1",
  kind: "Parent",
  metadata: { name, namespace: "default" },
  spec,
});

interface Setup {
  readonly server: TinyServer;
  readonly clock: FakeClock;
  readonly manager: Manager;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
}

const setup = async (): Promise<Setup> => {
  const server = await new TinyServer().start();
  closing.push(() => server.stop());
  const clock = fakeClock();
  const connection = connect({ url: server.url, clock });
  closing.push(() => connection.close());
  const manager = createManager({ connection, clock, random: seededRandom() });
  const abort = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const stop = async (): Promise<void> => {
    abort.abort();
    await running;
  };
  const start = async (): Promise<void> => {
    running = manager.run({ signal: abort.signal });
    await manager.ready();
  };
  return { server, clock, manager, stop, start };
};

it("reconciles what exists and what changes, and sees its own writes at once", async () => {
  const { server, clock, manager, start, stop } = await setup();
  server.put("parents", parent("first"));
  let created = 0;
  manager.add(
    controller({
      name: "parent",
      sources: [watch(Parent), watchOwned(Child, Parent)],
      reconcile: async ({ namespace, name }, { cache, client }) => {
        const owner = cache.get(Parent, { namespace, name });
        if (owner === undefined || cache.get(Child, { namespace, name }) !== undefined) return;
        created += 1;
        const { uid = "" } = owner.metadata;
        const ownerReferences = [{ apiVersion: owner.apiVersion, kind: "Parent", name, uid, controller: true }];
        await client.create(Child, { ...owner, kind: "Child", metadata: { namespace, name, ownerReferences } });
        expect(cache.get(Child, { namespace, name })).toBeDefined();
      },
    }),
  );
  await start();
  server.put("parents", parent("second"));
  await clock.advanceUntil(() => server.find("children", "default", "second") !== undefined);
  expect(server.find("children", "default", "first")).toBeDefined();
  expect(created).toBe(2);
  server.remove("children", "default", "first");
  await clock.advanceUntil(() => created === 3);
  await stop();
});
