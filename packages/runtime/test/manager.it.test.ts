import type { ServiceKey } from "@capstan/contract/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  controller,
  createManager,
  type Environment,
  type Manager,
  poll,
  type Request,
  watch,
  watchMapped,
  watchOwned,
} from "../src/index.ts";
import { fakeClock } from "@capstan/testing";
import { Child, child, createWorld, Parent, parent, type World } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

/** A controller that makes one child per parent. */
const parentController = (created: string[]) =>
  controller({
    name: "parent",
    sources: [watch(Parent), watchOwned(Child, Parent)],
    reconcile: async (request, { cache, client }) => {
      const owner = cache.get(Parent, request);
      if (owner === undefined || cache.get(Child, request) !== undefined) return;
      created.push(request.name);
      const { apiVersion, kind } = owner;
      const ownerReferences = [
        { apiVersion, kind, name: request.name, uid: owner.metadata.uid ?? "", controller: true },
      ];
      await client.create(Child, { ...child(request.name), metadata: { ...request, ownerReferences } });
      expect(cache.get(Child, request)).toBeDefined();
    },
  });

describe("controllers", () => {
  it("reconcile what exists and what changes, and see their own writes at once", async () => {
    const { server, clock, newManager } = world;
    server.put("parents", parent("first"));
    const { manager, start } = newManager();
    const created: string[] = [];
    manager.add(parentController(created));
    await start();
    server.put("parents", parent("second"));
    await clock.advanceUntil(() => server.find("children", "default", "second") !== undefined);
    expect(created.toSorted()).toEqual(["first", "second"]);
    server.remove("children", "default", "first");
    const isBack = () => manager.cache.get(Child, { namespace: "default", name: "first" }) !== undefined;
    await clock.advanceUntil(() => created.length === 3 && isBack());
    // Settled: another look at everything sends nothing.
    await clock.advance(5_000);
    const requests = server.requests.length;
    server.put("parents", parent("first", { spec: "changed" }));
    await clock.advance(60_000);
    expect(server.requests).toHaveLength(requests);
    expect(created).toHaveLength(3);
  });

  it("run changes before what is merely there", async () => {
    const { server, clock, newManager } = world;
    for (let index = 0; index < 20; index++) server.put("parents", parent(`old${index}`));
    const order: string[] = [];
    const { manager, start } = newManager();
    manager.add(
      controller({
        name: "slow",
        concurrency: 1,
        sources: [watch(Parent)],
        reconcile: async ({ name }, { signal }) => {
          order.push(name);
          await clock.sleep(1_000, { signal });
        },
      }),
    );
    await start();
    await clock.advance(2_500);
    server.put("parents", parent("new"));
    await clock.advanceUntil(() => order.includes("new"), { stepMs: 100 });
    expect(order.indexOf("new")).toBeLessThan(7);
  });

  it("hear of objects that others map to them, before and after a change", async () => {
    const { server, clock, newManager } = world;
    server.put("children", child("c", { parent: "one" }));
    const seen: Request[] = [];
    const { manager, start } = newManager();
    manager.add(
      controller({
        name: "mapped",
        sources: () => [
          watchMapped(Child, (object) => [{ namespace: "default", name: String(object["parent"]) }], {
            when: (event) => event.object["ignored"] !== true,
          }),
        ],
        reconcile: async (request) => void seen.push(request),
      }),
    );
    await start();
    await clock.advanceUntil(() => seen.length === 1);
    server.put("children", child("c", { parent: "two" }));
    await clock.advanceUntil(() => seen.length === 3);
    server.put("children", child("c", { parent: "three", ignored: true }));
    server.put("children", child("d", { parent: "four" }));
    await clock.advanceUntil(() => seen.length === 4);
    expect(seen.map(({ name }) => name)).toEqual(["one", "one", "two", "four"]);
  });

  it("hear of what differs from one poll to the next", async () => {
    const { clock, newManager } = world;
    const answers: (readonly { id: string; state: string }[] | Error)[] = [
      [
        { id: "1", state: "off" },
        { id: "2", state: "off" },
      ],
      new Error("rate limited"),
      [
        { id: "1", state: "on" },
        { id: "2", state: "off" },
      ],
      [{ id: "1", state: "on" }],
    ];
    const seen: string[] = [];
    const { manager, start } = newManager();
    manager.add(
      controller({
        name: "polled",
        sources: [
          poll<{ id: string; state: string }>({
            name: "servers",
            intervalMs: 10_000,
            list: async () => {
              const answer = answers.length > 1 ? answers.shift() : answers[0];
              if (answer instanceof Error) throw answer;
              return answer ?? [];
            },
            idOf: ({ id }) => id,
            requests: ({ id }) => [{ namespace: "", name: id }],
          }),
        ],
        reconcile: async ({ name }) => void seen.push(`${clock.now() - started} ${name}`),
      }),
    );
    const started = clock.now();
    await start();
    await clock.advance(60_000);
    expect(seen).toEqual(["0 1", "0 2", "20000 1", "30000 2"]);
  });
});

