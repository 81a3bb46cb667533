import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { FairTurns } from "./fair-turns.ts";

/** Turns of which every piece of work takes `pieceMs`. */
const scene = (pieceMs: number) => {
  let now = 0;
  const turns = new FairTurns(() => now);
  const done: string[] = [];
  const work = async (flow: string, name = flow): Promise<void> => {
    await turns.of(flow).wait();
    done.push(name);
    now += pieceMs;
  };
  return { turns, done, work };
};

describe("turns of the event loop", () => {
  it("let short work continue at once", async () => {
    const { turns } = scene(1);
    const turn = turns.of("a");
    expect([turn.hasRoom(), turn.hasRoom()]).toEqual([true, true]);
    expect(turn.wait()).toBeUndefined();
    await nextTurn();
    expect(turn.wait()).toBeUndefined();
  });

  it("grant one piece at a time", async () => {
    const { turns } = scene(1);
    const turn = turns.of("a");
    expect(turn.wait()).toBeUndefined();
    const second = turn.wait();
    expect(second).toBeInstanceOf(Promise);
    await second;
  });

  it("end after 10 ms of work, and the next looks at connections first", async () => {
    const { done, work } = scene(4);
    const all = Promise.all(Array.from({ length: 8 }, (_, index) => work("a", String(index))));
    const seen: number[] = [];
    while (done.length < 8) {
      await nextTurn();
      seen.push(done.length);
    }
    await all;
    // Three of 4 ms each fill one turn; two are over when the test looks first.
    expect(seen).toEqual([6, 8]);
    expect(done).toEqual(["0", "1", "2", "3", "4", "5", "6", "7"]);
  });

  it("are shared by flows, however much one of them has to do", async () => {
    const { done, work } = scene(10);
    const crowd = Array.from({ length: 1_000 }, () => work("crowd"));
    await nextTurn();
    await work("administrator");
    expect(done.filter((flow) => flow === "crowd").length).toBeLessThan(5);
    await Promise.all(crowd);
  });

  it("count what a piece does after several promises as part of it", async () => {
    let now = 0;
    const turns = new FairTurns(() => now);
    const done: number[] = [];
    const work = async (index: number): Promise<void> => {
      if (index === 0) now += 10;
      await turns.of("a").wait();
      for (let depth = 0; depth < 20; depth++) await Promise.resolve();
      done.push(index);
      now += 10;
    };
    await turns.of("a").wait();
    const all = Promise.all([0, 1, 2].map(work));
    const seen: number[] = [];
    while (done.length < 3) {
      await nextTurn();
      seen.push(done.length);
    }
    await all;
    expect(seen).toEqual([1, 2, 3]);
  });
});
