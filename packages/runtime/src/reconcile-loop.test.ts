import { CapstanError, type Logger, type Retry } from "@capstan/contract";
import { fakeClock, seededRandom } from "@capstan/testing";
import { afterEach, describe, expect, it } from "vitest";
import type { ControllerOptions, Environment, Reconcile, ReconcileContext } from "./controller.ts";
import { createMetrics } from "./metrics.ts";
import { ReconcileLoop } from "./reconcile-loop.ts";

interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const recordingLogger = (lines: Line[], bound: Readonly<Record<string, unknown>> = {}): Logger => {
  const at =
    (level: string): Logger["info"] =>
    (message, fields) =>
      void lines.push({ level, message, fields: { ...bound, ...fields } });
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (fields) => recordingLogger(lines, { ...bound, ...fields }),
  };
};

const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

const setup = (reconcile: Reconcile, options: Partial<ControllerOptions> = {}) => {
  const clock = fakeClock({ now: 0 });
  const metrics = createMetrics();
  const lines: Line[] = [];
  const environment = { clock, metrics, random: seededRandom(), log: recordingLogger(lines) } as unknown as Environment;
  const loop = new ReconcileLoop({ name: "test", sources: [], reconcile, ...options }, environment);
  const stop = new AbortController();
  stops.push(stop);
  const running = loop.run({ signal: stop.signal });
  const metric = async (name: string): Promise<string | undefined> =>
    (await metrics.text())
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1);
  return { clock, loop, lines, stop, running, metric };
};

const request = { namespace: "default", name: "a" };

const failure = (code: string, retry: Retry): CapstanError =>
  new CapstanError({ code, reason: "Broken", message: "it broke", retry });

describe("a result", () => {
  it("ends the matter, or asks for another look", async () => {
    const runs: number[] = [];
    const { clock, loop, metric } = setup(async () => {
      runs.push(clock.now());
      return runs.length === 1 ? { requeueAfterMs: 1_000 } : undefined;
    });
    loop.queue.add(request);
    await clock.advance(10_000);
    expect(runs).toEqual([0, 1_000]);
    expect(await metric('controller_runtime_reconcile_total{controller="test",result="success"}')).toBe("1");
    expect(await metric('controller_runtime_reconcile_total{controller="test",result="requeue_after"}')).toBe("1");
  });
});

const runsOf = async (error: unknown, ms: number) => {
  const runs: number[] = [];
  const world = setup(async () => {
    runs.push(world.clock.now());
    throw error;
  });
  world.loop.queue.add(request, { priority: -100 });
  await world.clock.advance(ms);
  return { runs, ...world };
};

describe("a failure", () => {
  it("is tried again with growing delays, at the same priority", async () => {
    const { runs, lines, metric } = await runsOf(failure("test.broken", { kind: "backoff" }), 40);
    expect(runs).toEqual([0, 5, 15, 35]);
    expect(lines[0]).toMatchObject({
      level: "error",
      fields: { controller: "test", name: "a", namespace: "default", code: "test.broken", error: "it broke" },
    });
    expect(lines[0]?.fields["reconcileID"]).toMatch(/^[0-9a-f]{8}-1$/);
    expect(await metric('controller_runtime_reconcile_errors_total{controller="test"}')).toBe("4");
    expect(await metric('workqueue_retries_total{name="test",controller="test"}')).toBe("4");
    expect(await metric('workqueue_depth{name="test",controller="test",priority="-100"}')).toBe("0");
  });

  it("waits as long as it says", async () => {
    const { runs, lines } = await runsOf(failure("test.limited", { kind: "after", ms: 2_000 }), 4_500);
    expect(runs).toEqual([0, 2_000, 4_000]);
    expect(lines[0]).toMatchObject({ level: "warn", fields: { retryAfterMs: 2_000 } });
  });

  it("is final when it says so", async () => {
    const { runs, lines, metric } = await runsOf(failure("test.wrong", { kind: "never" }), 3_600_000);
    expect(runs).toEqual([0]);
    expect(lines).toMatchObject([{ level: "error", fields: { reason: "Broken" } }]);
    expect(await metric('controller_runtime_terminal_reconcile_errors_total{controller="test"}')).toBe("1");
  });

  it("of a lost race is quiet", async () => {
    const { runs, lines, metric } = await runsOf(failure("kube.conflict", { kind: "backoff" }), 5);
    expect(runs).toEqual([0, 5]);
    expect(lines.map(({ level }) => level)).toEqual(["debug", "debug"]);
    expect(await metric('controller_runtime_reconcile_total{controller="test",result="requeue"}')).toBe("2");
    expect(await metric('controller_runtime_reconcile_errors_total{controller="test"}')).toBeUndefined();
  });

  it("that nobody foresaw is logged as it is and does not stop the others", async () => {
    const { lines, metric, loop, clock } = await runsOf(new TypeError("x is undefined"), 0);
    expect(lines[0]?.fields["error"]).toBeInstanceOf(TypeError);
    expect(await metric('controller_runtime_reconcile_panics_total{controller="test"}')).toBe("1");
    loop.queue.add({ ...request, name: "b" });
    await clock.settle();
    expect(lines.filter(({ fields }) => fields["name"] === "b")).toHaveLength(1);
  });

  it("that throws before it returns a promise is a failure like any other", async () => {
    const world = setup(() => {
      throw new Error("at once");
    });
    world.loop.queue.add(request);
    await world.clock.settle();
    expect(String(world.lines[0]?.fields["error"])).toBe("Error: at once");
  });
});