describe("a manager", () => {
  it("plugs services in, once each", async () => {
    const { manager } = world.newManager();
    const key: ServiceKey<{ readonly answer: number }> = { name: "test.answer" };
    expect(manager.findService(key)).toBeUndefined();
    expect(() => manager.service(key)).toThrow('service "test.answer" is needed but not plugged in');
    manager.provide(key, { answer: 42 });
    expect(manager.service(key).answer).toBe(42);
    expect(() => manager.provide(key, { answer: 43 })).toThrow("already plugged in");
  });

  it("prepares first, then runs servers, fills caches, and runs the rest", async () => {
    const order: string[] = [];
    const { manager, start, stop } = world.newManager();
    const runnable = (name: string, needsLeader: boolean): void =>
      manager.addRunnable({
        name,
        needsLeader,
        prepare: () => void order.push(`prepare ${name} ${manager.synced}`),
        run: async ({ signal }) => {
          order.push(`run ${name} ${manager.synced}`);
          await new Promise<void>((resolve) => {
            signal.addEventListener("abort", () => resolve());
          });
          order.push(`stop ${name}`);
        },
      });
    runnable("worker", true);
    runnable("server", false);
    manager.add(
      controller({
        name: "c",
        sources: [],
        setup: ({ cache }: Environment) => void cache.informer(Parent),
        reconcile: async () => undefined,
      }),
    );
    await start();
    await stop();
    expect(order).toEqual([
      "prepare worker false",
      "prepare server false",
      "run server false",
      "run worker true",
      "stop worker",
      "stop server",
    ]);
    expect(() => runnable("late", false)).toThrow("add it before run");
    await expect(manager.run({ signal: AbortSignal.abort() })).rejects.toThrow("run was called twice");
  });

  it("refuses two of the same name", () => {
    const { manager } = world.newManager();
    manager.add(controller({ name: "c", sources: [], reconcile: async () => undefined }));
    expect(() => manager.add(controller({ name: "c", sources: [], reconcile: async () => undefined }))).toThrow(
      "twice",
    );
  });

  it("can share client and cache with another", async () => {
    const { server, clock, newManager } = world;
    const first = newManager();
    const seen: string[] = [];
    const { client, cache } = first.manager;
    const second = createManager({ client, cache, clock });
    for (const [name, manager] of Object.entries({ first: first.manager, second })) {
      const reconcile = async (request: Request): Promise<void> => void seen.push(`${name} ${request.name}`);
      manager.add(controller({ name: "c", sources: [watch(Parent)], reconcile }));
    }
    await first.start();
    const stop = new AbortController();
    const running = second.run({ signal: stop.signal });
    await second.ready();
    server.put("parents", parent("a"));
    await clock.advanceUntil(() => seen.length === 2);
    expect(seen).toEqual(["first a", "second a"]);
    expect(server.requests).toHaveLength(1);
    stop.abort();
    await running;
    server.put("parents", parent("b"));
    await clock.advanceUntil(() => seen.length === 3);
    expect(seen[2]).toBe("first b");
  });

  it("ends when something that must run fails, and stops the others", async () => {
    const { clock } = world;
    const { manager, start, ended } = world.newManager();
    let stopped = false;
    manager.addRunnable({
      name: "fails",
      run: async ({ signal }) => {
        await clock.sleep(1_000, { signal });
        throw new Error("port in use");
      },
    });
    manager.addRunnable({
      name: "other",
      needsLeader: true,
      run: async ({ signal }) => {
        await clock.sleep(60_000, { signal }).catch(() => undefined);
        stopped = true;
      },
    });
    await start();
    await clock.advance(1_000);
    expect(String(await ended())).toBe("Error: port in use");
    expect(stopped).toBe(true);
  });

  it("gives up when a kind cannot be listed, and says so", async () => {
    const { server, clock, newManager } = world;
    server.missing.add("parents");
    const { manager, start, ended } = newManager({ syncTimeoutMs: 30_000 });
    manager.add(parentController([]));
    const started = start().catch((error: unknown) => error);
    const end = clock.now() + 31_000;
    await clock.advanceUntil(() => clock.now() >= end);
    expect(await ended()).toMatchObject({ code: "runtime.caches_not_synced" });
    expect(String(await started)).toContain("AbortError");
  });

  it("stops before it is ready, and does not wait for ever for what does not stop", async () => {
    const { clock, newManager } = world;
    const { manager, start, stop } = newManager({ stopTimeoutMs: 5_000 });
    manager.addRunnable({ name: "deaf", run: () => new Promise(() => undefined) });
    await start();
    let stopped = false;
    void stop().then(() => (stopped = true));
    await clock.advance(4_000);
    expect(stopped).toBe(false);
    await clock.advance(2_000);
    expect(stopped).toBe(true);
    const early = newManager();
    await expect(early.manager.run({ signal: AbortSignal.abort() })).resolves.toBeUndefined();
  });
});

