import { fakeClock } from "@capstan/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Heap } from "./heap.ts";
import { WorkQueue } from "./work-queue.ts";

const request = (name: string) => ({ namespace: "default", name });

const setup = (options: { readonly minIntervalMs?: () => number } = {}) => {
  const clock = fakeClock({ now: 0 });
  let wakes = 0;
  const depths = new Map<number, number>();
  const queue = new WorkQueue({
    clock,
    onReady: () => (wakes += 1),
    observer: {
      added: () => undefined,
      retried: () => undefined,
      depth: (priority, change) => void depths.set(priority, (depths.get(priority) ?? 0) + change),
    },
    ...options,
  });
  const takeAll = (): string[] => {
    const taken: string[] = [];
    for (let next = queue.take(); next !== undefined; next = queue.take()) taken.push(next.request.name);
    return taken;
  };
  return { clock, queue, takeAll, depths, wakes: () => wakes };
};

describe("order", () => {
  it("is by priority, then by arrival", () => {
    const { queue, takeAll } = setup();
    queue.add(request("low"), { priority: -100 });
    queue.add(request("a"));
    queue.add(request("b"));
    queue.add(request("high"), { priority: 5 });
    queue.add(request("c"));
    expect(takeAll()).toEqual(["high", "a", "b", "c", "low"]);
  });

  it("keeps a request once, with its highest priority", () => {
    const { queue, takeAll } = setup();
    queue.add(request("a"), { priority: -100 });
    queue.add(request("b"));
    queue.add(request("a"), { priority: 1 });
    queue.add(request("a"), { priority: -5 });
    expect(queue.size).toBe(2);
    expect(takeAll()).toEqual(["a", "b"]);
  });
});

describe("time", () => {
  it("holds delayed requests back, and the earliest time wins", async () => {
    const { clock, queue, takeAll, wakes } = setup();
    queue.add(request("a"), { afterMs: 100 });
    queue.add(request("b"), { afterMs: 50 });
    queue.add(request("a"), { afterMs: 10 });
    queue.add(request("a"), { afterMs: 70 });
    expect(takeAll()).toEqual([]);
    expect(clock.pending).toBe(1);
    await clock.advance(10);
    expect(wakes()).toBe(1);
    expect(takeAll()).toEqual(["a"]);
    await clock.advance(40);
    expect(takeAll()).toEqual(["b"]);
  });

  it("doubles the delay of failures from 5 ms to 2 min, until they are forgotten", async () => {
    const { clock, queue } = setup();
    const delayOfFailure = async (): Promise<number> => {
      const failedAt = clock.now();
      queue.addFailed(request("a"), 0);
      await clock.advance(120_000);
      const taken = queue.take();
      queue.done(request("a"));
      return (taken?.readyAt ?? Number.NaN) - failedAt;
    };
    const delays: number[] = [];
    for (let failure = 0; failure < 20; failure++) delays.push(await delayOfFailure());
    expect(delays.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(delays.slice(-2)).toEqual([120_000, 120_000]);
    queue.forget(request("a"));
    expect(await delayOfFailure()).toBe(5);
  });

  it("keeps two starts of a request apart", async () => {
    const { clock, queue, takeAll } = setup({ minIntervalMs: () => 1_000 });
    queue.add(request("a"));
    expect(takeAll()).toEqual(["a"]);
    queue.done(request("a"));
    queue.add(request("a"));
    queue.add(request("b"));
    expect(takeAll()).toEqual(["b"]);
    await clock.advance(999);
    expect(takeAll()).toEqual([]);
    await clock.advance(1);
    expect(takeAll()).toEqual(["a"]);
  });
});

describe("a running request", () => {
  it("is not given out again before it is done", async () => {
    const { clock, queue, takeAll } = setup();
    queue.add(request("a"));
    expect(takeAll()).toEqual(["a"]);
    queue.add(request("a"), { afterMs: 10 });
    queue.add(request("a"), { priority: 3 });
    await clock.advance(50);
    expect(takeAll()).toEqual([]);
    queue.done(request("a"));
    const again = queue.take();
    expect(again).toMatchObject({ request: request("a"), priority: 3 });
    queue.done(request("a"));
    expect(queue.take()).toBeUndefined();
  });
});

it("counts what is ready, and forgets everything when stopped", async () => {
  const { clock, queue, depths, takeAll } = setup();
  queue.add(request("a"));
  queue.add(request("b"), { priority: -100 });
  queue.add(request("c"), { afterMs: 5 });
  queue.add(request("b"), { priority: 7 });
  expect([...depths].filter(([, depth]) => depth !== 0)).toEqual([
    [0, 1],
    [7, 1],
  ]);
  queue.stop();
  expect([...depths.values()].every((depth) => depth === 0)).toBe(true);
  expect(clock.pending).toBe(0);
  await clock.advance(10);
  expect(takeAll()).toEqual([]);
});

it("does not grow by requests that are hurried again and again", () => {
  const { queue } = setup();
  for (let round = 0; round < 50_000; round++) {
    queue.add(request("a"), { afterMs: 600_000 });
    queue.add(request("a"));
    expect(queue.take()).toBeDefined();
    queue.done(request("a"));
  }
  expect(queue.held).toBeLessThan(2_000);
});

it("agrees with a simple model on what runs, when, and in which order", async () => {
  const names = fc.constantFrom("a", "b", "c", "d");
  const step = fc.oneof(
    fc.record({
      do: fc.constant("add" as const),
      name: names,
      priority: fc.constantFrom(-100, 0, 10),
      afterMs: fc.constantFrom(0, 0, 5, 20),
    }),
    fc.record({ do: fc.constant("take" as const) }),
    fc.record({ do: fc.constant("done" as const), name: names }),
    fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 15 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 50 }), async (steps) => {
      const { clock, queue } = setup();
      const waiting = new Map<string, { priority: number; readyAt: number; order: number }>();
      const running = new Set<string>();
      let order = 0;
      for (const each of steps) {
        if (each.do === "add") {
          const known = waiting.get(each.name) ?? { priority: each.priority, readyAt: Infinity, order: order++ };
          waiting.set(each.name, {
            order: known.order,
            priority: Math.max(known.priority, each.priority),
            readyAt: Math.min(known.readyAt, clock.now() + each.afterMs),
          });
          queue.add(request(each.name), each);
        } else if (each.do === "take") {
          const ready = [...waiting].filter(([name, item]) => !running.has(name) && item.readyAt <= clock.now());
          const [wanted] = ready.toSorted(([, a], [, b]) => b.priority - a.priority || a.order - b.order);
          expect(queue.take()?.request.name).toBe(wanted?.[0]);
          if (wanted === undefined) continue;
          waiting.delete(wanted[0]);
          running.add(wanted[0]);
        } else if (each.do === "done") {
          if (running.delete(each.name)) queue.done(request(each.name));
        } else {
          await clock.advance(each.ms);
        }
        expect(queue.size).toBe(waiting.size);
      }
    }),
    { numRuns: 300, seed: 5 },
  );
});

it("pops a heap in order", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (numbers) => {
      const heap = new Heap<number>((a, b) => a - b);
      for (const number of numbers) heap.push(number);
      heap.retain((number) => number % 3 !== 0);
      const popped: number[] = [];
      for (let next = heap.pop(); next !== undefined; next = heap.pop()) popped.push(next);
      expect(popped).toEqual(numbers.filter((number) => number % 3 !== 0).toSorted((a, b) => a - b));
    }),
    { numRuns: 300, seed: 6 },
  );
});
