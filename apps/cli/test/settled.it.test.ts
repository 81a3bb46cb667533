import { join } from "node:path";
import { silentLogger } from "@capstan/contract";
import { createSimulation } from "@capstan/sim-linode";
import type { Connection, HttpRequest } from "@capstan/kube";
import { recentClock, seededRandom } from "@capstan/testing";
import { afterEach, describe, expect, it } from "vitest";
import { openDataFolder, silentView, simulatedLinode, startSystem, type RunningSystem } from "../src/embedded-up.ts";
import { untilQuiet } from "./until-quiet.ts";

const example = join(import.meta.dirname, "../../../examples/linode/large-bootstrap.yaml");

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const counting =
  (onRequest: (request: HttpRequest) => void) =>
  (connection: Connection): Connection => ({
    url: connection.url,
    clock: connection.clock,
    send: (request) => {
      onRequest(request);
      return connection.send(request);
    },
    open: (request) => connection.open(request),
    upgrade: (request) => connection.upgrade(request),
    close: () => connection.close(),
  });

describe("a settled system", () => {
  it("writes nothing for a minute, neither to the management API nor to the cloud", async () => {
    const clock = recentClock();
    const data = openDataFolder("", { temporary: true });
    stops.push(async () => data.close());
    const requests: string[] = [];
    let cloudWrites = 0;
    const started = startSystem(simulatedLinode([example]), {
      clock,
      random: seededRandom(7),
      log: silentLogger,
      view: silentView,
      data,
      variables: () => undefined,
      wrapConnection: counting(({ method, path }) => requests.push(`${method} ${path}`)),
      simulations: {
        linode: async (outside) => {
          const simulation = await createSimulation(outside);
          simulation.simulator.requests.subscribe(({ method }) => {
            if (method !== "GET") cloudWrites += 1;
          });
          return simulation;
        },
      },
    });
    let system: RunningSystem | undefined;
    started.then(
      (value) => {
        system = value;
      },
      () => undefined,
    );
    await clock.advanceUntil(() => system !== undefined, { stepMs: 50 });
    const running = await started;
    stops.push(() => running.stop());
    await clock.advanceUntil(() => running.progress.verdict().running, { stepMs: 100 });
    // The store's client finds out by its first request how far this clock is from the machine's. That request counts as one without an
    // answer, so what it put is looked for once more.
    await clock.advanceUntil(() => false, { maxMs: 120_000, stepMs: 250 }).catch(() => undefined);
    // The changes that follow the last Machine (counters of its owners, deletion of stored bootstrap data) still belong to the work.
    await untilQuiet(clock, running.client);

    requests.length = 0;
    cloudWrites = 0;
    await clock.advanceUntil(() => false, { maxMs: 60_000, stepMs: 500 }).catch(() => undefined);
    expect(requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
    expect(cloudWrites).toBe(0);
  });
});
