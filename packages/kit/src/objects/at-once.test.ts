import { silentLogger } from "@capstan/contract";
import { expect, it } from "vitest";
import { allAtOnce, inSlowStart } from "./at-once.ts";

const items = Array.from({ length: 100 }, (_, index) => index);

const counting = () => {
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  return {
    begun,
    most: () => most,
    work: async (item: number): Promise<void> => {
      begun.push(item);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      running -= 1;
    },
  };
};

it("works through everything, more and more at once", async () => {
  const { begun, most, work } = counting();
  await inSlowStart(items, work, silentLogger);
  expect(begun).toEqual(items);
  expect(most()).toBe(32);
});

it("begins nothing after a failure, waits for what runs, and throws the first error", async () => {
  const { begun, work } = counting();
  const failing = async (item: number): Promise<void> => {
    await work(item);
    if (item >= 4) throw new Error(`item ${item}`);
  };
  await expect(inSlowStart(items, failing, silentLogger)).rejects.toThrow("item 4");
  expect(begun.length).toBeGreaterThan(4);
  expect(begun.length).toBeLessThan(10);
});

it.each([inSlowStart, allAtOnce])("has nothing to do for no items", async (through) => {
  await through([], () => Promise.reject(new Error("never")), silentLogger);
});

it("keeps nothing back for a failure, and throws the first error in the end", async () => {
  const { begun, most, work } = counting();
  const failing = async (item: number): Promise<void> => {
    await work(item);
    if (item % 10 === 3) throw new Error(`item ${item}`);
  };
  await expect(allAtOnce(items, failing, silentLogger)).rejects.toThrow("item 3");
  expect(begun).toEqual(items);
  expect(most()).toBe(32);
});
