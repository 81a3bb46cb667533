import { describe, expect, it } from "vitest";
import { FairQueue } from "./fair-queue.ts";

const queueOf = (...flows: readonly string[]): FairQueue<{ readonly flow: string; readonly number: number }> => {
  const queue = new FairQueue<{ readonly flow: string; readonly number: number }>();
  for (const [number, flow] of flows.entries()) queue.add({ flow, number });
  return queue;
};
const all = (): boolean => true;

describe("a fair queue", () => {
  it("lets flows take turns, each in order", () => {
    const queue = queueOf("a", "a", "a", "b", "b", "c");
    const taken = Array.from({ length: 7 }, () => queue.take(all));
    expect(taken.map((item) => item?.number)).toEqual([0, 3, 5, 1, 4, 2, undefined]);
  });

  it("passes flows over that may not go on; they keep their place", () => {
    const queue = queueOf("a", "b", "c");
    expect(queue.take((flow) => flow !== "a")?.flow).toBe("b");
    expect(queue.take((flow) => flow === "d")).toBeUndefined();
    expect(queue.take(all)?.flow).toBe("a");
  });

  it("knows how many of a flow wait", () => {
    const queue = queueOf("a", "a", "b");
    queue.take(all);
    expect([queue.waiting("a"), queue.waiting("b"), queue.waiting("c")]).toEqual([1, 1, 0]);
  });
});