const hang = (signal: AbortSignal): Promise<void> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });

describe("running", () => {
  it("is limited, and never doubled for one object", async () => {
    let active = 0;
    let most = 0;
    const perObject = new Map<string, number>();
    const { clock, loop, metric } = setup(
      async ({ name }) => {
        active += 1;
        most = Math.max(most, active);
        perObject.set(name, (perObject.get(name) ?? 0) + 1);
        expect(perObject.get(name)).toBe(1);
        await clock.sleep(100);
        perObject.set(name, 0);
        active -= 1;
      },
      { concurrency: 3 },
    );
    for (let index = 0; index < 10; index++) loop.queue.add({ ...request, name: `w${index % 5}` });
    await clock.advance(50);
    for (let index = 0; index < 5; index++) loop.queue.add({ ...request, name: `w${index}` });
    expect(most).toBe(3);
    expect(await metric('controller_runtime_active_workers{controller="test"}')).toBe("3");
    expect(await metric('workqueue_longest_running_processor_seconds{name="test",controller="test"}')).toBe("0.05");
    expect(Number(await metric('workqueue_unfinished_work_seconds{name="test",controller="test"}'))).toBeCloseTo(0.15);
    await clock.advance(1_000);
    expect(most).toBe(3);
    expect(await metric('controller_runtime_active_workers{controller="test"}')).toBe("0");
  });

  it("does not begin inside the call that adds", async () => {
    let runs = 0;
    const { clock, loop } = setup(async () => void (runs += 1));
    loop.queue.add(request);
    expect(runs).toBe(0);
    await clock.settle();
    expect(runs).toBe(1);
  });

  it("is aborted when it takes too long, and tried again", async () => {
    const reasons: string[] = [];
    const { clock, loop, lines, metric } = setup(
      async (_request, { signal }: ReconcileContext) => {
        reasons.push("started");
        await hang(signal);
      },
      { timeoutMs: 1_000 },
    );
    loop.queue.add(request);
    await clock.advance(1_006);
    expect(reasons).toHaveLength(2);
    expect(lines[0]).toMatchObject({ level: "error", fields: { code: "runtime.reconcile_timeout" } });
    expect(await metric('controller_runtime_reconcile_timeouts_total{controller="test"}')).toBe("1");
  });

  it("ends with the signal: what runs is aborted, what waits is dropped, nothing is logged", async () => {
    const reasons: unknown[] = [];
    const { clock, loop, lines, stop, running } = setup(
      async (_request, { signal }) =>
        clock.sleep(1_000, { signal }).catch((error: unknown) => {
          reasons.push(error);
          throw error;
        }),
      { concurrency: 1 },
    );
    loop.queue.add(request);
    loop.queue.add({ ...request, name: "b" });
    await clock.settle();
    stop.abort(new Error("stopping"));
    await running;
    expect(reasons.map(String)).toEqual(["Error: stopping"]);
    expect(lines).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});

describe("reconciles at once", () => {
  it("leave room for other namespaces where those of one hold everything", async () => {
    const running: string[] = [];
    const held = Promise.withResolvers<void>();
    const { clock, loop } = setup(
      async ({ namespace, name }) => {
        running.push(`${namespace}/${name}`);
        if (namespace === "team-a" || name.startsWith("held")) await held.promise;
      },
      { concurrency: 20 },
    );
    const add = (namespace: string, names: readonly string[]): void => {
      for (const name of names) loop.queue.add({ namespace, name });
    };
    add(
      "team-a",
      Array.from({ length: 30 }, (_, index) => `m-${index}`),
    );
    await clock.advance(10);
    expect(running, "one alone has all").toHaveLength(20);
    add("team-b", ["held-1", "held-2", "held-3"]);
    add("team-c", ["a", "b", "c"]);
    await clock.advance(10);
    expect(running.slice(20).toSorted()).toEqual([
      "team-b/held-1",
      "team-b/held-2",
      "team-c/a",
      "team-c/b",
      "team-c/c",
    ]);
    held.resolve();
    await clock.advance(10);
    expect(running).toHaveLength(36);
  });

  it("are never more than few ones, which may be so few for a reason", async () => {
    let most = 0;
    let now = 0;
    const { clock, loop } = setup(
      async ({ namespace }) => {
        now += 1;
        most = Math.max(most, now);
        await clock.sleep(namespace === "team-a" ? 100 : 10);
        now -= 1;
      },
      { concurrency: 1 },
    );
    for (const namespace of ["team-a", "team-b", "team-c"]) loop.queue.add({ namespace, name: "m" });
    await clock.advance(1_000);
    expect(most).toBe(1);
  });
});