const leading = async (manager: Manager): Promise<boolean> =>
  (await manager.metrics.text()).includes('leader_election_master_status{name="capstan"} 1');

describe("two managers", () => {
  const leaderElection = { namespace: "default", name: "capstan" };

  it("take turns: one works, the other is warm and takes over", async () => {
    const { server, clock, newManager } = world;
    const created: Record<string, string[]> = { first: [], second: [] };
    const candidates = Object.values(created).map((list) => {
      const candidate = newManager({ leaderElection });
      candidate.manager.add(parentController(list));
      return candidate;
    });
    const [first, second] = candidates;
    if (first === undefined || second === undefined) throw new Error("two managers expected");
    await first.start();
    const standby = second.start();
    await clock.advanceUntil(() => second.manager.synced);
    server.put("parents", parent("a"));
    await clock.advanceUntil(() => created["first"]?.length === 1);
    expect(second.manager.cache.get(Parent, { namespace: "default", name: "a" })).toBeDefined();
    expect([await leading(first.manager), await leading(second.manager)]).toEqual([true, false]);
    await first.stop();
    await clock.advanceUntil(() => leading(second.manager));
    await standby;
    server.put("parents", parent("b"));
    await clock.advanceUntil(() => created["second"]?.length === 1);
    expect(created).toEqual({ first: ["a"], second: ["b"] });
  });

  it("never write both: who sleeps too long writes nothing more when it wakes up", async () => {
    const { server, clock, connectionAt, newManager } = world;
    const sleeping = fakeClock({ now: clock.now() + 600_000 });
    const first = newManager({ leaderElection, clock: sleeping }, connectionAt(sleeping));
    const refused = Promise.withResolvers<unknown>();
    const wake = Promise.withResolvers<void>();
    first.manager.add(
      controller({
        name: "asleep",
        sources: [watch(Parent)],
        reconcile: async (request, { client }) => {
          await wake.promise;
          await client.create(Child, child(request.name)).catch((error: unknown) => refused.resolve(error));
        },
      }),
    );
    server.put("parents", parent("a"));
    await first.start();
    const second = newManager({ leaderElection });
    const created: string[] = [];
    second.manager.add(parentController(created));
    // Only the second manager's time continues: the first one's process is stopped, or its machine is.
    const leads = second.start();
    await clock.advanceUntil(() => created.length === 1);
    await leads;
    const writes = () => server.requests.filter((request) => /^POST.*children/.test(request));
    await clock.advanceUntil(() => writes().length === 1);
    await sleeping.advance(20_000);
    wake.resolve();
    expect(await refused.promise).toMatchObject({ code: "kube.leadership_lost" });
    await sleeping.advance(10_000);
    expect(await first.ended()).toMatchObject({ code: "kube.leadership_lost" });
    expect(writes()).toHaveLength(1);
  });

  it("end when the lease cannot be kept", async () => {
    const { server, clock, newManager } = world;
    const { manager, start, ended } = newManager({ leaderElection });
    manager.add(parentController([]));
    await start();
    server.missing.add("leases");
    const end = clock.now() + 11_000;
    await clock.advanceUntil(() => clock.now() >= end);
    expect(await ended()).toMatchObject({ code: "kube.leadership_lost" });
    expect(await leading(manager)).toBe(false);
  });
});
